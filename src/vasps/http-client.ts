import { type CallLimit, type HttpAnswer, type HttpRequest, httpCall } from '../kernel/http-call.ts';
import type { Agent } from '../kernel/undici.ts';
import { AddressNotAllowed, type CallGuard } from './call-guard.ts';

/** Pooled connections to one VASP. Undici is heavy, so it is loaded with the first call. */
export interface HttpClient {
  /** Throws `AddressNotAllowed`, `CallTimeout`, the errors of undici and the reason of the signal. Follows no redirect. */
  post(url: string, headers: Record<string, string>, body: string, limit: CallLimit): Promise<HttpAnswer>;
  get(url: string, headers: Record<string, string>, limit: CallLimit): Promise<HttpAnswer>;
  close(): Promise<void>;
}
const CONNECTIONS = 64;

export function httpClient(guard: CallGuard): HttpClient {
  let dispatcher: Promise<Agent> | undefined;
  const connect = async () => {
    const { Agent } = await import('../kernel/undici.ts');
    return new Agent({
      connections: CONNECTIONS,
      pipelining: 1,
      maxResponseSize: guard.maxAnswerBytes,
      ...(guard.lookup ? { connect: { lookup: guard.lookup } } : {}),
    });
  };
  async function call(url: string, request: HttpRequest, limit: CallLimit): Promise<HttpAnswer> {
    const flaw = guard.flawOf(url);
    if (flaw !== undefined) throw new AddressNotAllowed(flaw);
    dispatcher ??= connect();
    return httpCall(await dispatcher, url, request, limit);
  }
  return {
    post: (url, headers, body, limit) => call(url, { method: 'POST', headers, body }, limit),
    get: (url, headers, limit) => call(url, { method: 'GET', headers }, limit),
    close: async () => (await dispatcher)?.close(),
  };
}

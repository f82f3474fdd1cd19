import { Agent, request } from 'undici';
import { AddressNotAllowed, type CallGuard } from './call-guard.ts';

/** Pooled connections to one VASP. The module is heavy, so it is loaded with the first call. */
export interface HttpClient {
  /** Throws `AddressNotAllowed`, the errors of undici and the reason of the signal. Follows no redirect. */
  post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<HttpAnswer>;
  get(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<HttpAnswer>;
  close(): Promise<void>;
}
export interface HttpAnswer {
  status: number;
  body: string;
  headers: [string, string][];
}

const CONNECTIONS = 64;

export function httpClient(guard: CallGuard): HttpClient {
  const dispatcher = new Agent({
    connections: CONNECTIONS,
    pipelining: 1,
    maxResponseSize: guard.maxAnswerBytes,
    ...(guard.lookup ? { connect: { lookup: guard.lookup } } : {}),
  });
  const call = async (url: string, options: Parameters<typeof request>[1]): Promise<HttpAnswer> => {
    const flaw = guard.flawOf(url);
    if (flaw !== undefined) throw new AddressNotAllowed(flaw);
    const answer = await request(url, { ...options, dispatcher });
    const named = Object.entries(answer.headers);
    return {
      status: answer.statusCode,
      headers: named.map(([name, value = '']): [string, string] => [name, String(value)]),
      body: await answer.body.text(),
    };
  };
  return {
    post: (url, headers, body, signal) => call(url, { method: 'POST', headers, body, signal }),
    get: (url, headers, signal) => call(url, { method: 'GET', headers, signal }),
    close: () => dispatcher.close(),
  };
}

import type { Dispatcher } from 'undici';
import { later } from '../kernel/interval.ts';
import type { Agent } from '../kernel/undici.ts';
import { AddressNotAllowed, type CallGuard } from './call-guard.ts';

/** Pooled connections to one VASP. Undici is heavy, so it is loaded with the first call. */
export interface HttpClient {
  /** Throws `AddressNotAllowed`, `CallTimeout`, the errors of undici and the reason of the signal. Follows no redirect. */
  post(url: string, headers: Record<string, string>, body: string, limit: CallLimit): Promise<HttpAnswer>;
  get(url: string, headers: Record<string, string>, limit: CallLimit): Promise<HttpAnswer>;
  close(): Promise<void>;
}
/** A call ends after `timeoutMs`, or when `signal` aborts. */
export interface CallLimit {
  timeoutMs: number;
  signal?: AbortSignal;
}
export interface HttpAnswer {
  status: number;
  body: string;
  headers: [string, string][];
}

export class CallTimeout extends Error {
  override readonly name = 'TimeoutError';
}

const CONNECTIONS = 64;
const utf8 = new TextDecoder();

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
  async function call(url: string, request: Request, limit: CallLimit): Promise<HttpAnswer> {
    const flaw = guard.flawOf(url);
    if (flaw !== undefined) throw new AddressNotAllowed(flaw);
    const { origin, pathname, search } = new URL(url);
    dispatcher ??= connect();
    return exchange(await dispatcher, { origin, path: pathname + search, ...request }, limit);
  }
  return {
    post: (url, headers, body, limit) => call(url, { method: 'POST', headers, body }, limit),
    get: (url, headers, limit) => call(url, { method: 'GET', headers }, limit),
    close: async () => (await dispatcher)?.close(),
  };
}

type Request = Pick<Dispatcher.DispatchOptions, 'method' | 'headers' | 'body'>;

/** Undici's `request` makes a stream for each answer and wants a signal for each time limit. Both are expensive. */
function exchange(
  dispatcher: Agent,
  request: Agent.DispatchOptions,
  { timeoutMs, signal }: CallLimit,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let headers: [string, string][] = [];
    const chunks: Buffer[] = [];
    let ended: Error | undefined;
    let abort: (reason: Error) => void = () => {};

    const end = (reason: Error) => {
      ended = reason;
      release();
      reject(reason);
      abort(reason);
    };
    const giveUp = () => end(signal!.reason);
    const cancelTimeout = later(timeoutMs, () => end(new CallTimeout(`timeout of ${timeoutMs}ms exceeded`)));
    const release = () => {
      cancelTimeout();
      signal?.removeEventListener('abort', giveUp);
    };
    signal?.addEventListener('abort', giveUp);
    if (signal?.aborted) return giveUp();

    dispatcher.dispatch(request, {
      onRequestStart(controller) {
        abort = reason => controller.abort(reason);
        if (ended) abort(ended);
      },
      onResponseStart(_, statusCode, all) {
        status = statusCode;
        headers = Object.entries(all).map(([name, value = '']) => [name, String(value)]);
      },
      onResponseData: (_, chunk) => void chunks.push(chunk),
      onResponseEnd() {
        release();
        resolve({ status, headers, body: utf8.decode(Buffer.concat(chunks)) });
      },
      onResponseError(_, error) {
        release();
        reject(error);
      },
    });
  });
}

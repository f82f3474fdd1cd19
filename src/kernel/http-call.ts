import { later } from './interval.ts';
import { remember } from './remember.ts';
import type { Agent } from './undici.ts';

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

class CallTimeout extends Error {
  override readonly name = 'TimeoutError';
}

export type HttpRequest = Pick<Agent.DispatchOptions, 'method' | 'headers' | 'body'>;

const utf8 = new TextDecoder();

const targetOf = remember(1_000, url => {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
});

/**
 * Undici's `request` makes a stream for each answer and wants a signal for each time limit. Both are expensive. Follows no
 * redirect. Throws `CallTimeout`, the errors of undici and the reason of the signal.
 */
export function httpCall(
  dispatcher: Agent,
  url: string,
  request: HttpRequest,
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

    dispatcher.dispatch(Object.assign({}, targetOf(url), request), {
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

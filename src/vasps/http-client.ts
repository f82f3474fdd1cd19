import { elapsedMs } from '../kernel/clock.ts';
import {
  CallFailure,
  type CallLimit,
  type HttpAnswer,
  type HttpRequest,
  httpClient,
} from '../kernel/http-client.ts';
import { AddressNotAllowed, type CallGuard } from './call-guard.ts';

/** Calls of one VASP, on pooled connections. */
export interface GuardedClient {
  /**
   * Throws `AddressNotAllowed` and the errors of `HttpClient`. D-38: a call that dies on a reused connection before any
   * byte of an answer is sent once more on a fresh one, within the same limit; `onRepeat` is called before.
   */
  call(url: string, request: HttpRequest, limit: CallLimit, onRepeat?: OnRepeat): Promise<HttpAnswer>;
  close(): Promise<void>;
}
export type OnRepeat = (why: CallFailure) => void;

const CONNECTIONS = 64;
const IDLE_MS = 4_000;

export function guardedClient({ flawOf, lookup, maxAnswerBytes }: CallGuard): GuardedClient {
  const client = httpClient({ connections: CONNECTIONS, idleMs: IDLE_MS, maxAnswerBytes, lookup });
  return {
    async call(url, request, limit, onRepeat = () => {}) {
      const flaw = flawOf(url);
      if (flaw !== undefined) throw new AddressNotAllowed(flaw);
      const startedAt = elapsedMs();
      try {
        return await client.call(url, request, limit);
      } catch (error) {
        if (!(error instanceof CallFailure && error.code === 'CLOSED-WHILE-REUSED')) throw error;
        onRepeat(error);
        const timeoutMs = Math.max(1, limit.timeoutMs - (elapsedMs() - startedAt));
        return client.call(url, request, { ...limit, timeoutMs }, true);
      }
    },
    close: client.close,
  };
}

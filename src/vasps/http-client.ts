import { type CallWatch, type HttpAnswer, type HttpRequest, httpClient } from '../kernel/http-client.ts';
import type { CallLimit } from '../kernel/http-exchange.ts';
import { AddressNotAllowed, type CallGuard } from './call-guard.ts';

/** Calls of one VASP, on pooled connections. */
export interface GuardedClient {
  /**
   * Throws `AddressNotAllowed` and the errors of `HttpClient`. D-38: a call that dies on a reused connection is sent once
   * more on a fresh one.
   */
  call(url: string, request: HttpRequest, limit: CallLimit, watch?: CallWatch): Promise<HttpAnswer>;
  close(): Promise<void>;
}

const CONNECTIONS = 64;
const IDLE_MS = 4_000;

export function guardedClient({ flawOf, lookup, maxAnswerBytes }: CallGuard): GuardedClient {
  const client = httpClient({ connections: CONNECTIONS, idleMs: IDLE_MS, maxAnswerBytes, lookup });
  return {
    async call(url, request, limit, { onRepeat = () => {}, ...watch } = {}) {
      const flaw = flawOf(url);
      if (flaw !== undefined) throw new AddressNotAllowed(flaw);
      return client.call(url, request, limit, { onRepeat, ...watch });
    },
    close: client.close,
  };
}

import { type CallWatch, type HttpAnswer, type HttpRequest, httpClient } from '../kernel/http-client.ts';
import type { CallLimit } from '../kernel/http-exchange.ts';
import { AddressNotAllowed, type CallGuard } from './call-guard.ts';

const CONNECTIONS = 64;
const IDLE_MS = 4_000;

export type GuardedClient = ReturnType<typeof guardedClient>;

/** Calls of one VASP, on pooled connections. */
export function guardedClient({ flawOf, lookup, maxAnswerBytes }: CallGuard) {
  const client = httpClient({ connections: CONNECTIONS, idleMs: IDLE_MS, maxAnswerBytes, lookup });
  return {
    /**
     * Throws `AddressNotAllowed` and the errors of `HttpClient`. D-38: a call that dies on a reused connection is sent
     * once more on a fresh one.
     */
    async call(
      url: string,
      request: HttpRequest,
      limit: CallLimit,
      { onRepeat = () => {}, ...watch }: CallWatch = {},
    ): Promise<HttpAnswer> {
      const flaw = flawOf(url);
      if (flaw !== undefined) throw new AddressNotAllowed(flaw);
      return client.call(url, request, limit, { onRepeat, ...watch });
    },
    close: client.close,
  };
}

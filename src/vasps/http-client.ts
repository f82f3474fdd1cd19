import { type CallWatch, type HttpAnswer, type HttpRequest, httpClient } from '../kernel/http-client.ts';
import type { CallLimit } from '../kernel/http-exchange.ts';
import { AddressNotAllowed, type CallGuard } from './call-guard.ts';

const CONNECTIONS = 64;
const IDLE_MS = 4_000;

export type GuardedClient = ReturnType<typeof guardedClient>;

/** Calls of one VASP, on pooled connections. */
export function guardedClient({ problemOf, lookup, maxAnswerBytes, handshakes }: CallGuard, vaspId = '') {
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
      { onRepeat = () => {}, onConnection }: CallWatch = {},
    ): Promise<HttpAnswer> {
      const problem = problemOf(url);
      if (problem !== undefined) throw new AddressNotAllowed(problem);
      const calling = (seen?: CallWatch['onConnection']) => {
        const both: CallWatch['onConnection'] = (state, stop) => {
          onConnection?.(state, stop);
          seen?.(state, stop);
        };
        return client.call(url, request, limit, { onRepeat, onConnection: both });
      };
      const { protocol, origin } = new URL(url);
      if (!handshakes || protocol !== 'https:') return calling();
      return handshakes.during(vaspId, origin, calling, limit.signal);
    },
    close: client.close,
  };
}

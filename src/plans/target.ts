import type { VaspOperation } from '../contract/vasp-api.ts';
import type { Exchange } from '../http/exchange.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { maskedHeaders } from '../kernel/masked-headers.ts';
import { standstillSince } from '../kernel/standstill.ts';
import { failureText, flawText } from '../vasps/call-failure.ts';
import type { CallGuard } from '../vasps/call-guard.ts';
import { guardedClient } from '../vasps/http-client.ts';
import type { CallbackSigner } from '../vasps/signature.ts';
import { type Registration, requestHeaders } from '../vasps/wire.ts';
import type { ExchangeReader, LoggedExchange } from './evidence.ts';
import type { Target, WrongToken } from './world.ts';

interface TargetDeps {
  registration: Registration;
  guard: CallGuard;
  signer: CallbackSigner;
  timeoutMs: Readonly<Record<VaspOperation, number>>;
  exchanges: ExchangeReader & { record(exchange: Exchange): void; position(): number };
  /** Time on the clock of the VASP. */
  now(): number;
}

/** The log keeps the beginning of a body that is too long on purpose. */
const MOST_LOGGED = 8_000;

export function createTarget({
  registration,
  guard,
  signer,
  timeoutMs,
  exchanges,
  now,
}: TargetDeps): Target & {
  close(): Promise<void>;
} {
  const { endpoints, authorization, vaspId } = registration;
  const http = guardedClient(guard);
  let underWay = 0;
  let read = 0;
  let recorded: LoggedExchange[] = [];

  /** Several calls of the same text may run at once: each takes one of their rows. */
  function idOf(operation: string, request: string): number {
    const page = exchanges.after(vaspId, { after: read, limit: 500 });
    recorded.push(...page);
    read = page.at(-1)?.id ?? read;
    const found = recorded.findIndex(each => each.operation === operation && each.request === request);
    const [row] = found < 0 ? [] : recorded.splice(found, 1);
    if (!row) throw new Error('an exchange was not recorded');
    return row.id;
  }

  function begin(): void {
    if (underWay++ > 0) return;
    read = exchanges.newest();
    recorded = [];
  }

  return {
    hasToken: authorization.token !== undefined,
    url: operation => endpoints[operation],
    async post(operation, body, { token, verificationUuid } = {}) {
      const url = endpoints[operation]!;
      const sent = tokenOf(authorization.token, token);
      // A refused body may end the connection, which the next call must not meet.
      const headers = {
        ...requestHeaders({ header: authorization.header, token: sent }),
        ...(operation === 'callback' ? signer.headers(vaspId, body, body) : {}),
        connection: 'close',
      };
      begin();
      const request = body.slice(0, MOST_LOGGED);
      const start = { at: now(), afterHistory: exchanges.position(), startedAt: elapsedMs() };
      const limit = { timeoutMs: timeoutMs[operation] };
      const outcome = await http.call(url, { method: 'POST', headers, body }, limit).then(
        answer => ({
          status: answer.status,
          response: answer.body,
          responseHeaders: maskedHeaders(answer.headers),
          error: answer.flaw ? flawText(answer.flaw) : null,
        }),
        (error: Error) => ({
          status: null,
          response: null,
          responseHeaders: {},
          error: failureText(error, timeoutMs[operation]),
        }),
      );
      exchanges.record({
        vaspId,
        direction: 'OUT',
        operation,
        method: 'POST',
        url,
        verificationUuid: verificationUuid ?? null,
        request,
        headers: maskedHeaders(headers, [authorization.header.toLowerCase()]),
        ...outcome,
        isCheck: false,
        isRepeated: false,
        durationMs: Math.round(elapsedMs() - start.startedAt),
        standstillMs: standstillSince(start.startedAt) || undefined,
        at: start.at,
        afterHistory: start.afterHistory,
      });
      underWay--;
      return idOf(operation, request);
    },
    close: () => http.close(),
  };
}

function tokenOf(right: string | undefined, token: WrongToken | undefined): string | undefined {
  if (typeof token === 'function') return token(right ?? '');
  return token === undefined ? right : (token ?? undefined);
}

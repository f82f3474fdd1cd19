import type { VaspOperation } from '../contract/vasp-api.ts';
import type { Exchange } from '../http/exchange.ts';
import { elapsedMs } from '../kernel/clock.ts';
import type { HttpAnswer } from '../kernel/http-client.ts';
import { ownDelay } from '../kernel/kept-waiting.ts';
import { maskedHeaders } from '../kernel/masked-headers.ts';
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
  const rows = recordedRows(exchanges, vaspId);

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
      rows.begin();
      const request = body.slice(0, MOST_LOGGED);
      const start = { at: now(), afterHistory: exchanges.position(), startedAt: elapsedMs() };
      const ownDelayMs = ownDelay(vaspId);
      const limit = { timeoutMs: timeoutMs[operation], ownDelayMs };
      const outcome = await http
        .call(url, { method: 'POST', headers, body }, limit)
        .then(answered, error => failed(error, timeoutMs[operation]));
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
        standstillMs: ownDelayMs() || undefined,
        at: start.at,
        afterHistory: start.afterHistory,
      });
      return rows.end(operation, request);
    },
    close: () => http.close(),
  };
}

/** Finds the rows of the exchanges under way. Several calls of the same text may run at once: each takes one. */
function recordedRows(exchanges: ExchangeReader, vaspId: string) {
  let underWay = 0;
  let read = 0;
  let recorded: LoggedExchange[] = [];
  return {
    begin(): void {
      if (underWay++ > 0) return;
      read = exchanges.newest();
      recorded = [];
    },
    /** Returns the id of the exchange. */
    end(operation: string, request: string): number {
      underWay--;
      const page = exchanges.after(vaspId, { after: read, limit: 500 });
      recorded.push(...page);
      read = page.at(-1)?.id ?? read;
      const found = recorded.findIndex(each => each.operation === operation && each.request === request);
      const [row] = found < 0 ? [] : recorded.splice(found, 1);
      if (!row) throw new Error('an exchange was not recorded');
      return row.id;
    },
  };
}

const answered = ({ status, body, headers, flaw }: HttpAnswer) => ({
  status,
  response: body,
  responseHeaders: maskedHeaders(headers),
  error: flaw ? flawText(flaw) : null,
});

const failed = (error: Error, timeoutMs: number) => ({
  status: null,
  response: null,
  responseHeaders: {},
  error: failureText(error, timeoutMs),
});

function tokenOf(right: string | undefined, token: WrongToken | undefined): string | undefined {
  if (typeof token === 'function') return token(right ?? '');
  return token === undefined ? right : (token ?? undefined);
}

import type { VaspOperation } from '../contract/vasp-api.ts';
import type { Exchange } from '../http/exchange.ts';
import type { CallGuard } from '../vasps/call-guard.ts';
import { BadAnswer, NoAnswer } from '../vasps/port.ts';
import { type CallRecording, recordedCalls } from '../vasps/recorded-calls.ts';
import type { CallbackSigner } from '../vasps/signature.ts';
import type { Registration } from '../vasps/wire.ts';
import type { ExchangeReader, LoggedExchange } from './evidence.ts';
import { TOLD_TOKEN, withoutTokens } from './steps/wrong-tokens.ts';
import type { Target } from './world.ts';

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
const MAX_LOGGED = 8_000;
const logged = (body: string): string => body.slice(0, MAX_LOGGED);

export function createTarget({ registration, guard, signer, timeoutMs, exchanges, now }: TargetDeps): Target {
  const { endpoints, authorization, vaspId } = registration;
  const rows = recordedRows(exchanges, vaspId);
  const recording: CallRecording = {
    now,
    position: exchanges.position,
    guard,
    onExchange: exchange =>
      exchanges.record({ ...exchange, direction: 'OUT', request: logged(exchange.request ?? '') }),
  };

  return {
    token: authorization.token,
    url: operation => endpoints[operation],
    async post(operation, body, { token = authorization.token, verificationUuid = null } = {}) {
      // A refused body may end the connection, which the next call must not meet.
      const right = authorization.token;
      const secret = right && right !== token ? { hide: withoutTokens(right, token), shown: TOLD_TOKEN } : undefined;
      const calls = recordedCalls({ ...authorization, token: token ?? undefined }, { ...recording, secret });
      const headers = operation === 'callback' ? signer.headers(vaspId, body, body) : {};
      rows.begin();
      await calls
        .send({
          vaspId,
          operation,
          method: 'POST',
          url: endpoints[operation]!,
          verificationUuid,
          body,
          timeoutMs: timeoutMs[operation],
          headers,
        })
        .catch(error => {
          if (!(error instanceof NoAnswer || error instanceof BadAnswer)) throw error;
        });
      await calls.close();
      return rows.end(operation, logged(body));
    },
  };
}

const PAGE = 500;

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
      // Any number may have been recorded while the call was under way.
      for (let isFull = true; isFull; ) {
        const page = exchanges.after(vaspId, { after: read, limit: PAGE });
        recorded.push(...page);
        read = page.at(-1)?.id ?? read;
        isFull = page.length === PAGE;
      }
      const found = recorded.findIndex(each => each.operation === operation && each.request === request);
      const [row] = found < 0 ? [] : recorded.splice(found, 1);
      if (!row) throw new Error('an exchange was not recorded');
      return row.id;
    },
  };
}

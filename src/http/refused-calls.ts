import type { MiddlewareHandler } from 'hono';
import { UNKNOWN_OPERATION } from '../contract/errors.ts';
import { verificationKey } from '../contract/text.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { rateLimit } from '../kernel/rate-limit.ts';
import { cutText } from '../kernel/text.ts';
import type { Answer } from './answer.ts';
import { incomingOf } from './body.ts';
import type { Endpoint } from './endpoint.ts';
import { type ExchangeLog, receivedExchange } from './exchange.ts';
import type { Incoming } from './server.ts';

export interface RefusedCallsDeps {
  endpoints: readonly Endpoint[];
  exchanges: ExchangeLog;
  /** Time on the clock of the VASP, epoch ms. */
  now(vaspId: string): number;
  /** The VASP that sends the request, also with a key of the past. Undefined: nobody knows. */
  vaspOf(request: Incoming): string | undefined;
}

const OF_VASPS = /^\/(?:v1|vega\/robot|devnet)\//;
/** Of a body that nothing has read. */
const MAX_KEPT = 2_000;

/** Exchanges that a VASP adds by what is refused: a burst, and then per second. */
const KEPT = { burst: 200, perSecond: 2 };

export type RefusedCalls = ReturnType<typeof refusedCalls>;

/**
 * Calls that were refused before their endpoint: over a limit, with a wrong key, at a wrong path, too long, cut off. They
 * are kept as exchanges, too. Otherwise a verdict would say that the VASP did not call.
 */
export function refusedCalls(deps: RefusedCallsDeps) {
  const limit = rateLimit(elapsedMs);
  const known = deps.endpoints
    .filter(({ operation }) => operation !== 'sandbox')
    .toSorted((a, b) => Number(a.path.includes(':')) - Number(b.path.includes(':')))
    .map(({ method, path, operation }) => ({
      operation,
      isOf: (request: Incoming, at: string) =>
        request.method === method && new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`).test(at),
    }));

  /** `sent` undefined: the request did not arrive completely. */
  function note(request: Incoming, sent?: Answer): void {
    const { url = '', rawBody } = request;
    const [path = ''] = url.split('?');
    if (request.isRecorded || !OF_VASPS.test(path)) return;
    const vaspId = deps.vaspOf(request);
    if (vaspId === undefined || !limit.take(vaspId, KEPT.perSecond, KEPT.burst).ok) return;
    request.isRecorded = true;
    const body = rawBody?.toString() ?? null;
    const call = {
      vaspId,
      operation: known.find(({ isOf }) => isOf(request, path))?.operation ?? UNKNOWN_OPERATION,
      verificationUuid: uuidIn(body),
      request: cutText(body, MAX_KEPT),
      error: sent ? null : 'The request did not arrive completely.',
      at: deps.now(vaspId),
      afterHistory: deps.exchanges.position(),
    };
    deps.exchanges.record(receivedExchange(request, { startedAt: elapsedMs(), sent, ...call }));
  }

  return {
    note,
    /** The outermost one: it keeps what the routes have refused. */
    middleware: (async (c, next) => {
      await next();
      const incoming = incomingOf(c);
      if (!incoming || incoming.isRecorded || !OF_VASPS.test(c.req.path) || c.res.status < 400) return;
      note(incoming, { status: c.res.status, text: await c.res.clone().text() });
    }) satisfies MiddlewareHandler,
  };
}

function uuidIn(body: string | null): string | null {
  const [, uuid] = /"verificationUuid"\s*:\s*"([\w-]{1,40})"/.exec(body ?? '') ?? [];
  return uuid === undefined ? null : verificationKey(uuid);
}

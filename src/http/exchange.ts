import type { Context } from 'hono';
import { elapsedMs } from '../kernel/clock.ts';
import { type HeaderValues, maskedHeaders, maskedUrl } from '../kernel/secrets.ts';
import { type Answer, responseHeadersOf } from './answer.ts';
import { incomingOf } from './body.ts';
import type { Incoming } from './server.ts';

/** One HTTP exchange with a VASP. `IN`: the VASP called us. `OUT`: we called it. */
export interface Exchange {
  vaspId: string;
  direction: 'IN' | 'OUT';
  operation: string;
  method: string;
  url: string;
  verificationUuid: string | null;
  /** The request is the body of this callback, as it was queued. */
  callbackId?: number | undefined;
  request: string | null;
  /** Null without an answer; `error` then has the cause. */
  status: number | null;
  response: string | null;
  /** Names in lower case. Secrets are masked. */
  headers: HeaderValues;
  /** Empty without an answer. */
  responseHeaders: HeaderValues;
  error: string | null;
  durationMs: number;
  /** Milliseconds of the duration until a new connection stood; all of them when it never did. Absent: there was no new one. */
  connectMs?: number | undefined;
  /** Milliseconds of the duration in which this process was late itself: it stood still, or kept the VASP waiting. Absent: none, or not measured. */
  stallMs?: number | undefined;
  /** A call of the endpoint check. */
  isCheck: boolean;
  /** D-38: sent once more, because its connection had ended. */
  isRepeated: boolean;
  /** Start, on the clock of the VASP, epoch ms. */
  at: number;
  /** Position of the history at the start. */
  afterHistory: number;
}

export interface ExchangeLog {
  record(exchange: Exchange): void;
  /** Current position of the history. */
  position(): number;
}

interface ReceivedCall
  extends Pick<Exchange, 'vaspId' | 'operation' | 'verificationUuid' | 'request' | 'error' | 'at' | 'afterHistory'> {
  /** Monotonic milliseconds. */
  startedAt: number;
  /** It has waited this long for its turn, milliseconds. */
  waitedMs?: number;
  /** Undefined: the connection was closed without an answer. */
  sent: Answer | undefined;
}

/** A request that was served, as an exchange. `secretNames`: headers with a token, in lower case. */
export function received(c: Context, call: ReceivedCall, secretNames: readonly string[] = []): Exchange {
  const { method, url } = c.req;
  const headers = incomingOf(c)?.headers ?? c.req.header();
  return receivedExchange({ method, url: pathAndQuery(url), headers }, call, secretNames);
}

export const receivedExchange = (
  { method = '', url = '', headers }: Pick<Incoming, 'method' | 'url' | 'headers'>,
  { startedAt, waitedMs = 0, sent, ...call }: ReceivedCall,
  secretNames: readonly string[] = [],
): Exchange => ({
  direction: 'IN',
  method,
  url: maskedUrl(url),
  status: sent?.status ?? null,
  response: sent?.text ?? null,
  headers: maskedHeaders(headers, secretNames),
  responseHeaders: sent ? maskedHeaders(responseHeadersOf(sent)) : {},
  isCheck: false,
  isRepeated: false,
  durationMs: Math.round(elapsedMs() - startedAt),
  stallMs: Math.round(waitedMs) || undefined,
  ...call,
});

const pathAndQuery = (url: string): string => url.slice(url.indexOf('/', url.indexOf('//') + 2));

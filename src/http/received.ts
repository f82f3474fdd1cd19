import type { Context } from 'hono';
import { elapsedMs } from '../kernel/clock.ts';
import { maskedHeaders } from '../kernel/masked-headers.ts';
import { maskedUrl } from '../kernel/masked-url.ts';
import { type Answer, responseHeadersOf } from './answer.ts';
import { incomingOf } from './body.ts';
import type { Exchange } from './exchange.ts';

export interface ReceivedCall
  extends Pick<
    Exchange,
    'vaspId' | 'operation' | 'verificationUuid' | 'request' | 'error' | 'at' | 'afterHistory'
  > {
  /** Monotonic milliseconds. */
  startedAt: number;
  /** It has waited this long for its turn, milliseconds. */
  waitedMs?: number;
  /** Undefined: the connection was closed without an answer. */
  sent: Answer | undefined;
}

/** A request that was served, as an exchange. `secretNames`: headers with a token, in lower case. */
export const received = (
  c: Context,
  { startedAt, waitedMs = 0, sent, ...call }: ReceivedCall,
  secretNames: readonly string[] = [],
): Exchange => ({
  direction: 'IN',
  method: c.req.method,
  url: maskedUrl(pathAndQuery(c.req.url)),
  status: sent?.status ?? null,
  response: sent?.text ?? null,
  headers: maskedHeaders(incomingOf(c)?.headers ?? c.req.header(), secretNames),
  responseHeaders: sent ? maskedHeaders(responseHeadersOf(sent)) : {},
  isCheck: false,
  isRepeated: false,
  durationMs: Math.round(elapsedMs() - startedAt),
  standstillMs: Math.round(waitedMs) || undefined,
  ...call,
});

const pathAndQuery = (url: string): string => url.slice(url.indexOf('/', url.indexOf('//') + 2));

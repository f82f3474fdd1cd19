import type { Context } from 'hono';
import { elapsedMs } from '../kernel/clock.ts';
import { maskedHeaders } from '../kernel/masked-headers.ts';
import { maskedUrl } from '../kernel/masked-url.ts';
import { type Answer, responseHeadersOf } from './answer.ts';
import { incomingOf } from './body.ts';
import type { Exchange } from './exchange.ts';
import type { Incoming } from './server.ts';

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
  standstillMs: Math.round(waitedMs) || undefined,
  ...call,
});

const pathAndQuery = (url: string): string => url.slice(url.indexOf('/', url.indexOf('//') + 2));

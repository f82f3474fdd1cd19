/**
 * RFC 9110, 10.2.3: whole seconds or an HTTP date, as milliseconds from now. Undefined: the header is missing, has another
 * form or names no later time.
 */
export function parseRetryAfter(headers: readonly (readonly [string, string])[]): number | undefined {
  const text = headers.find(([name]) => name === 'retry-after')?.[1].trim();
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : IS_DATE.test(text) ? Date.parse(text) - Date.now() : 0;
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}

/** `Sun, 06 Nov 1994 08:49:37 GMT` and its two old forms begin with a day. `Date.parse` takes much more. */
const IS_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/i;

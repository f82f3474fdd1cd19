import { remember } from './remember.ts';

export type HeaderValues = Readonly<Record<string, string>>;

const SECRET = /auth|cookie|token|secret|password|(^|-)key$/i;
const isSecret = remember(200, name => SECRET.test(name));
const WITH_SCHEME = /^(Bearer|Basic|Digest|Token|ApiKey)(?: +|$)/i;
const MOST_HEADERS = 60;
const LONGEST_VALUE = 1_000;

/**
 * Headers for the history. A secret becomes its length and its scheme: `present, 43 characters, Bearer`. `secretNames`:
 * lower-case names of further secrets.
 */
export function maskedHeaders(
  headers: Iterable<readonly [string, string]>,
  secretNames: readonly string[] = [],
): HeaderValues {
  const masked: Record<string, string> = {};
  let count = 0;
  for (const [name, value] of headers) {
    if (++count > MOST_HEADERS) break;
    const key = name.toLowerCase();
    masked[key] =
      isSecret(key) || secretNames.includes(key) ? maskedSecret(value) : value.slice(0, LONGEST_VALUE);
  }
  return masked;
}

function maskedSecret(value: string): string {
  const [prefix = '', scheme] = WITH_SCHEME.exec(value) ?? [];
  const { length } = value.slice(prefix.length);
  const size = length === 0 ? 'empty' : `${length} ${length === 1 ? 'character' : 'characters'}`;
  return `present, ${size}${scheme ? `, ${scheme}` : ''}`;
}

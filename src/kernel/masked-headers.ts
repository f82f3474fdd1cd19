export type HeaderValues = Readonly<Record<string, string>>;

const SECRET = /auth|cookie|token|secret|password|(^|-)key$/i;
const WITH_SCHEME = /^(Bearer|Basic|Digest|Token|ApiKey)(?: +|$)/i;
const MOST_HEADERS = 60;
const LONGEST_VALUE = 1_000;

type Headers =
  | readonly (readonly [name: string, value: string])[]
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Of requests and answers without secrets. Most headers of a client come again and again. */
const kept = new Map<string, HeaderValues>();
const MOST_KEPT = 500;
const LONGEST_KEPT = 1_000;

/**
 * Headers for the history, by name. A secret becomes its length and its scheme: `present, 43 characters, Bearer`.
 * `secretNames`: lower-case names of further secrets. The same headers get the same frozen object.
 */
export function maskedHeaders(headers: Headers, secretNames: readonly string[] = []): HeaderValues {
  const text = JSON.stringify([headers, secretNames]);
  const earlier = kept.get(text);
  if (earlier) return earlier;
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers);
  const named = pairs
    .slice(0, MOST_HEADERS)
    .map(([name, value]): [string, string] => [name.toLowerCase(), String(value)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const isHidden = (name: string) => SECRET.test(name) || secretNames.includes(name);
  const masked = Object.freeze(
    Object.fromEntries(
      named.map(([name, value]) => [
        name,
        isHidden(name) ? maskedSecret(value) : value.slice(0, LONGEST_VALUE),
      ]),
    ),
  );
  if (text.length <= LONGEST_KEPT && !named.some(([name]) => isHidden(name))) {
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(text, masked);
  }
  return masked;
}

function maskedSecret(value: string): string {
  const [prefix = '', scheme] = WITH_SCHEME.exec(value) ?? [];
  const { length } = value.slice(prefix.length);
  const size = length === 0 ? 'empty' : `${length} ${length === 1 ? 'character' : 'characters'}`;
  return `present, ${size}${scheme ? `, ${scheme}` : ''}`;
}

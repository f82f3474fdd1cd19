export type HeaderValues = Readonly<Record<string, string>>;

/** The names of masked headers. A VASP names the header of its token. */
export const secretsIn = (headers: HeaderValues): string[] =>
  Object.keys(headers).filter(name => SECRET.test(name) || MASK.test(headers[name] ?? ''));

const SECRET = /auth|cookie|token|secret|password|(^|-)key$/i;
/** What `maskedSecret` writes. */
const MASK = /^present, (empty|\d+ characters?)(, \w+)?$/;
const WITH_SCHEME = /^(Bearer|Basic|Digest|Token|ApiKey)(?: +|$)/i;
const MAX_HEADERS = 60;
const LONGEST_VALUE = 1_000;

type Headers =
  | readonly (readonly [name: string, value: string])[]
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Headers for the history, by name. A secret becomes its length and its scheme: `present, 43 characters, Bearer`.
 * `secretNames`: lower-case names of further secrets.
 */
export function maskedHeaders(headers: Headers, secretNames: readonly string[] = []): HeaderValues {
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers);
  const shown = (name: string, value: string): [string, string] => [
    name,
    SECRET.test(name) || secretNames.includes(name) ? maskedSecret(value) : value.slice(0, LONGEST_VALUE),
  ];
  return Object.fromEntries(
    pairs
      .slice(0, MAX_HEADERS)
      .map(([name, value]) => shown(name.toLowerCase(), String(value)))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function maskedSecret(value: string): string {
  const [prefix = '', scheme] = WITH_SCHEME.exec(value) ?? [];
  const { length } = value.slice(prefix.length);
  const size = length === 0 ? 'empty' : `${length} ${length === 1 ? 'character' : 'characters'}`;
  return `present, ${size}${scheme ? `, ${scheme}` : ''}`;
}

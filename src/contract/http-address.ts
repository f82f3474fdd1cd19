import { upTo } from '../kernel/number-pattern.ts';

/** Full addresses that the parser of URLs takes, as one pattern that the API document can show. */

const byte = upTo(255n);
const IPV4 = `${byte}(?:\\.${byte}){3}`;
const group = '[0-9A-Fa-f]{1,4}';
const IPV6 = [
  `(?:${group}:){7}${group}`,
  `(?:${group}:){1,7}:`,
  `:(?:(?::${group}){1,7}|:)`,
  `(?:${group}:){6}${IPV4}`,
  `(?::|(?:${group}:){1,5}):${IPV4}`,
  `::(?:${group}:){1,5}${IPV4}`,
  ...[1, 2, 3, 4, 5, 6].map(after => `(?:${group}:){1,${7 - after}}(?::${group}){1,${after}}`),
].join('|');
/** The last part of a name is no number: otherwise the whole name counts as an IPv4 address. */
const NAME = '(?:[A-Za-z0-9_-]+\\.)*(?!(?:\\d+|0[Xx][0-9A-Fa-f]*)\\.?(?:[:/?]|$))[A-Za-z0-9_-]+\\.?';

export const HTTP_ADDRESS = new RegExp(
  `^[Hh][Tt][Tt][Pp][Ss]?://(?:${IPV4}\\.?|\\[(?:${IPV6})\\]|${NAME})(?::${upTo(65_535n)})?(?:[/?][^\\s#]*)?$`,
);
export const HTTP_ADDRESS_PROBLEM =
  'should be a full http or https address, without a user name (a token is sent in its header) and without `#`, with a name in ASCII, an IPv4 address as four decimal numbers, or an IPv6 address in brackets';

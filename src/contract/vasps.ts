import * as z from 'zod';
import { upTo } from '../kernel/duration.ts';
import { CALLBACK_TYPES } from './callbacks.ts';
import { AnyText, keyIn, named, optional, shownName, text, VaspId } from './text.ts';
import { Timestamp } from './time.ts';

/** The header that carries the token of a VASP. Names that steer the connection or its body are left out. */

const STEERING = [
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  '__proto__',
];
/** The API document has no flag for it. */
const inAnyCase = (name: string): string =>
  name.replace(/[a-z]/gi, letter => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);

export const TOKEN_HEADER = new RegExp(
  `^(?!(?:${STEERING.map(inAnyCase).join('|')})$|${['proxy-', 'sec-'].map(inAnyCase).join('|')})[!#$%&'*+.^_\`|~0-9A-Za-z-]{1,64}$`,
);
export const TOKEN_HEADER_PROBLEM = 'should be a header name that does not steer the connection';

/** Its value. */
export const TOKEN = /^[\x21-\x7e]+( [\x21-\x7e]+)*$/;

export const VaspName = shownName(256);

export const VASP_STATUSES = {
  'VERIFIED-MEMBER': 'Alliance member with a running enclave: transfers are possible.',
  VERIFIED: 'Registered, not approved yet or without an enclave.',
  UNVERIFIED: 'Not registered.',
  INTEROPERATED: 'Reached by another protocol.',
} as const;

const HEALTH_VALUES = ['UP', 'DOWN'] as const;
const PROTOCOLS = ['VERIFYVASP', 'CODE'] as const;

export const VaspEntry = named('VaspEntry', 'One VASP of the list.', {
  health: z.enum(HEALTH_VALUES).describe('State of the enclave of that VASP, derived from its last answers (D-23).'),
  vaspId: VaspId,
  vaspName: text(256),
  legalName: optional(AnyText),
  jurisdiction: optional(AnyText),
  isAlliance: optional(z.boolean()),
  country: optional(AnyText),
  countryCode: optional(AnyText).describe('ISO 3166-1 alpha-2.'),
  protocol: z.enum(PROTOCOLS),
  licensedStatus: AnyText.nullish().describe('Regulated, Unregulated, or null.'),
  vaspStatus: keyIn(VASP_STATUSES),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const PROTOCOL_NAMES = [...PROTOCOLS, 'ALL'] as const;

export const VaspsQuery = z
  .object({
    // Case-insensitive: the documents write both ALL and all.
    protocol: z
      .string()
      .regex(new RegExp(`^(?:${PROTOCOL_NAMES.map(inAnyCase).join('|')})$`), {
        error: `should be one of ${PROTOCOL_NAMES.map(name => `\`${name}\``).join(', ')}`,
      })
      .transform(name => name.toUpperCase())
      .pipe(z.enum(PROTOCOL_NAMES))
      .default('ALL')
      .describe('Only VASPs of this protocol.'),
  })
  .meta({ id: 'VaspsQuery', description: 'Filter of the list of VASPs.' });
export type VaspsQuery = z.infer<typeof VaspsQuery>;

export const VaspsResponse = named('VaspsResponse', 'The VASPs that can handle transfers, including the caller.', {
  vasps: z.array(VaspEntry),
});
export type VaspsResponse = z.infer<typeof VaspsResponse>;

export const SelfResponse = named('SelfResponse', 'The VASP that runs this enclave.', { vaspId: VaspId });
export type SelfResponse = z.infer<typeof SelfResponse>;

/** Full addresses that the parser of URLs takes, as one pattern that the API document can show. */

const [IPV4, plainIpv6] = [z.regexes.ipv4, z.regexes.ipv6].map(({ source }) => source.slice(1, -1));
const group = '[0-9A-Fa-f]{1,4}';
const IPV6 = `${plainIpv6}|(?:(?:${group}:){6}|(?::|(?:${group}:){1,5}):|::(?:${group}:){1,5})${IPV4}`;
/** The last part of a name is no number: otherwise the whole name counts as an IPv4 address. */
const NAME = '(?:[A-Za-z0-9_-]+\\.)*(?!(?:\\d+|0[Xx][0-9A-Fa-f]*)\\.?(?:[:/?]|$))[A-Za-z0-9_-]+\\.?';

export const HTTP_ADDRESS = new RegExp(
  `^[Hh][Tt][Tt][Pp][Ss]?://(?:${IPV4}\\.?|\\[(?:${IPV6})\\]|${NAME})(?::${upTo(65_535n)})?(?:[/?][^\\s#]*)?$`,
);
export const HTTP_ADDRESS_PROBLEM =
  'should be a full http or https address, without a user name (a token is sent in its header) and without `#`, with a name in ASCII, an IPv4 address as four decimal numbers, or an IPv6 address in brackets';

/**
 * The reference writes `providerA` and `providerB` in place of brand names. The configuration may set other names for
 * paths, members and callbackType values. The program itself uses the names of the reference only.
 */
interface ProviderNames {
  a: string;
  b: string;
}

export const REFERENCE_NAMES: ProviderNames = { a: 'providerA', b: 'providerB' };

/** camelCase, like a member: `providerA`. Its other forms are `PROVIDER_A` and `ProviderA`. */
export const PROVIDER_NAME = /^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)*$/;

export interface Renaming {
  /** Renames inside a path or another text. */
  text(text: string): string;
  /** A body: renames members, callbackType values and our own texts, at any depth. Other values stay unchanged. */
  body<T>(body: T): T;
  /** The callbackType of a request -> its name in the reference. Both names are accepted. */
  callbackType(type: string): string;
}

const TEXT_MEMBERS = new Set(['callbackType', 'cause', 'why', 'error', 'target']);
const MEMBERS = ['providerASanction', 'providerAKYT', 'providerAKYTAlerts', 'providerBWCO'];

export function renaming(names: ProviderNames): Renaming {
  const words = new Map<string, string>([...formsOf('A', names.a), ...formsOf('B', names.b)]);
  if ([...words].every(([word, name]) => word === name))
    return { text: text => text, body: body => body, callbackType: type => type };
  const text = (original: string) =>
    original.replace(/providerA|providerB|ProviderA|ProviderB|PROVIDER_A|PROVIDER_B/g, word => words.get(word)!);
  const members = new Map(MEMBERS.map(member => [member, text(member)]));
  const types = new Map<string, string>(CALLBACK_TYPES.map(type => [text(type), type]));

  const body = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(body);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([member, inner]) => [
        members.get(member) ?? member,
        TEXT_MEMBERS.has(member) && typeof inner === 'string' ? text(inner) : body(inner),
      ]),
    );
  };
  return { text, body: value => body(value) as typeof value, callbackType: type => types.get(type) ?? type };
}

const formsOf = (letter: 'A' | 'B', name: string): [string, string][] => [
  [`provider${letter}`, name],
  [`Provider${letter}`, name[0]!.toUpperCase() + name.slice(1)],
  [`PROVIDER_${letter}`, name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()],
];

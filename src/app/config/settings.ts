import { isIP } from 'node:net';
import * as z from 'zod';
import { MAX_QUOTA, QUOTA_RULES, type QuotaName, type QuotaRule } from '../../contract/tenancy.ts';
import { PROVIDER_NAME, TOKEN, TOKEN_HEADER, VaspName } from '../../contract/vasps.ts';
import { formatDuration, parseDuration } from '../../kernel/duration.ts';
import { parseHost } from '../../kernel/hosts.ts';
import { hashOf } from '../../kernel/secrets.ts';
import { nearestName } from '../../kernel/text.ts';

/** The kinds of values that an environment variable can hold. */

export const text = (fallback: string) => z.string().min(1).default(fallback);
/** Of a database. SQLite would open another file: the one of this name without the blanks. */
export const path = (fallback: string) =>
  text(fallback).refine(value => value === value.trim(), 'begins or ends with a blank');
/** The name of a VASP. */
export const name = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .refine(value => VaspName.safeParse(value).success, 'is not a name of 1 to 256 visible characters');
export const optionalText = z.string().min(1).optional();
const partsOf = (list: string): string[] =>
  list
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '');

export const duration = (fallback: string, minimumMs = 0) =>
  z
    .string()
    .default(fallback)
    .transform((value, ctx) => {
      const ms = parseDuration(value);
      if (ms !== undefined && ms >= minimumMs) return ms;
      const message =
        ms === undefined
          ? 'is not a duration such as `10m`, `5s` or `250ms`'
          : `is less than ${formatDuration(minimumMs)}`;
      ctx.addIssue({ code: 'custom', message });
      return z.NEVER;
    });
export const whole = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'is not a whole number')
    .transform(Number)
    .pipe(z.number().min(minimum, `is less than ${minimum}`).max(maximum, `is more than ${maximum}`));
/** RECV-3: a number of confirmations, or a block tag of the node. */
export const confirmations = z
  .union([z.enum(['safe', 'finalized']), whole(1, 10_000)], {
    error: 'is neither a whole number from 1 to 10000 nor `safe` or `finalized`',
  })
  .optional();
export const vaspId = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .refine(
      id => /^(0|[1-9]\d{0,19})$/.test(id) && BigInt(id) < 1n << 64n,
      'is not a decimal number from 0 to 18446744073709551615',
    );
export const url = (...protocols: string[]) =>
  z
    .string()
    .refine(
      value => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `is not a full address (${protocols.map(protocol => `${protocol}//…`).join(' or ')})`,
    )
    .refine(value => !value.includes('#'), 'has a part after #, which no call carries')
    .optional();

/** Prices by currency. */
export const amounts = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .refine(
      value => value.split(',').every(part => /^[A-Z]{3,8}:(0|[1-9]\d*)(\.\d+)?$/.test(part.trim())),
      'is not a list such as `KRW:1000000,USD:1000`',
    )
    .transform(
      (value): Record<string, string> => Object.fromEntries(value.split(',').map(part => part.trim().split(':'))),
    );

/** An address whose user would be dropped. `advice`: what to set instead. */
export const endpoint = (advice: string) =>
  url('http:', 'https:').refine(
    value => !URL.canParse(value ?? '') || (new URL(value!).username || new URL(value!).password) === '',
    `names a user. ${advice}`,
  );

/** An address to which paths are added. */
export const baseUrl = (advice: string) => endpoint(advice).transform(address => address?.replace(/\/+$/, ''));

/** Addresses separated by commas, in order of preference. */
export const urls = (...protocols: string[]) =>
  z
    .string()
    .transform(text => text.split(',').map(part => part.trim()))
    .pipe(z.array(url(...protocols).unwrap()).min(1))
    .default([]);

export const secret = z.string().regex(TOKEN, 'has other characters than printable ASCII').optional();

export const tokenHeader = (fallback: string) =>
  z.string().regex(TOKEN_HEADER, 'is not a header name, or it steers the connection').default(fallback);

export const providerName = (fallback: string) =>
  z
    .string()
    .max(32, 'is longer than 32 characters')
    .regex(PROVIDER_NAME, 'is not a name in camelCase')
    .default(fallback);

export const mnemonic = z
  .string()
  .transform(value => value.trim().toLowerCase().replace(/\s+/g, ' '))
  .pipe(z.string().regex(/^(?:[a-z]+ ){11}(?:(?:[a-z]+ ){3}){0,4}[a-z]+$/, 'is not 12 to 24 words'));
export const seed = z.string().regex(/^s[1-9A-HJ-NP-Za-km-z]{20,40}$/, 'is not a seed of the XRP Ledger');

export const networkIds = z
  .string()
  .regex(/^\d{1,15}(,\d{1,15})*$/, 'is not a list of network ids, separated by commas')
  .transform(text => text.split(',').map(Number))
  .default([]);
export const logLevel = z
  .enum(['silent', 'error', 'warn', 'info', 'debug'], {
    error: 'is none of `silent`, `error`, `warn`, `info` and `debug`',
  })
  .default('info');

/** The present key, and after a comma the one before it. */
export const dataKeys = z
  .string()
  .transform(text => text.split(',').map(key => key.trim()))
  .pipe(z.array(z.string().min(32, 'has fewer than 32 characters')).min(1))
  .optional();

/** Separated by commas. */
const listOf = (isPart: (part: string) => boolean, message: string, parts = partsOf) =>
  z
    .string()
    .default('')
    .transform(parts)
    .refine(all => all.every(isPart), message);

/** Each with or without a port. */
export const hosts = listOf(
  name => parseHost(name) !== undefined,
  'is not a list of host names such as `robot.example,robot.example:8443`',
);

/** As browsers write them: in lower case, without a path. */
export const origins = listOf(
  origin => /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/.test(origin),
  'is not a list of origins such as `http://localhost:3000,chrome-extension://abcdefghijklmnop`',
  text => partsOf(text.toLowerCase()),
);

export const flag = z
  .enum(['true', 'false'], { error: 'is neither `true` nor `false`' })
  .default('false')
  .transform(word => word === 'true');

/** An amount of an asset per day, with at most six decimals. */
const amount = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, 'is not an amount such as `100` or `0.5`')
  .transform(Number);

/** `10.20.0.0/16`, `fd00::/8`, or one address. */
export const cidrs = listOf(isCidr, 'is not a list of networks such as `10.20.0.0/16,fd00::/8`', text =>
  partsOf(text).map(part => (isIP(part) ? wholeAddress(part) : part)),
);

const wholeAddress = (address: string): string => `${address}/${isIP(address) === 4 ? 32 : 128}`;

function isCidr(text: string): boolean {
  const [, address = '', bits = ''] = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(text) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
}

/** 0: never. */
export const retention = (fallback = '0s') =>
  duration(fallback).refine(ms => ms === 0 || ms >= 3_600_000, 'is less than 1h, and not 0s');

/** `10.0.0.2`, `10.0.0.2:5353`, `[fd00::2]:53`. */
export const servers = listOf(
  part => isIP(part.replace(/^\[(.*)\](:\d+)?$/, '$1')) !== 0 || isIP(part.replace(/:\d+$/, '')) === 4,
  'is not a list of addresses such as `10.0.0.2,10.0.0.3:5353`',
);

/** Development tools set MODE to these words for their own purposes. */
const WORDS_OF_TOOLS = ['development', 'production', 'test'];

/** An amount per day, or a number. */
export function quota(name: QuotaName) {
  const { default: fallback, isAmount } = QUOTA_RULES[name] as QuotaRule;
  return (isAmount ? amount : whole(0, MAX_QUOTA)).default(fallback);
}

/** A key of few letters, or of one word again and again, is no secret. */
const isVaried = (key: string): boolean => new Set(key).size >= LEAST_LETTERS && !/^(.+?)\1+$/.test(key);
const LEAST_LETTERS = 8;

export const mode = z
  .string()
  .default('local')
  .transform(word => (WORDS_OF_TOOLS.includes(word) ? 'local' : word))
  .pipe(z.enum(['local', 'hosted'], { error: 'is neither `local` nor `hosted`' }));
export const operatorKey = z
  .string()
  .min(32, { error: 'has fewer than 32 characters', abort: true })
  .refine(isVaried, 'can be guessed: take 32 random bytes, in base64')
  .regex(/^[\x21-\x7e]*$/, 'has other characters than printable ASCII without blanks')
  .transform(hashOf)
  .optional();
export const registration = z
  .enum(['closed', 'invite', 'trial', 'open'], { error: 'is none of `closed`, `invite`, `trial`, `open`' })
  .default('invite');
export const cell = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/, 'is not a name of lower case letters, digits and hyphens')
  .default('main');

/** Defaults that differ from those of the local mode. */
export const hostedDefaults = (env: Readonly<Record<string, string | undefined>>) =>
  env.MODE === 'hosted' ? { RETENTION: '30d', ...env } : env;

export const isDataKey = (key: string): boolean =>
  /^[0-9a-f]{64}$/i.test(key) || /^[A-Za-z0-9+/]{43}=?$/.test(key) || /^[A-Za-z0-9_-]{43}=?$/.test(key);

/** Names of the system and of common tools that are near to one of ours. npm sets NODE for every script. */
const COMMON = new Set(
  'NODE HOME HOSTS HOSTNAME HOSTTYPE LOGNAME MAIL PATH PWD ROOT SHELL TERM USER TEST POST SORT FONT BOOT NOTE MODE COST POOL PART TOOL DATABASE_URL DATABASE_HOST DATABASE_PORT LOG_LEVELS NODE_ENV'.split(
    ' ',
  ),
);
const OF_COMMANDS = ['ROBOT_VASP_URL', 'ROBOT_VASP_API_KEY'];

/** One problem for each variable that is almost one of ours: its value would be ignored. */
export const misspelled = (env: Record<string, unknown>, ours: readonly string[]): string[] =>
  Object.keys(env)
    .filter(name => /^[A-Z][A-Z0-9_]+$/.test(name))
    .filter(name => !ours.includes(name) && !OF_COMMANDS.includes(name) && !COMMON.has(name))
    .flatMap(name => {
      const nearest = nearestName(name, ours);
      return nearest === undefined ? [] : [`${name} is not a variable of robot-vasp; ${nearest} is`];
    });

import { isIP } from 'node:net';
import * as z from 'zod';
import {
  MAX_QUOTA,
  QUOTA_NAMES,
  QUOTA_RULES,
  type QuotaRule,
  type Quotas,
  type QuotaVariable,
  quotaVariable,
  type Roles,
} from '../../contract/tenancy.ts';
import { PROVIDER_NAME, TOKEN, TOKEN_HEADER } from '../../contract/vasps.ts';
import { parseDuration } from '../../kernel/duration.ts';
import { parseHost } from '../../kernel/hosts.ts';
import { hashOf } from '../../kernel/secrets.ts';
import { nearestName } from '../../kernel/text.ts';

/** The kinds of values that an environment variable can hold. */

export const text = (fallback: string) => z.string().min(1).default(fallback);
export const optionalText = z.string().min(1).optional();
export const words = (value: string): string => value.trim().toLowerCase().replace(/\s+/g, ' ');
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
      ctx.addIssue({ code: 'custom', message: 'is not a duration such as `10m`, `5s` or `250ms`' });
      return z.NEVER;
    });
export const whole = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'is not a whole number')
    .transform(Number)
    .pipe(z.number().min(minimum, `is less than ${minimum}`).max(maximum, `is more than ${maximum}`));
/** RECV-3: a number of confirmations, or a block tag of the node. */
export const confirmations = () =>
  z
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

/** Addresses separated by commas, in order of preference. */
export const urls = (...protocols: string[]) =>
  z
    .string()
    .transform(text => text.split(',').map(part => part.trim()))
    .pipe(z.array(url(...protocols).unwrap()).min(1))
    .optional();

export const tokenHeader = (fallback: string) =>
  z.string().regex(TOKEN_HEADER, 'is not a header name, or it steers the connection').default(fallback);

export const providerName = (fallback: string) =>
  z
    .string()
    .max(32, 'is longer than 32 characters')
    .regex(PROVIDER_NAME, 'is not a name in camelCase')
    .default(fallback);

/** The present key, and after a comma the one before it. */
export const dataKeys = () =>
  z
    .string()
    .transform(text => text.split(',').map(key => key.trim()))
    .pipe(z.array(z.string().min(32, 'has fewer than 32 characters')).min(1))
    .optional();

/** Host names separated by commas, each with or without a port. */
export const hosts = () =>
  z
    .string()
    .default('')
    .transform(partsOf)
    .refine(
      names => names.every(name => parseHost(name)),
      'is not a list of host names such as `robot.example,robot.example:8443`',
    );

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/;

/** As browsers write them: in lower case, without a path. */
export const origins = () =>
  z
    .string()
    .default('')
    .transform(list => partsOf(list.toLowerCase()))
    .refine(
      all => all.every(each => ORIGIN.test(each)),
      'is not a list of origins such as `http://localhost:3000,chrome-extension://abcdefghijklmnop`',
    );

const flag = () =>
  z
    .enum(['true', 'false'], { error: 'is neither `true` nor `false`' })
    .default('false')
    .transform(word => word === 'true');

/** An amount of an asset per day, with at most six decimals. */
const amount = () =>
  z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/, 'is not an amount such as `100` or `0.5`')
    .transform(Number);

/** Networks separated by commas: `10.20.0.0/16`, `fd00::/8`, or one address. */
const cidrs = () =>
  z
    .string()
    .default('')
    .transform(text => partsOf(text).map(part => (isIP(part) ? wholeAddress(part) : part)))
    .refine(parts => parts.every(isCidr), 'is not a list of networks such as `10.20.0.0/16,fd00::/8`');

const wholeAddress = (address: string): string => `${address}/${isIP(address) === 4 ? 32 : 128}`;

function isCidr(text: string): boolean {
  const [, address = '', bits = ''] = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(text) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
}

/** 0: never. */
export const retention = (fallback = '0s') =>
  duration(fallback).pipe(z.union([z.literal(0), z.number().min(3_600_000)], { error: 'is less than an hour' }));

/** Servers separated by commas: `10.0.0.2`, `10.0.0.2:5353`, `[fd00::2]:53`. */
const servers = () =>
  z
    .string()
    .default('')
    .transform(partsOf)
    .refine(
      parts =>
        parts.every(part => isIP(part.replace(/^\[(.*)\](:\d+)?$/, '$1')) || isIP(part.replace(/:\d+$/, '')) === 4),
      'is not a list of addresses such as `10.0.0.2,10.0.0.3:5353`',
    );

/** Development tools set MODE to these words for their own purposes. */
const WORDS_OF_TOOLS = ['development', 'production', 'test'];

const MODES = ['local', 'hosted'] as const;
type Mode = (typeof MODES)[number];
const REGISTRATIONS = ['closed', 'invite', 'trial', 'open'] as const;

const quotaVariables = Object.fromEntries(
  QUOTA_NAMES.map(name => {
    const { default: fallback, isAmount } = QUOTA_RULES[name] as QuotaRule;
    return [quotaVariable(name), (isAmount ? amount() : whole(0, MAX_QUOTA)).default(fallback)];
  }),
) as unknown as Record<QuotaVariable, z.ZodType<number>>;

/** A key of few letters, or of one word again and again, is no secret. */
const isVaried = (key: string): boolean => new Set(key).size >= LEAST_LETTERS && !/^(.+?)\1+$/.test(key);
const LEAST_LETTERS = 8;

export const HOSTED_VARIABLES = {
  MODE: z
    .string()
    .default('local')
    .transform(word => (WORDS_OF_TOOLS.includes(word) ? 'local' : word))
    .pipe(z.enum(MODES, { error: 'is neither `local` nor `hosted`' })),
  OPERATOR_KEY: z
    .string()
    .min(32, { error: 'has fewer than 32 characters', abort: true })
    .refine(isVaried, 'can be guessed: take 32 random bytes, in base64')
    .regex(/^[\x21-\x7e]*$/, 'has other characters than printable ASCII without blanks')
    .transform(hashOf)
    .optional(),
  REGISTRATION: z.enum(REGISTRATIONS, { error: 'is none of `closed`, `invite`, `trial`, `open`' }).default('invite'),
  CELL: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/, 'is not a name of lower case letters, digits and hyphens')
    .default('main'),
  TRUSTED_PROXIES: cidrs(),
  CALLBACK_ALLOW: cidrs(),
  ALLOW_HTTP_CALLBACKS: flag(),
  CALLBACK_DNS: servers(),
  AUDIT_RETENTION: retention('365d'),
  ...quotaVariables,
};

/** Defaults that differ from those of the local mode. */
export const hostedDefaults = (env: Readonly<Record<string, string | undefined>>) =>
  env.MODE === 'hosted' ? { RETENTION: '30d', ...env } : env;

type HostedEnvironment = Omit<HostedShape, 'OPERATOR_KEY'> & Partial<Pick<HostedShape, 'OPERATOR_KEY'>>;
type HostedShape = { [N in keyof typeof HOSTED_VARIABLES]: z.output<(typeof HOSTED_VARIABLES)[N]> };

export const hostedConfig = (env: HostedEnvironment) => ({
  mode: env.MODE,
  /** SHA-256, hexadecimal. Undefined: there is no operator. */
  operatorKeyHash: env.OPERATOR_KEY,
  registration: env.REGISTRATION,
  /** Stands in every API key, so that a proxy can choose the cell. */
  cell: env.CELL,
  /** Networks whose `X-Forwarded-…` headers count, as CIDR. */
  trustedProxies: env.TRUSTED_PROXIES,
  /** Networks that calls to VASPs may reach although they are special, as CIDR. */
  callbackAllow: env.CALLBACK_ALLOW,
  /** Calls to VASPs may use `http:`. */
  allowHttpCallbacks: env.ALLOW_HTTP_CALLBACKS,
  /** DNS servers for the names of VASPs, `ip` or `ip:port`. Empty: those of the system. */
  callbackDns: env.CALLBACK_DNS,
  /** Entries of the audit log are kept for this time. 0: for ever. */
  auditRetentionMs: env.AUDIT_RETENTION,
  quotas: Object.fromEntries(QUOTA_NAMES.map(name => [name, env[quotaVariable(name)]])) as Quotas,
});

interface Needed {
  MODE?: Mode;
  OPERATOR_KEY?: string | undefined;
  PUBLIC_URL?: string | undefined;
  DATA_KEY?: readonly string[] | undefined;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The variables that the hosted mode needs. A variable with a problem of its own is absent in `env`. */
export function hostedProblems(env: Needed): string[] {
  if (env.MODE !== 'hosted') return [];
  const problems: string[] = [];
  if ('OPERATOR_KEY' in env && env.OPERATOR_KEY === undefined)
    problems.push('OPERATOR_KEY is missing: MODE=hosted needs a secret of at least 32 characters');
  if ('PUBLIC_URL' in env) problems.push(...publicUrlProblems(env.PUBLIC_URL));
  if ('DATA_KEY' in env && env.DATA_KEY === undefined)
    problems.push('DATA_KEY is missing: MODE=hosted needs 32 random bytes, in base64 or hexadecimal');
  if (env.DATA_KEY?.some(key => !isDataKey(key) || /^(.)\1*=?$/.test(key)))
    problems.push('DATA_KEY is weak: MODE=hosted needs 32 random bytes, in base64 or hexadecimal');
  return problems;
}

function publicUrlProblems(publicUrl: string | undefined): string[] {
  if (publicUrl === undefined)
    return ['PUBLIC_URL is missing: MODE=hosted needs the address at which others reach this program'];
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:' || LOOPBACK.test(hostname)) return [];
  return ['PUBLIC_URL is not an https address: keys would travel in clear'];
}

const isDataKey = (key: string): boolean =>
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

const secret = () => z.string().regex(TOKEN, 'has other characters than printable ASCII').optional();

export const FOREIGN_ENCLAVE_VARIABLES = {
  ENCLAVE_URL: endpoint('Set ENCLAVE_KEY: the robot sends it'),
  ENCLAVE_KEY: secret(),
  ENCLAVE_INVITATION: secret(),
  ENCLAVE_TOKEN: secret(),
  ROBOT_URL: endpoint('The enclave sends ENCLAVE_TOKEN: leave the user out'),
};
type Names = keyof typeof FOREIGN_ENCLAVE_VARIABLES;
type Environment = { [N in Names]?: string | undefined };

/** `joins`: the robot registers itself with an enclave of this program. */
export interface ProcessRole {
  roles: Roles;
  joins: boolean;
}

export const foreignEnclaveConfig = (env: Environment, { joins }: ProcessRole) => ({
  url: env.ENCLAVE_URL?.replace(/\/+$/, ''),
  key: env.ENCLAVE_KEY,
  joins,
  invitation: env.ENCLAVE_INVITATION,
  /** What the enclave sends to the robot in `Authorization`. Undefined: a random one, which joining registers. */
  token: env.ENCLAVE_TOKEN,
  /** Where the enclave reaches the robot. Undefined: where it listens. */
  robotUrl: env.ROBOT_URL?.replace(/\/+$/, ''),
});

export function foreignEnclaveProblems(
  env: Environment & { MODE?: string; HOST?: string },
  { roles, joins }: ProcessRole,
): string[] {
  if (roles !== 'robot') return [];
  const problems: string[] = [];
  if (env.MODE === 'hosted') problems.push('MODE=hosted is for an enclave: `robot-vasp serve` or `robot-vasp enclave`');
  if ('ENCLAVE_URL' in env && env.ENCLAVE_URL === undefined)
    problems.push('ENCLAVE_URL is missing: the address of the enclave, without /v1. Or set --enclave');
  if ('ENCLAVE_TOKEN' in env && env.ENCLAVE_TOKEN === undefined && !joins)
    problems.push(
      'ENCLAVE_TOKEN is missing: what the enclave sends to the robot in `Authorization`. An enclave of robot-vasp gets one by --join',
    );
  if (joins && env.ROBOT_URL === undefined && /^(0\.0\.0\.0|::)$/.test(env.HOST ?? ''))
    problems.push(`ROBOT_URL is missing: HOST=${env.HOST} is no address at which the enclave finds the robot`);
  return problems;
}

import * as z from 'zod';
import {
  MAX_QUOTA,
  QUOTA_NAMES,
  QUOTA_RULES,
  type QuotaRule,
  type Quotas,
  type QuotaVariable,
  quotaVariable,
} from '../../contract/tenancy.ts';
import { hashOf } from '../../kernel/secrets.ts';
import { amount, cidrs, flag, retention, servers, whole } from './settings.ts';

/** Development tools set MODE to these words for their own purposes. */
const WORDS_OF_TOOLS = ['development', 'production', 'test'];

const MODES = ['local', 'hosted'] as const;
export type Mode = (typeof MODES)[number];
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

export interface Needed {
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

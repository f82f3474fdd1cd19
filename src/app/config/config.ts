import type * as z from 'zod';
import networks from '../../../fixtures/networks.json';
import { QUOTA_NAMES, type QuotaName, type QuotaVariable, quotaVariable, type Roles } from '../../contract/tenancy.ts';
import { REFERENCE_NAMES } from '../../contract/vasps.ts';
import { ConfigError } from '../../kernel/program.ts';
import { readText } from '../../kernel/text-file.ts';
import { DEVELOPMENT_KEYS } from '../../screening/port.ts';
import * as settings from './settings.ts';

/** Variables whose value may stand in a file: `DATA_KEY_FILE` names the file of `DATA_KEY`. */
const IN_FILES = [
  'OPERATOR_KEY',
  'PUBLIC_URL',
  'DATA_KEY',
  'ROBOT_MNEMONIC',
  'XRPL_SEED',
  'ENCLAVE_KEY',
  'ENCLAVE_INVITATION',
  'ENCLAVE_TOKEN',
] as const;

type SecretFilesEnvironment = Readonly<Record<string, string | undefined>>;

/** Replaces each `…_FILE` by the content of its file, without the last line break. `unread`: those whose file cannot be read. */
function withFiles(env: SecretFilesEnvironment): {
  env: SecretFilesEnvironment;
  problems: string[];
  unread: Set<string>;
} {
  const values: Record<string, string | undefined> = { ...env };
  const problems: string[] = [];
  const unread = new Set<string>();
  for (const name of IN_FILES) {
    const path = env[`${name}_FILE`];
    if (path === undefined) continue;
    delete values[`${name}_FILE`];
    if (env[name] !== undefined) problems.push(`${name} and ${name}_FILE are both set`);
    else
      try {
        values[name] = readText(path, `${name}_FILE`).trimEnd();
      } catch (error) {
        unread.add(name);
        problems.push((error as Error).message);
      }
  }
  return { env: values, problems, unread };
}

/** The test networks of `fixtures/networks.json`. A network that is not listed is refused. D-29 */
export const ethereumNetwork = (chainId: number | undefined) =>
  networks.ethereum.find(network => network.chainId === chainId);

/** False: a development node of one's own. */
export const isPublicNetwork = (chainId: number | undefined): boolean =>
  typeof ethereumNetwork(chainId)?.explorer === 'string';

/** Network id 0 is not listed: only a stand-alone server may have it. */
export const xrplNetwork = (networkId: number | undefined) =>
  networks.xrpl.find(network => network.networkId === networkId);

/** D-29 */
const refusedNetwork = (variable: string, id: number): string =>
  `${variable} ${id} is no known test network: it is refused. If it is one, set ALLOW_NETWORK=${id}`;

/** Wallet secrets that everybody knows: for embedded chains of the local mode. */
export const DEVELOPMENT_MNEMONIC = 'include kitchen orange tribe student cost soccer aisle good close mercy glare';
export const DEVELOPMENT_SEED = 'sEdTtk2D4LZpcyeF99ijeNSv9R6dhhX';

export const DEFAULT_VASP_NAME = 'Tested VASP';

/** A variable of the environment, and what it may hold. */
interface Setting<N extends string = string, S extends z.ZodType = z.ZodType> {
  readonly variable: N;
  readonly schema: S;
}
const from = <const N extends string, S extends z.ZodType>(variable: N, schema: S): Setting<N, S> => ({
  variable,
  schema,
});

const VASP_TOKEN =
  'Set VEGA_VERIFICATION_AUTHORIZATION_TOKEN: it is sent in the header VEGA_VERIFICATION_AUTHORIZATION_KEY';

const QUOTAS = Object.fromEntries(
  QUOTA_NAMES.map(name => [name, from(quotaVariable(name), settings.quota(name))]),
) as unknown as { [N in QuotaName]: Setting<QuotaVariable, z.ZodType<number>> };

/** The configuration, each value with its variable. */
const SETTINGS = {
  port: from('PORT', settings.whole(0, 65_535).default(8080)),
  host: from('HOST', settings.text('127.0.0.1')),
  /** The address of the program for browsers. Undefined: the address of their request. */
  publicUrl: from('PUBLIC_URL', settings.endpoint('Everybody sees this address: leave the user out')),
  /** Hosts that requests may name beside the loopback names. */
  hosts: from('ALLOWED_HOSTS', settings.hosts),
  /** Of pages and browser extensions that may use the embedded chains. */
  origins: from('ALLOWED_ORIGINS', settings.origins),
  databasePath: from('DATABASE_PATH', settings.path('data/robot.sqlite')),
  /** Keys for the secrets in the database, the present one first. Undefined: a key in a file beside the database. */
  dataKeys: from('DATA_KEY', settings.dataKeys),
  /** Final verifications are deleted after this time. 0: never. */
  retentionMs: from('RETENTION', settings.retention()),
  vasp: {
    vaspId: from('VASP_ID', settings.vaspId('15952089931162058999')),
    name: from('VASP_NAME', settings.name(DEFAULT_VASP_NAME)),
    endpoints: {
      verifyUser: from('VEGA_VERIFICATION_API_PATH', settings.endpoint(VASP_TOKEN)),
      verifyAccount: from('VEGA_VERIFICATION_ACCOUNT_API_PATH', settings.endpoint(VASP_TOKEN)),
      transactionStatus: from('VEGA_VERIFICATION_TRANSACTION_API_PATH', settings.endpoint(VASP_TOKEN)),
      callback: from('VEGA_VERIFICATION_CALLBACK_API_PATH', settings.endpoint(VASP_TOKEN)),
    },
    authorization: {
      token: from('VEGA_VERIFICATION_AUTHORIZATION_TOKEN', settings.secret),
      header: from('VEGA_VERIFICATION_AUTHORIZATION_KEY', settings.tokenHeader('Authorization')),
    },
  },
  robot: {
    vaspId: from('ROBOT_VASP_ID', settings.vaspId('17104899575711300402')),
    name: from('ROBOT_NAME', settings.name('RobotVASP')),
  },
  ethereum: {
    /** In order of preference. Empty: the embedded development node. */
    urls: from('ETH_RPC_URL', settings.urls('http:', 'https:')),
    callsPerMinute: from('ETH_RPC_BUDGET', settings.whole(2, 1_000_000).optional()),
    chainId: from('ETH_CHAIN_ID', settings.whole(1, Number.MAX_SAFE_INTEGER).optional()),
    networkName: from('ETH_NETWORK_NAME', settings.optionalText),
    confirmations: from('ETH_CONFIRMATIONS', settings.confirmations),
    /** The most that is ever bid per gas. */
    maxFeeGwei: from('ETH_MAX_FEE_GWEI', settings.whole(1, 1_000_000).default(500)),
    /** Longest waiting time of a transaction before a higher bid replaces it. */
    stuckAfterMs: from('ETH_STUCK_AFTER', settings.duration('90s', 1_000)),
    blockTimeMs: from('ETH_BLOCK_TIME', settings.duration('0s')),
    mnemonic: from('ROBOT_MNEMONIC', settings.mnemonic.default(DEVELOPMENT_MNEMONIC)),
  },
  xrpl: {
    /** Undefined: the embedded ledger. */
    url: from('XRPL_URL', settings.url('ws:', 'wss:')),
    networkId: from('XRPL_NETWORK_ID', settings.whole(0, 4_294_967_295).optional()),
    closeIntervalMs: from('XRPL_CLOSE_INTERVAL', settings.duration('1s')),
    /** The most that is ever paid for one transaction. */
    maxFeeDrops: from('XRPL_MAX_FEE_DROPS', settings.whole(10, 100_000_000).default(2_000_000)),
    seed: from('XRPL_SEED', settings.seed.default(DEVELOPMENT_SEED)),
  },
  chainTimeoutMs: from('CHAIN_TIMEOUT', settings.duration('10s', 100)),
  chainPollMs: from('CHAIN_POLL_INTERVAL', settings.duration('4s', 10)),
  /** When a chain that could not be reached is tried again. */
  chainRetryMs: from('CHAIN_RETRY_INTERVAL', settings.duration('2s', 10)),
  /** When a chain that has announced nothing is read again. */
  chainRereadMs: from('CHAIN_REREAD_INTERVAL', settings.duration('5s', 10)),
  /** Undefined: the fixtures that come with the program. */
  fixturesPath: from('FIXTURES_PATH', settings.optionalText),
  /** REF-8 and D-17. */
  inquiry: {
    waitMs: from('INQUIRY_WAIT', settings.duration('10m')),
    intervalMs: from('INQUIRY_INTERVAL', settings.duration('5m', 1_000)),
    windowMs: from('INQUIRY_WINDOW', settings.duration('1h')),
  },
  /** WIRE-3: answer limits of a VASP. */
  timeoutMs: {
    verifyAccount: from('VASP_TIMEOUT_ACCOUNT', settings.duration('1s', 1)),
    verifyUser: from('VASP_TIMEOUT_USER', settings.duration('5s', 1)),
    transactionStatus: from('VASP_TIMEOUT_TRANSACTION', settings.duration('1s', 1)),
    callback: from('VASP_TIMEOUT_CALLBACK', settings.duration('1s', 1)),
  },
  /** Decimal text by currency: from this price on `isExceedingThreshold` has to be true. D-27 */
  thresholds: from('TRAVEL_RULE_THRESHOLDS', settings.amounts('KRW:1000000,USD:1000')),
  screening: {
    names: {
      a: from('PROVIDER_A_NAME', settings.providerName(REFERENCE_NAMES.a)),
      b: from('PROVIDER_B_NAME', settings.providerName(REFERENCE_NAMES.b)),
    },
    /** The provider keys of VASPs that have registered none. REF-5 */
    keys: {
      sanctionApiKey: from('PROVIDER_A_SANCTION_API_KEY', settings.text(DEVELOPMENT_KEYS.sanctionApiKey)),
      kytApiKey: from('PROVIDER_A_KYT_API_KEY', settings.text(DEVELOPMENT_KEYS.kytApiKey)),
      wcoApiKey: from('PROVIDER_B_WCO_API_KEY', settings.text(DEVELOPMENT_KEYS.wcoApiKey)),
      wcoGroupId: from('PROVIDER_B_WCO_GROUP_ID', settings.text(DEVELOPMENT_KEYS.wcoGroupId)),
    },
    /** Time that the simulated providers take for a result. */
    answerMs: from('PROVIDER_ANSWER_TIME', settings.duration('2s')),
  },
  reportSigningKey: from('REPORT_SIGNING_KEY', settings.optionalText),
  /** D-29 */
  allowNetwork: from('ALLOW_NETWORK', settings.networkIds),
  logLevel: from('LOG_LEVEL', settings.logLevel),
  /** The enclave that a robot without one of its own calls. */
  foreignEnclave: {
    url: from('ENCLAVE_URL', settings.baseUrl('Set ENCLAVE_KEY: the robot sends it')),
    key: from('ENCLAVE_KEY', settings.secret),
    invitation: from('ENCLAVE_INVITATION', settings.secret),
    /** What the enclave sends to the robot in `Authorization`. Undefined: a random one, which joining registers. */
    token: from('ENCLAVE_TOKEN', settings.secret),
    /** Where the enclave reaches the robot. Undefined: where it listens. */
    robotUrl: from('ROBOT_URL', settings.baseUrl('The enclave sends ENCLAVE_TOKEN: leave the user out')),
  },
  mode: from('MODE', settings.mode),
  /** SHA-256, hexadecimal. Undefined: there is no operator. */
  operatorKeyHash: from('OPERATOR_KEY', settings.operatorKey),
  registration: from('REGISTRATION', settings.registration),
  /** Stands in every API key, so that a proxy can choose the cell. */
  cell: from('CELL', settings.cell),
  /** Networks whose `X-Forwarded-…` headers count, as CIDR. */
  trustedProxies: from('TRUSTED_PROXIES', settings.cidrs),
  /** Networks that calls to VASPs may reach although they are special, as CIDR. */
  callbackAllow: from('CALLBACK_ALLOW', settings.cidrs),
  /** Calls to VASPs may use `http:`. */
  allowHttpCallbacks: from('ALLOW_HTTP_CALLBACKS', settings.flag),
  /** DNS servers for the names of VASPs, `ip` or `ip:port`. Empty: those of the system. */
  callbackDns: from('CALLBACK_DNS', settings.servers),
  /** Entries of the audit log are kept for this time. 0: for ever. */
  auditRetentionMs: from('AUDIT_RETENTION', settings.retention('365d')),
  quotas: QUOTAS,
};

type Leaf<T> = T extends Setting ? T : { [K in keyof T]: Leaf<T[K]> }[keyof T];
type Values<T> = T extends Setting<string, infer S> ? z.output<S> : { [K in keyof T]: Values<T[K]> };
type Environment = { [L in Leaf<typeof SETTINGS> as L['variable']]: z.output<L['schema']> };
export type Variable = keyof Environment;

interface Tree {
  readonly [name: string]: Setting | Tree;
}
const isSetting = (each: Setting | Tree): each is Setting => typeof each.variable === 'string';

const leavesOf = (tree: Tree, above: readonly string[] = []): (Setting<Variable> & { path: string })[] =>
  Object.entries(tree).flatMap(([name, each]) => {
    const path = [...above, name];
    return isSetting(each) ? [{ ...(each as Setting<Variable>), path: path.join('.') }] : leavesOf(each, path);
  });

/** Every setting, with its place in the configuration: `vasp.vaspId`. */
export const ALL_SETTINGS = leavesOf(SETTINGS);
export const VARIABLES = ALL_SETTINGS.map(({ variable }) => variable);
const NAMES = [...VARIABLES, ...IN_FILES.map(name => `${name}_FILE`)];

/** `joins`: the robot registers itself with an enclave of this program. */
interface ProcessRole {
  roles: Roles;
  joins: boolean;
}

export type Config = ReturnType<typeof shape>;

/**
 * Reads the environment. Throws `ConfigError` with one line per problem, and never repeats a value: it may be a secret. Empty
 * variables count as unset. `places`: the lines of a file that set them.
 */
export function loadConfig(
  env: Record<string, string | undefined>,
  role: ProcessRole = { roles: 'both', joins: false },
  places: Readonly<Record<string, string>> = {},
): Config {
  const set = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  const { env: present, problems, unread } = withFiles(settings.hostedDefaults(Object.fromEntries(set)));
  const good: Partial<Environment> = {};
  for (const { variable, schema } of ALL_SETTINGS) {
    if (unread.has(variable)) continue;
    const parsed = schema.safeParse(present[variable]);
    if (parsed.success) Object.assign(good, { [variable]: parsed.data });
    else problems.push(...parsed.error.issues.map(({ message }) => `${named(variable, places)} ${message}`));
  }
  problems.push(...problemsBetween(good), ...settings.misspelled(present, NAMES));
  problems.push(...foreignEnclaveProblems(good, role));
  if (problems.length > 0) throw new ConfigError(problems);
  return shape(good, role);
}

const named = (name: string, places: Readonly<Record<string, string>>): string =>
  places[name] === undefined ? name : `${name} (${places[name]})`;

/** Problems that only two settings together make; what is wrong by itself is absent here. */
function problemsBetween(env: Partial<Environment>): string[] {
  const problems: string[] = [];
  if (env.VASP_ID !== undefined && env.VASP_ID === env.ROBOT_VASP_ID)
    problems.push('VASP_ID and ROBOT_VASP_ID are the same');
  if (env.PROVIDER_A_NAME !== undefined && env.PROVIDER_A_NAME === env.PROVIDER_B_NAME)
    problems.push('PROVIDER_A_NAME and PROVIDER_B_NAME are the same');
  const { ETH_CHAIN_ID: chainId, XRPL_NETWORK_ID: networkId = 0, ALLOW_NETWORK: allowed = [] } = env;
  if (chainId !== undefined && !ethereumNetwork(chainId) && !allowed.includes(chainId))
    problems.push(refusedNetwork('ETH_CHAIN_ID', chainId));
  if (networkId !== 0 && !xrplNetwork(networkId) && !allowed.includes(networkId))
    problems.push(refusedNetwork('XRPL_NETWORK_ID', networkId));
  if (env.ETH_RPC_URL?.length && env.ROBOT_MNEMONIC === DEVELOPMENT_MNEMONIC)
    problems.push('ROBOT_MNEMONIC must be your own as soon as ETH_RPC_URL is set; the development value is public');
  if (env.XRPL_URL && env.XRPL_SEED === DEVELOPMENT_SEED)
    problems.push('XRPL_SEED must be your own as soon as XRPL_URL is set; the development value is public');
  if (env.ETH_RPC_URL?.length && 'ETH_CHAIN_ID' in env && env.ETH_CHAIN_ID === undefined)
    problems.push('ETH_CHAIN_ID must say which chain ETH_RPC_URL is');
  if (env.XRPL_URL && 'XRPL_NETWORK_ID' in env && env.XRPL_NETWORK_ID === undefined)
    problems.push('XRPL_NETWORK_ID must say which network XRPL_URL is');
  if ((env.ETH_BLOCK_TIME ?? 0) % 1000 !== 0) problems.push('ETH_BLOCK_TIME is not in whole seconds');
  problems.push(...hostedProblems(env));
  return problems;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The variables that the hosted mode needs. A variable with a problem of its own is absent in `env`. */
function hostedProblems(env: Partial<Environment>): string[] {
  if (env.MODE !== 'hosted') return [];
  const problems: string[] = [];
  if ('OPERATOR_KEY' in env && env.OPERATOR_KEY === undefined)
    problems.push('OPERATOR_KEY is missing: MODE=hosted needs a secret of at least 32 characters');
  if ('PUBLIC_URL' in env) problems.push(...publicUrlProblems(env.PUBLIC_URL));
  if ('DATA_KEY' in env && env.DATA_KEY === undefined)
    problems.push('DATA_KEY is missing: MODE=hosted needs 32 random bytes, in base64 or hexadecimal');
  if (env.DATA_KEY?.some(key => !settings.isDataKey(key) || /^(.)\1*=?$/.test(key)))
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

function foreignEnclaveProblems(env: Partial<Environment>, { roles, joins }: ProcessRole): string[] {
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

const URL_CONFIRMATIONS = 3; // D-30

function valuesOf<T extends Tree>(tree: T, env: Partial<Environment>): Values<T> {
  const values = Object.entries(tree).map(([name, each]) => [
    name,
    isSetting(each) ? env[each.variable as Variable] : valuesOf(each, env),
  ]);
  return Object.fromEntries(values) as Values<T>;
}

function shape(env: Partial<Environment>, { roles, joins }: ProcessRole) {
  const { ethereum, xrpl, foreignEnclave, ...others } = valuesOf(SETTINGS, env);
  const confirmations = ethereum.confirmations ?? (ethereum.urls.length > 0 ? URL_CONFIRMATIONS : 1);
  return {
    roles,
    ...others,
    foreignEnclave: { ...foreignEnclave, joins },
    /** `faucetMnemonic`: of the embedded chain's faucet. Undefined: a phrase that is public. */
    ethereum: { ...ethereum, confirmations, faucetMnemonic: undefined as string | undefined },
    /** `faucetSeed`: of the embedded ledger's faucet. Undefined: the genesis account, whose key is public. */
    xrpl: { ...xrpl, faucetSeed: undefined as string | undefined },
  };
}

/**
 * Checks the checksums of mnemonic and seed, because a mistyped key may be another valid-looking key, and whether the key
 * of certificates can be read. Throws `ConfigError`. Not part of config.ts: this check loads the word list. The
 * development keys need no check.
 */
export async function verifyKeys({ ethereum, xrpl, reportSigningKey }: Config): Promise<void> {
  const problems: string[] = [];
  if (ethereum.mnemonic !== DEVELOPMENT_MNEMONIC) {
    const { isMnemonic } = await import('../../chains/ethereum/mnemonic.ts');
    if (!isMnemonic(ethereum.mnemonic))
      problems.push('ROBOT_MNEMONIC has a mistyped word, or the words are in another order (BIP-39)');
  }
  if (xrpl.seed !== DEVELOPMENT_SEED) {
    const { isSeed } = await import('../../chains/xrpl/wallet.ts');
    if (!isSeed(xrpl.seed)) problems.push('XRPL_SEED is mistyped: its checksum is wrong');
  }
  if (reportSigningKey !== undefined) {
    const { signingKey } = await import('../../plans/report/signing-key.ts');
    await signingKey(reportSigningKey, undefined).catch(({ message }: Error) => problems.push(message));
  }
  if (problems.length > 0) throw new ConfigError(problems);
}

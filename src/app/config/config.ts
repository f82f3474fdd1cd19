import * as z from 'zod';
import networks from '../../../fixtures/networks.json';
import { REFERENCE_NAMES, TOKEN } from '../../contract/vasps.ts';
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

/** D-29: one problem for each id that is not listed, unless `allowed` holds it. */
function refusedNetworks(
  allowed: readonly number[] = [],
  ids: { ETH_CHAIN_ID: number | undefined; XRPL_NETWORK_ID: number | undefined },
): string[] {
  const isListed = {
    ETH_CHAIN_ID: (id: number) => ethereumNetwork(id) !== undefined,
    XRPL_NETWORK_ID: (id: number) => id === 0 || xrplNetwork(id) !== undefined,
  };
  return (['ETH_CHAIN_ID', 'XRPL_NETWORK_ID'] as const).flatMap(variable => {
    const id = ids[variable];
    if (id === undefined || isListed[variable](id) || allowed.includes(id)) return [];
    return [`${variable} ${id} is no known test network: it is refused. If it is one, set ALLOW_NETWORK=${id}`];
  });
}

/** Wallet secrets that everybody knows: for embedded chains of the local mode. */
export const DEVELOPMENT_MNEMONIC = 'include kitchen orange tribe student cost soccer aisle good close mercy glare';
export const DEVELOPMENT_SEED = 'sEdTtk2D4LZpcyeF99ijeNSv9R6dhhX';

/** Reads the environment. Reports every problem at once and never repeats a value: it may be a secret. */

const VASP_TOKEN =
  'Set VEGA_VERIFICATION_AUTHORIZATION_TOKEN: it is sent in the header VEGA_VERIFICATION_AUTHORIZATION_KEY';

const Environment = z.object({
  PORT: settings.whole(0, 65_535).default(8080),
  HOST: settings.text('127.0.0.1'),
  PUBLIC_URL: settings.endpoint('Everybody sees this address: leave the user out'),
  ALLOWED_HOSTS: settings.hosts(),
  ALLOWED_ORIGINS: settings.origins(),
  DATABASE_PATH: settings.text('data/robot.sqlite'),
  DATA_KEY: settings.dataKeys(),
  RETENTION: settings.retention(),
  VASP_ID: settings.vaspId('15952089931162058999'),
  VASP_NAME: settings.text('Tested VASP'),
  VEGA_VERIFICATION_API_PATH: settings.endpoint(VASP_TOKEN),
  VEGA_VERIFICATION_ACCOUNT_API_PATH: settings.endpoint(VASP_TOKEN),
  VEGA_VERIFICATION_TRANSACTION_API_PATH: settings.endpoint(VASP_TOKEN),
  VEGA_VERIFICATION_CALLBACK_API_PATH: settings.endpoint(VASP_TOKEN),
  VEGA_VERIFICATION_AUTHORIZATION_TOKEN: z
    .string()
    .regex(TOKEN, 'has other characters than printable ASCII')
    .optional(),
  VEGA_VERIFICATION_AUTHORIZATION_KEY: settings.tokenHeader('Authorization'),
  ROBOT_VASP_ID: settings.vaspId('17104899575711300402'),
  ROBOT_NAME: settings.text('RobotVASP'),
  ETH_RPC_URL: settings.urls('http:', 'https:'),
  ETH_RPC_BUDGET: settings.whole(2, 1_000_000).optional(),
  ETH_CHAIN_ID: settings.whole(1, Number.MAX_SAFE_INTEGER).optional(),
  ETH_NETWORK_NAME: settings.optionalText,
  ETH_CONFIRMATIONS: settings.confirmations(),
  ETH_MAX_FEE_GWEI: settings.whole(1, 1_000_000).default(500),
  ETH_STUCK_AFTER: settings.duration('90s', 1_000),
  ETH_BLOCK_TIME: settings.duration('0s'),
  XRPL_URL: settings.url('ws:', 'wss:'),
  XRPL_NETWORK_ID: settings.whole(0, 4_294_967_295).optional(),
  XRPL_CLOSE_INTERVAL: settings.duration('1s'),
  XRPL_MAX_FEE_DROPS: settings.whole(10, 100_000_000).default(2_000_000),
  CHAIN_TIMEOUT: settings.duration('10s', 100),
  CHAIN_POLL_INTERVAL: settings.duration('4s', 10),
  CHAIN_RETRY_INTERVAL: settings.duration('2s', 10),
  CHAIN_REREAD_INTERVAL: settings.duration('5s', 10),
  ROBOT_MNEMONIC: z
    .string()
    .transform(settings.words)
    .pipe(z.string().regex(/^(?:[a-z]+ ){11}(?:(?:[a-z]+ ){3}){0,4}[a-z]+$/, 'is not 12 to 24 words'))
    .default(DEVELOPMENT_MNEMONIC),
  XRPL_SEED: z
    .string()
    .regex(/^s[1-9A-HJ-NP-Za-km-z]{20,40}$/, 'is not a seed of the XRP Ledger')
    .default(DEVELOPMENT_SEED),
  FIXTURES_PATH: settings.optionalText,
  INQUIRY_WAIT: settings.duration('10m'),
  INQUIRY_INTERVAL: settings.duration('5m', 1_000),
  INQUIRY_WINDOW: settings.duration('1h'),
  VASP_TIMEOUT_ACCOUNT: settings.duration('1s', 1),
  VASP_TIMEOUT_USER: settings.duration('5s', 1),
  VASP_TIMEOUT_TRANSACTION: settings.duration('1s', 1),
  VASP_TIMEOUT_CALLBACK: settings.duration('1s', 1),
  TRAVEL_RULE_THRESHOLDS: settings.amounts('KRW:1000000,USD:1000'),
  PROVIDER_A_NAME: settings.providerName(REFERENCE_NAMES.a),
  PROVIDER_B_NAME: settings.providerName(REFERENCE_NAMES.b),
  PROVIDER_A_SANCTION_API_KEY: settings.text(DEVELOPMENT_KEYS.sanctionApiKey),
  PROVIDER_A_KYT_API_KEY: settings.text(DEVELOPMENT_KEYS.kytApiKey),
  PROVIDER_B_WCO_API_KEY: settings.text(DEVELOPMENT_KEYS.wcoApiKey),
  PROVIDER_B_WCO_GROUP_ID: settings.text(DEVELOPMENT_KEYS.wcoGroupId),
  PROVIDER_ANSWER_TIME: settings.duration('2s'),
  REPORT_SIGNING_KEY: settings.optionalText,
  ALLOW_NETWORK: z
    .string()
    .regex(/^\d{1,15}(,\d{1,15})*$/, 'is not a list of network ids, separated by commas')
    .transform(text => text.split(',').map(Number))
    .default([]),
  LOG_LEVEL: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'], {
      error: 'is none of `silent`, `error`, `warn`, `info` and `debug`',
    })
    .default('info'),
  ...settings.FOREIGN_ENCLAVE_VARIABLES,
  ...settings.HOSTED_VARIABLES,
});
type Environment = z.infer<typeof Environment>;
export type Variable = keyof Environment;
export const VARIABLES = Object.keys(Environment.shape) as Variable[];
const NAMES = [...VARIABLES, ...IN_FILES.map(name => `${name}_FILE`)];

export type Config = ReturnType<typeof shape>;

/** Throws `ConfigError` with one line per problem. Empty variables count as unset. `places`: the lines of a file that set them. */
export function loadConfig(
  env: Record<string, string | undefined>,
  role: settings.ProcessRole = { roles: 'both', joins: false },
  places: Readonly<Record<string, string>> = {},
): Config {
  const set = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  const { env: present, problems, unread } = withFiles(settings.hostedDefaults(Object.fromEntries(set)));
  const good: Partial<Environment> = {};
  for (const [name, setting] of Object.entries(Environment.shape)) {
    if (unread.has(name)) continue;
    const parsed = setting.safeParse(present[name]);
    if (parsed.success) Object.assign(good, { [name]: parsed.data });
    else problems.push(...parsed.error.issues.map(({ message }) => `${named(name, places)} ${message}`));
  }
  problems.push(...problemsBetween(good), ...settings.misspelled(present, NAMES));
  problems.push(...settings.foreignEnclaveProblems(good, role));
  if (problems.length > 0) throw new ConfigError(problems);
  return shape(good as Environment, role);
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
  problems.push(
    ...refusedNetworks(env.ALLOW_NETWORK, { ETH_CHAIN_ID: env.ETH_CHAIN_ID, XRPL_NETWORK_ID: env.XRPL_NETWORK_ID }),
  );
  if (env.ETH_RPC_URL && env.ROBOT_MNEMONIC === DEVELOPMENT_MNEMONIC)
    problems.push('ROBOT_MNEMONIC must be your own as soon as ETH_RPC_URL is set; the development value is public');
  if (env.XRPL_URL && env.XRPL_SEED === DEVELOPMENT_SEED)
    problems.push('XRPL_SEED must be your own as soon as XRPL_URL is set; the development value is public');
  if (env.ETH_RPC_URL && 'ETH_CHAIN_ID' in env && env.ETH_CHAIN_ID === undefined)
    problems.push('ETH_CHAIN_ID must say which chain ETH_RPC_URL is');
  if (env.XRPL_URL && 'XRPL_NETWORK_ID' in env && env.XRPL_NETWORK_ID === undefined)
    problems.push('XRPL_NETWORK_ID must say which network XRPL_URL is');
  if ((env.ETH_BLOCK_TIME ?? 0) % 1000 !== 0) problems.push('ETH_BLOCK_TIME is not in whole seconds');
  problems.push(...settings.hostedProblems(env));
  return problems;
}

const URL_CONFIRMATIONS = 3; // D-30

const chainConfig = (env: Environment) => ({
  ethereum: {
    /** In order of preference. Empty: the embedded development node. */
    urls: env.ETH_RPC_URL ?? [],
    chainId: env.ETH_CHAIN_ID,
    networkName: env.ETH_NETWORK_NAME,
    confirmations: env.ETH_CONFIRMATIONS ?? (env.ETH_RPC_URL ? URL_CONFIRMATIONS : 1),
    callsPerMinute: env.ETH_RPC_BUDGET,
    /** The most that is ever bid per gas. */
    maxFeeGwei: env.ETH_MAX_FEE_GWEI,
    /** Longest waiting time of a transaction before a higher bid replaces it. */
    stuckAfterMs: env.ETH_STUCK_AFTER,
    blockTimeMs: env.ETH_BLOCK_TIME,
    mnemonic: env.ROBOT_MNEMONIC,
    /** Of the embedded chain's faucet. Undefined: a phrase that is public. */
    faucetMnemonic: undefined as string | undefined,
  },
  xrpl: {
    /** Undefined: the embedded ledger. */
    url: env.XRPL_URL,
    networkId: env.XRPL_NETWORK_ID,
    closeIntervalMs: env.XRPL_CLOSE_INTERVAL,
    /** The most that is ever paid for one transaction. */
    maxFeeDrops: env.XRPL_MAX_FEE_DROPS,
    seed: env.XRPL_SEED,
    /** Of the embedded ledger's faucet. Undefined: the genesis account, whose key is public. */
    faucetSeed: undefined as string | undefined,
  },
  /** D-29 */
  allowNetwork: env.ALLOW_NETWORK,
  chainTimeoutMs: env.CHAIN_TIMEOUT,
  chainPollMs: env.CHAIN_POLL_INTERVAL,
  /** When a chain that could not be reached is tried again. */
  chainRetryMs: env.CHAIN_RETRY_INTERVAL,
  /** When a chain that has announced nothing is read again. */
  chainRereadMs: env.CHAIN_REREAD_INTERVAL,
});

const screeningConfig = (env: Environment) => ({
  names: { a: env.PROVIDER_A_NAME, b: env.PROVIDER_B_NAME },
  /** The provider keys of VASPs that have registered none. REF-5 */
  keys: {
    sanctionApiKey: env.PROVIDER_A_SANCTION_API_KEY,
    kytApiKey: env.PROVIDER_A_KYT_API_KEY,
    wcoApiKey: env.PROVIDER_B_WCO_API_KEY,
    wcoGroupId: env.PROVIDER_B_WCO_GROUP_ID,
  },
  /** Time that the simulated providers take for a result. */
  answerMs: env.PROVIDER_ANSWER_TIME,
});

const shape = (env: Environment, role: settings.ProcessRole) => ({
  roles: role.roles,
  /** The enclave that a robot without one of its own calls. */
  foreignEnclave: settings.foreignEnclaveConfig(env, role),
  port: env.PORT,
  host: env.HOST,
  /** The address of the program for browsers. Undefined: the address of their request. */
  publicUrl: env.PUBLIC_URL,
  /** Hosts that requests may name beside the loopback names. */
  hosts: env.ALLOWED_HOSTS,
  /** Of pages and browser extensions that may use the embedded chains. */
  origins: env.ALLOWED_ORIGINS,
  databasePath: env.DATABASE_PATH,
  /** Keys for the secrets in the database, the present one first. Undefined: a key in a file beside the database. */
  dataKeys: env.DATA_KEY,
  /** Final verifications are deleted after this time. 0: never. */
  retentionMs: env.RETENTION,
  vasp: {
    vaspId: env.VASP_ID,
    name: env.VASP_NAME,
    endpoints: {
      verifyUser: env.VEGA_VERIFICATION_API_PATH,
      verifyAccount: env.VEGA_VERIFICATION_ACCOUNT_API_PATH,
      transactionStatus: env.VEGA_VERIFICATION_TRANSACTION_API_PATH,
      callback: env.VEGA_VERIFICATION_CALLBACK_API_PATH,
    },
    authorization: {
      header: env.VEGA_VERIFICATION_AUTHORIZATION_KEY,
      token: env.VEGA_VERIFICATION_AUTHORIZATION_TOKEN,
    },
  },
  robot: { vaspId: env.ROBOT_VASP_ID, name: env.ROBOT_NAME },
  ...chainConfig(env),
  /** Undefined: the fixtures that come with the program. */
  fixturesPath: env.FIXTURES_PATH,
  /** REF-8 and D-17. */
  inquiry: { waitMs: env.INQUIRY_WAIT, intervalMs: env.INQUIRY_INTERVAL, windowMs: env.INQUIRY_WINDOW },
  /** WIRE-3: answer limits of a VASP. */
  timeoutMs: {
    verifyAccount: env.VASP_TIMEOUT_ACCOUNT,
    verifyUser: env.VASP_TIMEOUT_USER,
    transactionStatus: env.VASP_TIMEOUT_TRANSACTION,
    callback: env.VASP_TIMEOUT_CALLBACK,
  },
  /** Decimal text by currency: from this price on `isExceedingThreshold` has to be true. D-27 */
  thresholds: env.TRAVEL_RULE_THRESHOLDS,
  screening: screeningConfig(env),
  reportSigningKey: env.REPORT_SIGNING_KEY,
  logLevel: env.LOG_LEVEL,
  ...settings.hostedConfig(env),
});

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

/** Limits for one VASP in hosted mode. The operator changes them for all by variables, and for one VASP by request. */

export interface QuotaRule {
  readonly variable: string;
  readonly default: number;
  /** For people; it continues "at most". */
  readonly meaning: string;
  /** It may have decimals: an amount of an asset. */
  readonly isAmount?: true;
}

export const QUOTA_RULES = {
  requestsPerSecond: {
    variable: 'QUOTA_REQUESTS_PER_SECOND',
    default: 50,
    meaning: 'requests per second with one key',
  },
  burst: { variable: 'QUOTA_BURST', default: 100, meaning: 'requests at once with one key' },
  verificationsPerDay: {
    variable: 'QUOTA_VERIFICATIONS_PER_DAY',
    default: 10_000,
    meaning: 'verifications per day',
  },
  verificationsKept: {
    variable: 'QUOTA_VERIFICATIONS_KEPT',
    default: 100_000,
    meaning: 'verifications kept',
  },
  keys: { variable: 'QUOTA_KEYS', default: 100, meaning: 'keys' },
  users: { variable: 'QUOTA_USERS', default: 1_000, meaning: 'users' },
  faults: { variable: 'QUOTA_FAULTS', default: 200, meaning: 'faults' },
  streams: { variable: 'QUOTA_STREAMS', default: 20, meaning: 'event streams at once' },
  webSockets: { variable: 'QUOTA_WEB_SOCKETS', default: 100, meaning: 'WebSockets at once' },
  mailboxWaits: {
    variable: 'QUOTA_MAILBOX_WAITS',
    default: 20,
    meaning: 'waiting reads of the mailbox at once',
  },
  runs: { variable: 'QUOTA_RUNS', default: 5, meaning: 'conformance runs at once' },
  callbacksInFlight: {
    variable: 'QUOTA_CALLBACKS_IN_FLIGHT',
    default: 20,
    meaning: 'callbacks in flight',
  },
  faucetEth: {
    variable: 'QUOTA_FAUCET_ETH',
    default: 100,
    meaning: 'ETH per day from the faucet',
    isAmount: true,
  },
  faucetXrp: {
    variable: 'QUOTA_FAUCET_XRP',
    default: 10_000,
    meaning: 'XRP per day from the faucet',
    isAmount: true,
  },
  chainGasPerDay: {
    variable: 'QUOTA_CHAIN_GAS_PER_DAY',
    default: 300_000_000,
    meaning: 'gas per day of transactions sent to the embedded Ethereum chain',
  },
  chainBytesPerDay: {
    variable: 'QUOTA_CHAIN_BYTES_PER_DAY',
    default: 4_000_000,
    meaning: 'bytes per day of transactions sent to the embedded chains',
  },
  registrationsPerHour: {
    variable: 'QUOTA_REGISTRATIONS_PER_HOUR',
    default: 5,
    meaning: 'registrations per hour from one address',
  },
} as const satisfies Record<string, QuotaRule>;

export type QuotaName = keyof typeof QUOTA_RULES;
export type Quotas = Readonly<Record<QuotaName, number>>;
export const QUOTA_NAMES = Object.keys(QUOTA_RULES) as QuotaName[];
export const MAX_QUOTA = 1_000_000_000;

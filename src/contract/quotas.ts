/** Limits for one VASP in hosted mode. The operator changes them for all by variables, and for one VASP by request. */

export interface QuotaRule {
  readonly default: number;
  /** For people; it continues "at most". */
  readonly meaning: string;
  /** It may have decimals: an amount of an asset. */
  readonly isAmount?: true;
}

export const QUOTA_RULES = {
  requestsPerSecond: { default: 50, meaning: 'requests per second with one key' },
  burst: { default: 100, meaning: 'requests at once with one key' },
  verificationsPerDay: { default: 10_000, meaning: 'verifications per day' },
  reportsPerDay: { default: 10_000, meaning: 'reports per day to other VASPs' },
  verificationsKept: { default: 100_000, meaning: 'verifications kept' },
  keys: { default: 100, meaning: 'keys' },
  users: { default: 1_000, meaning: 'users' },
  faults: { default: 200, meaning: 'faults' },
  streams: { default: 20, meaning: 'event streams at once' },
  webSockets: { default: 100, meaning: 'WebSockets at once' },
  mailboxWaits: { default: 20, meaning: 'waiting reads of the mailbox at once' },
  runs: { default: 5, meaning: 'conformance runs at once' },
  callbacksInFlight: { default: 20, meaning: 'callbacks in flight' },
  faucetEth: { default: 100, meaning: 'ETH per day from the faucet', isAmount: true },
  faucetXrp: { default: 10_000, meaning: 'XRP per day from the faucet', isAmount: true },
  chainGasPerDay: { default: 300_000_000, meaning: 'gas per day of transactions sent to the embedded Ethereum chain' },
  chainBytesPerDay: { default: 4_000_000, meaning: 'bytes per day of transactions sent to the embedded chains' },
  registrationsPerHour: { default: 5, meaning: 'registrations per hour from one address' },
} as const satisfies Record<string, QuotaRule>;

export type QuotaName = keyof typeof QUOTA_RULES;
export type Quotas = Readonly<Record<QuotaName, number>>;
export const QUOTA_NAMES = Object.keys(QUOTA_RULES) as QuotaName[];
export const MAX_QUOTA = 1_000_000_000;

/** `requestsPerSecond` -> `REQUESTS_PER_SECOND` */
type UpperWords<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? Uppercase<First> : `_${First}`}${UpperWords<Rest>}`
  : S;
export type QuotaVariable = `QUOTA_${UpperWords<QuotaName>}`;
export const quotaVariable = (name: QuotaName): QuotaVariable =>
  `QUOTA_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}` as QuotaVariable;

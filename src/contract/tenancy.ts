/** The guard of tenancy: what belongs to a VASP cannot be read without that VASP. It does not compile. */

declare const CALLER: unique symbol;
declare const SCOPED: unique symbol;

/** The vaspId of the VASP that calls. Every read for a VASP takes it; a vaspId of a path or a body does not fit. */
export type CallerId = string & { readonly [CALLER]: true };

/** An identifier that a read for a caller has returned. What hangs on it belongs to that caller. */
export type Scoped<Id extends string | number> = Id & { readonly [SCOPED]: true };

/** For those who decide who calls, and for work that no VASP asks for. The architecture test names them. */
export const asCaller = (vaspId: string): CallerId => vaspId as CallerId;

/** For the control of the enclave and of the robot: `row` was read for a caller, and `id` names its identifier. */
export const scopedRow =
  <K extends string>(_id: K) =>
  <Row extends Record<K, string | number>>(row: Row) =>
    row as Row & { [P in K]: Scoped<Row[P]> };

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
  mailboxWaits: { default: 20, meaning: 'waiting reads of the mailbox and of runs at once' },
  runs: { default: 5, meaning: 'test runs at once' },
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

/** What a VASP may that has registered itself without an invitation, where the operator allows it. */
export const TRIAL = {
  lastsMs: 7 * 86_400_000,
  /** From one network of addresses (/24, /64) in 24 hours. */
  perNetwork: 3,
  atOnce: 200,
  /** Its quotas are this part of the configured ones, but for `WHOLE_QUOTAS`. */
  part: 1 / 10,
} as const;

/** A trial plays the plans as every other VASP: they have times to keep, and need money. */
export const WHOLE_QUOTAS: readonly QuotaName[] = ['requestsPerSecond', 'burst', 'faucetEth', 'faucetXrp'];

/** Whole numbers stay whole, and what is allowed stays allowed. */
export const trialQuotas = (quotas: Quotas): Quotas =>
  Object.fromEntries(
    Object.entries(quotas).map(([name, quota]) => [
      name,
      WHOLE_QUOTAS.includes(name as QuotaName) ? quota : Math.ceil(quota * TRIAL.part),
    ]),
  ) as unknown as Quotas;

/** The roles of a process. One process has both (`serve`), or only one. */
export const ROLES = ['enclave', 'robot'] as const;
export type Role = (typeof ROLES)[number];
export type Roles = Role | 'both';

export const hasRole = (roles: Roles, role: Role): boolean => roles === 'both' || roles === role;

/** The processes that serve a thing: every one, those with this role, or only those with both. */
export type ServedBy = Roles | 'all';

export const serves = (servedBy: ServedBy, roles: Roles): boolean =>
  servedBy === 'all' || servedBy === roles || roles === 'both';

/** Says which process serves what is not served here. */
export const NOT_SERVED: Record<Exclude<ServedBy, 'all'>, string> = {
  enclave: 'This process is a robot without an enclave. The enclave has this address.',
  robot: 'This process is an enclave without a robot. The robot has this address (`robot-vasp robot`).',
  both: 'This process has only one role. `robot-vasp serve` has this address: it runs enclave and robot.',
};

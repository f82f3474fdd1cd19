import * as z from 'zod';
import { CALLS, type CallName } from '../contract/calls.ts';
import { Refusal, refusals } from '../contract/refusals.ts';
import {
  asCaller,
  type CallerId,
  QUOTA_NAMES,
  QUOTA_RULES,
  type QuotaName,
  type Quotas,
  trialQuotas,
} from '../contract/tenancy.ts';
import { named, VaspId } from '../contract/text.ts';
import { Timestamp } from '../contract/time.ts';
import { isClosing } from '../db/closing.ts';
import { type Tx, write } from '../db/transaction.ts';
import { calls, control, type Endpoint, type EndpointInput } from '../http/endpoint.ts';
import type { EventStream } from '../http/event-stream.ts';
import { toIso } from '../kernel/clock.ts';
import { add, decimalText, isAtLeast } from '../kernel/decimal.ts';
import { tally } from '../kernel/rate-limit.ts';
import { limitPerKey } from '../kernel/turns.ts';
import type { Sending } from '../sandbox/deps.ts';
import type { TenantsDeps } from './deps.ts';
import { isOver } from './store.ts';

/** What the quotas of a VASP take, and their use. */

/** The quotas of a VASP: its own, and those of the configuration. */
export const quotasOf = ({ settings, tenants, trials }: TenantsDeps, vaspId: string): Quotas => ({
  ...(trials.find(vaspId) ? trialQuotas(settings.quotas) : settings.quotas),
  ...tenants.quotasOf(vaspId),
});

/** Quotas that count what was used on this UTC day. */
export const DAILY: readonly QuotaName[] = [
  'verificationsPerDay',
  'reportsPerDay',
  'faucetEth',
  'faucetXrp',
  'chainGasPerDay',
  'chainBytesPerDay',
];

const SOON_S = 10;

/** Throws `Refusal` quota-exceeded when `adding` more are too many. `used`: now, or today. Amounts are decimal text. */
export function requireRoom(
  deps: TenantsDeps,
  vaspId: string,
  quota: QuotaName,
  { used, adding = 1 }: { used: number | string; adding?: number | string },
): void {
  const allowed = quotasOf(deps, vaspId)[quota];
  if (isAtLeast(decimalText(allowed), add(`${used}`, `${adding}`))) return;
  const limit = `${quota} (${allowed} ${QUOTA_RULES[quota].meaning}, ${used} used)`;
  if (!DAILY.includes(quota)) throw refusals.quotaExceeded(limit, FREES[quota] ?? FREES_LATER, SOON_S);
  const freesAt = deps.usage.freesAt();
  const waitS = Math.ceil((freesAt - deps.now()) / 1_000);
  throw refusals.quotaExceeded(limit, `It frees at ${toIso(freesAt)}.`, waitS);
}

const FREES_LATER = 'It frees when one of them ends.';
const FREES: Partial<Record<QuotaName, string>> = {
  verificationsKept: 'It frees when old verifications are deleted: by retention or by a reset.',
  keys: 'It frees when a key is revoked or expires.',
  users: 'It frees with DELETE /sandbox/v1/users.',
  faults: 'It frees when a fault is removed.',
};

/** Spends a daily quota in the transaction of what it pays for. Returns what gives it back. Throws `Refusal` quota-exceeded. */
export function spend(deps: TenantsDeps, tx: Tx, vaspId: string, quota: QuotaName, adding: string): (tx: Tx) => void {
  requireRoom(deps, vaspId, quota, { used: deps.usage.usedToday(vaspId, quota), adding });
  return deps.usage.spend(tx, vaspId, quota, adding);
}

export const usageEndpoints = (deps: TenantsDeps): Endpoint[] => [
  control(usageCalls.usage, {
    summary: 'Read the use of the quotas of this VASP',
    run: (_, vaspId) => ({
      vaspId,
      name: deps.sandbox.enclave.vaspName(vaspId),
      trialEndsAt: trialEndOf(deps, vaspId),
      quotas: readQuotas(deps, vaspId),
    }),
  }),
];

/** What is about to be added. It may replace something. */
interface Adding {
  params: Readonly<Record<string, string>>;
  body: Readonly<Record<string, unknown>> | undefined;
}

/** The present use of a quota by a VASP, without what `adding` replaces. */
export function currentUse(
  { sandbox, keys, usage, now }: TenantsDeps,
  vaspId: string,
  quota: QuotaName,
  adding?: Adding,
): number {
  const caller = asCaller(vaspId);
  switch (quota) {
    case 'keys':
      return keys.ofVasp(vaspId).filter(key => !isOver(key, now())).length;
    case 'users':
      return sandbox.robot.countAddedUsers(caller, adding?.params.userId);
    case 'faults':
      return sandbox.faults.active(caller, adding && faultIn(adding)).length;
    case 'runs':
      return sandbox.runs.list(caller).filter(({ endedAt }) => endedAt === null).length;
    case 'verificationsKept':
      return sandbox.enclave.countOrdered(caller);
    default:
      return Number(usage.usedToday(vaspId, quota));
  }
}

type Fault = NonNullable<Parameters<TenantsDeps['sandbox']['faults']['active']>[1]>;

const faultIn = ({ body }: Adding): Fault => ({ verificationUuid: null, ...body }) as unknown as Fault;

const COUNTED: readonly QuotaName[] = [...DAILY, 'verificationsKept', 'keys', 'users', 'faults', 'runs'];

export function readQuotas(deps: TenantsDeps, vaspId: string) {
  const limits = quotasOf(deps, vaspId);
  const freesAt = toIso(deps.usage.freesAt());
  const uses = QUOTA_NAMES.map(name => {
    const used = COUNTED.includes(name) ? currentUse(deps, vaspId, name) : null;
    return [name, { limit: limits[name], used, freesAt: DAILY.includes(name) ? freesAt : null }] as const;
  });
  return Object.fromEntries(uses) as Record<QuotaName, (typeof uses)[number][1]>;
}

/** null: the VASP stays. */
export function trialEndOf({ trials }: Pick<TenantsDeps, 'trials'>, vaspId: string): string | null {
  const trial = trials.find(vaspId);
  return trial ? toIso(trial.endsAt) : null;
}

const QuotaUse = named('QuotaUse', {
  limit: z.number(),
  used: z.number().nullable().describe('null: it is not counted up.'),
  freesAt: Timestamp.nullable().describe('When a daily quota begins again.'),
});
export const QuotaUses = named(
  'QuotaUses',
  Object.fromEntries(QUOTA_NAMES.map(name => [name, QuotaUse])) as Record<QuotaName, typeof QuotaUse>,
);
export const trialEndsAt = Timestamp.nullable().describe(
  'The end of a trial that nobody claims. null: it is no trial.',
);
const UsageResponse = named('UsageResponse', 'The use of its quotas by this VASP.', {
  vaspId: VaspId,
  name: z.string(),
  trialEndsAt,
  quotas: QuotaUses,
});

export const usageCalls = calls({ usage: { response: UsageResponse } });

/** The quotas of the endpoints: one place that refuses what is too much. */

interface Input extends EndpointInput<Record<string, unknown> | undefined, Record<string, unknown>> {}
type Run = (input: Input, caller: CallerId) => unknown;
/** Wraps the `run` of an endpoint. */
type Limit = (deps: TenantsDeps, run: Run) => Run;

const waitingReads = open('mailboxWaits', ({ query }) => Number(query.wait ?? 0) > 0);

const LIMITS: { readonly [N in CallName]?: Limit } = {
  putUser: counted('users'),
  addFault: counted('faults'),
  startRun: counted('runs'),
  faucet: faucet(),
  events: open('streams'),
  mailbox: waitingReads,
  run: waitingReads,
};
const LIMIT_OF = new Map(Object.entries(LIMITS).map(([name, limit]) => [CALLS[name as CallName] as string, limit]));

/** The same endpoints; those that cost something refuse with quota-exceeded. */
export const limited = (deps: TenantsDeps, endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.map(endpoint => {
    const limit = LIMIT_OF.get(`${endpoint.method} ${endpoint.path}`);
    return limit ? { ...endpoint, run: limit(deps, endpoint.run as Run) as Endpoint['run'] } : endpoint;
  });

/** The operator has no quotas. */
const isFree = ({ tenants }: Pick<TenantsDeps, 'tenants'>, vaspId: string): boolean =>
  tenants.find(vaspId) === undefined;

/** What runs adds at once what it adds: no other request comes between. */
function counted(quota: QuotaName): Limit {
  return (deps, run) => (input, caller) => {
    if (!isFree(deps, caller)) requireRoom(deps, caller, quota, { used: currentUse(deps, caller, quota, input) });
    return run(input, caller);
  };
}

type FaucetOrder = { symbol: string; amount: string; others?: { amount: string }[] };

/** A payment that the chain refuses has cost the node at most this much. */
const TRIED_GAS = '1000000';

function faucet(): Limit {
  // The payments of one VASP wait for each other, so that those of others do not.
  const inTurn = limitPerKey(1);
  return (deps, run) => (input, caller) => {
    const { db } = deps.sandbox;
    const { symbol, amount, others = [] } = input.body as FaucetOrder;
    const quota = symbol === 'ETH' ? 'faucetEth' : symbol === 'XRP' ? 'faucetXrp' : undefined;
    if (isFree(deps, caller) || !quota) return run(input, caller);
    const adding = others.reduce((sum, each) => add(sum, each.amount), amount);
    // Spent before the transfer, so that two at once cannot both pass; given back when it is refused.
    const isCounted = symbol === 'ETH';
    const gas = { used: deps.usage.usedToday(caller, 'chainGasPerDay') };
    if (isCounted) requireRoom(deps, caller, 'chainGasPerDay', gas);
    const giveBack = write(db, tx => spend(deps, tx, caller, quota, adding));
    return inTurn(caller, async () => run(input, caller)).catch(error => {
      const isTried = error instanceof Refusal && error.kind === 'chain-refused';
      write(db, tx => {
        giveBack(tx);
        if (isCounted && isTried) deps.usage.spend(tx, caller, 'chainGasPerDay', TRIED_GAS);
      });
      throw error;
    });
  };
}

/** Streams and waiting reads stay open: each is counted until it ends. */
function open(quota: QuotaName, isLong: (input: Input) => boolean = () => true): Limit {
  const places = tally();
  return (deps, run) => (input, caller) => {
    if (isFree(deps, caller) || !isLong(input)) return run(input, caller);
    requireRoom(deps, caller, quota, { used: places.of(caller) });
    const result = run(input, caller);
    places.add(caller, 1);
    const release = () => places.add(caller, -1);
    return result instanceof Promise ? result.finally(release) : released(result as EventStream, release);
  };
}

async function* released(events: EventStream, release: () => void): EventStream {
  try {
    yield* events;
  } finally {
    release();
  }
}

/** Counts a verification that a VASP has ordered, here or from the robot, as it is stored. Throws `Refusal` quota-exceeded. */
export function beforeVerifying(deps: TenantsDeps, tx: Tx, vaspId: string): void {
  if (isFree(deps, vaspId)) return;
  spend(deps, tx, vaspId, 'verificationsPerDay', '1');
  requireRoom(deps, vaspId, 'verificationsKept', { used: currentUse(deps, vaspId, 'verificationsKept') });
}

/** Counts a report to another VASP, whose callback it becomes, as it is stored. Throws `Refusal` quota-exceeded. */
export function beforeReporting(deps: TenantsDeps, tx: Tx, vaspId: string): void {
  if (!isFree(deps, vaspId)) spend(deps, tx, vaspId, 'reportsPerDay', '1');
}

/**
 * Counts a transaction that a VASP sends to an embedded chain, and keeps whose it is. Both are committed before it is sent.
 * The operator has no quotas, and what it sends is nobody's. Throws `Refusal` quota-exceeded.
 */
export function beforeSending(deps: TenantsDeps, transaction: Sending, caller: CallerId): void {
  if (isFree(deps, caller)) return;
  const { db, sandbox } = deps;
  write(db, tx => {
    if (isClosing(tx, caller)) throw refusals.unauthorized();
    spend(deps, tx, caller, 'chainGasPerDay', decimalText(transaction.gas));
    spend(deps, tx, caller, 'chainBytesPerDay', decimalText(transaction.bytes));
    sandbox.robot.noteSubmission(tx, transaction, caller);
  });
}

import type { BlockRef, Chain } from '../../chains/port.ts';
import { NOT_FOUND_AFTER_MS } from '../../contract/plan-list.ts';
import { record } from '../../db/history.ts';
import type { Tx } from '../../db/transaction.ts';
import type { RobotDeps } from '../deps.ts';
import type { Expectation, Payment } from './store.ts';
import * as expectations from './store.ts';

/**
 * The two timers of an expectation: one asks for the status of the transfer, one looks the named transaction up. Nothing
 * else orders or ends them. What always holds:
 *
 * 1. An order never moves a due time later, so no payment of somebody else delays a status query. Only the first payment
 *    takes the place of VERIFIED: the waiting time begins with it (D-17).
 * 2. What was read before an order never undoes it. The next look-up follows at once, and the time of the next status query
 *    is computed from the stored window, which every order has extended.
 * 3. Times are counted from the first query and from the report, so that slow answers shift nothing.
 */

const INQUIRE = 'robot.deposit.inquire';
const LOOK_UP = 'robot.report.look-up';
type Awaiting = Pick<Expectation, 'verificationUuid' | 'vaspId' | 'inquireUntil'>;

/** D-17: when the status is queried after VERIFIED or a payment at `now`: after the waiting time, and then until the end of the window. */
export function inquiryFrom({ inquiry }: Pick<RobotDeps, 'inquiry'>, now: number) {
  const dueAt = now + inquiry.waitMs;
  return { dueAt, until: dueAt + inquiry.windowMs };
}

export function orderFirstInquiry(deps: RobotDeps, tx: Tx, expectation: Awaiting & { createdAt: number }): void {
  const { dueAt } = inquiryFrom(deps, expectation.createdAt);
  const { payload, ...order } = timer(expectation, dueAt);
  deps.timers.schedule(tx, INQUIRE, { ...order, payload: { ...payload, isUnpaid: true } });
}

/** A payment that may be its own has come: the window ends later. */
export function orderInquiry(deps: RobotDeps, tx: Tx, expectation: Awaiting): void {
  const { verificationUuid, vaspId, inquireUntil } = expectation;
  const now = deps.clock.now(vaspId);
  const { dueAt, until } = inquiryFrom(deps, now);
  if (until > (inquireUntil ?? 0)) expectations.patch(tx, verificationUuid, { inquireUntil: until });
  const order = timer(expectation, dueAt);
  const pending = deps.timers.find(INQUIRE, verificationUuid);
  if (pending?.payload.isUnpaid && pending.dueAt > now) deps.timers.schedule(tx, INQUIRE, order);
  else deps.timers.bringForward(tx, INQUIRE, order);
}

/**
 * The VASP is active again: a status query that waited for that follows now. One that is due may have found the VASP
 * suspended a moment ago, and its result would wait.
 */
export function resumeInquiry(deps: RobotDeps, tx: Tx, expectation: Awaiting): void {
  const now = deps.clock.now(expectation.vaspId);
  const pending = deps.timers.find(INQUIRE, expectation.verificationUuid);
  if (pending && (pending.dueAt <= now || pending.payload.isSuspended))
    deps.timers.schedule(tx, INQUIRE, timer(expectation, now, 'the VASP is active again'));
}

/** The next status query of the window after one that was answered. False: the window ends before. */
export function inquireAgain(deps: RobotDeps, tx: Tx, expectation: Awaiting): boolean {
  const now = deps.clock.now(expectation.vaspId);
  const until = expectation.inquireUntil ?? now;
  const { intervalMs, windowMs } = deps.inquiry;
  const firstAt = until - windowMs;
  const dueAt = firstAt + (Math.floor((now - firstAt) / intervalMs) + 1) * intervalMs;
  if (dueAt > until) return false;
  const why = 'the status query is repeated';
  deps.timers.schedule(tx, INQUIRE, timer(expectation, dueAt, why));
  return true;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Up to this age of a report it is looked up this often. */
const LOOK_UPS = [
  { untilMs: MINUTE_MS, everyMs: 5 * SECOND_MS },
  { untilMs: NOT_FOUND_AFTER_MS, everyMs: 30 * SECOND_MS },
  { untilMs: 60 * MINUTE_MS, everyMs: 5 * MINUTE_MS },
  { untilMs: Number.POSITIVE_INFINITY, everyMs: 60 * MINUTE_MS },
] as const;

/** D-24: the named transaction is looked up now. */
export function orderLookUp(deps: Pick<RobotDeps, 'clock' | 'timers'>, tx: Tx, expectation: Expectation): void {
  const now = deps.clock.now(expectation.vaspId);
  const why = 'the named transaction is looked up';
  deps.timers.bringForward(tx, LOOK_UP, timer(expectation, now, why));
}

/** The next look-up after one that has just ended, unless one is ordered. */
export function lookUpAgain(deps: RobotDeps, tx: Tx, expectation: Expectation): void {
  deps.timers.ensure(tx, LOOK_UP, timer(expectation, nextLookUp(deps, expectation)));
}

/** Counted from the report, so that the look-up at the end of the waiting time is exact. */
export function nextLookUp({ clock }: Pick<RobotDeps, 'clock'>, { vaspId, namedAt }: Expectation): number {
  const now = clock.now(vaspId);
  const ageMs = Math.max(0, now - (namedAt ?? now));
  const { everyMs } = LOOK_UPS.find(({ untilMs }) => ageMs < untilMs)!;
  return now - (ageMs % everyMs) + everyMs;
}

/** D-17: no status query follows. */
export const endInquiries = (deps: Pick<RobotDeps, 'timers'>, tx: Tx, verificationUuid: string): void =>
  deps.timers.cancel(tx, INQUIRE, verificationUuid);

/** REF-4.6.11: the robot asks and looks no more. */
export function endTimers(deps: Pick<RobotDeps, 'timers'>, tx: Tx, verificationUuid: string): void {
  endInquiries(deps, tx, verificationUuid);
  deps.timers.cancel(tx, LOOK_UP, verificationUuid);
}

const timer = ({ verificationUuid, vaspId }: Awaiting, dueAt: number, why?: string) => ({
  owner: vaspId,
  dueAt,
  why,
  payload: { verificationUuid },
});

/** A payment deeper than this under the newest block at VERIFIED was made before, whatever a reorganisation did. */
const DEEPEST_BLOCKS = 256;

/** A payment that the robot sees for the first time. */
type Paid = Omit<Payment, 'symbol'> & { height: number };

/**
 * D-18 after a reorganisation: when the newest block at VERIFIED was replaced, a payment in a block that took its place
 * is no earlier payment. Looks for such verifications. The returned function lets the payments count for them. Throws
 * `ChainUnreachable`.
 */
export async function findReplacedHeads(
  deps: RobotDeps,
  chain: Chain,
  paid: readonly Paid[],
): Promise<(tx: Tx) => void> {
  const heads = new Map<string, Promise<boolean>>();
  /** One call for each block, whatever number of verifications began with it. */
  const isReplaced = ({ verifiedHeight, verifiedHash }: Expectation): Promise<boolean> => {
    const key = `${verifiedHeight} ${verifiedHash}`;
    const known = heads.get(key) ?? isGone(chain, { height: verifiedHeight!, hash: verifiedHash! });
    heads.set(key, known);
    return known;
  };
  const found: { expectation: Expectation; height: number }[] = [];
  for (const { height, ...to } of paid)
    for (const expectation of expectations.verifiedWithin(deps.db, {
      symbol: chain.symbol,
      ...to,
      from: height,
      below: height + DEEPEST_BLOCKS,
    }))
      if (await isReplaced(expectation)) found.push({ expectation, height });
  return tx => {
    for (const { expectation, height } of found) countFrom(deps, tx, expectation, height);
  };
}

const isGone = async (chain: Chain, block: BlockRef): Promise<boolean> => !(await chain.isInChain(block));

function countFrom(deps: RobotDeps, tx: Tx, expectation: Expectation, height: number): void {
  const { verificationUuid, vaspId, status, verifiedHeight } = expectation;
  const current = expectations.find(tx, verificationUuid);
  if (current?.status !== 'OPEN' || (current.verifiedHeight ?? 0) < height) return;
  expectations.patch(tx, verificationUuid, { verifiedHeight: height - 1, verifiedHash: null });
  record(tx, {
    machine: 'expectation',
    rowKey: verificationUuid,
    verificationUuid,
    from: status,
    event: 'head-replaced',
    to: status,
    at: deps.clock.now(vaspId),
    cause: `a reorganisation replaced block ${verifiedHeight}, the newest block at VERIFIED: payments from block ${height} on count`,
  });
}

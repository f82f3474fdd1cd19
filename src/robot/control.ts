import type { Cursor } from '../chains/port.ts';
import { ASSET_SYMBOLS, type AssetSymbol } from '../contract/assets.ts';
import type { CallerId, Scoped } from '../contract/tenancy.ts';
import { type Tx, write } from '../db/transaction.ts';
import { transition } from '../db/transition.ts';
import type { TimerKind } from '../timers/registry.ts';
import type { TimerKey } from '../timers/timers.ts';
import { balancesOf } from './balance/amounts.ts';
import { deleteSomeVaspData, deleteVaspData, forgetVasp } from './delete-vasp-data.ts';
import { depositControl } from './deposit/control.ts';
import * as cursors from './deposit/cursor-store.ts';
import { resumeInquiries } from './deposit/inquire.ts';
import type { RobotDeps } from './deps.ts';
import { expectationStatus } from './expectation/machine.ts';
import * as expectations from './expectation/store.ts';
import * as answers from './idempotency/store.ts';
import { acceptPayments, listHeld } from './numbers/accept.ts';
import * as numbers from './numbers/store.ts';
import { restartNotice, resumeChain } from './resume-chain.ts';
import * as submissions from './submission-store.ts';
import { transferControl } from './transfer/control.ts';
import * as transferRemoval from './transfer/removal-store.ts';
import { walletKey, walletOwner } from './transfer/schedule-wallet.ts';
import * as transfers from './transfer/store.ts';
import { isOver } from './transfer/transfer.ts';
import { userControl } from './users/control.ts';

/**
 * The actions of the sandbox inside the robot. `caller` is the vaspId of the VASP that asks: users, transfers, deposits
 * and balances are those that it has with the robot. Times are epoch milliseconds. A change is committed when the
 * method returns, unless it takes a transaction.
 */
export type RobotControl = ReturnType<typeof createRobotControl>;
export type { ListedExpectation } from './expectation/store.ts';
export type { Attempt } from './transfer/attempt-store.ts';
export type { ListedTransfer } from './transfer/control.ts';
export type { RobotUser, RobotUsers } from './users/control.ts';

export const createRobotControl = (deps: RobotDeps) => ({
  vaspId: deps.vaspId,
  ...userControl(deps),
  ...transferControl(deps),
  ...depositControl(deps),
  ...chainControl(deps),
  ...dataControl(deps),
  /** Every address at which the robot was paid by this VASP, or pays to it. Amounts in base units. */
  listBalances: (caller: CallerId) => balancesOf(deps, caller),
  timersOf: (verificationUuid: Scoped<string>): TimerKey[] =>
    Object.entries(TIMER_KEYS).flatMap(([kind, keysOf]) =>
      keysOf(deps, verificationUuid).map(key => ({ kind: kind as RobotTimerKind, key })),
    ),
  /** Owners of the timers that send transfers: one per chain, shared by all VASPs. */
  walletTimerOwners: ASSET_SYMBOLS.map(walletOwner),
});

const chainControl = (deps: RobotDeps) => ({
  /** D-33: why the robot reads a chain no further: it started over. Undefined: it did not. */
  restartNotice: (symbol: AssetSymbol) => cursors.find(deps.db, symbol)?.stopReason ?? undefined,
  /** D-47: what holds accounts of the robot. They pay nothing until it is found, or accepted. */
  listHeldPayments: (symbol?: AssetSymbol) => listHeld(deps.db, symbol),
  /** The operator lets go of these, by their names. Returns the names that hold nothing. */
  acceptPayments,
  /** Accounts that have paid nothing for a minute, each with the reason. */
  listStoppedWallets: (forMs: number, limit: number) =>
    numbers.stoppedSince(deps.db, deps.clock.machineNow() - forMs, limit),
  /** D-33: this chain is about to start over. Nothing is paid on it until it is resumed, or read again. */
  stopPaying: (symbol: AssetSymbol): void =>
    write(deps.db, tx => cursors.stopAt(tx, symbol, restartNotice(symbol, 'it starts over'))),
  /** Resolves when no wallet of this chain is at work. Where nothing is paid, none begins. */
  walletsAtRest: (symbol: AssetSymbol): Promise<void> => deps.timers.runDue(walletOwner(symbol)),
  /** D-33: goes on with a chain that started over, while its wallets rest. Returns the number of canceled transfers. */
  resumeChain: (tx: Tx, symbol: AssetSymbol, beginning: Cursor, cause: string): number =>
    resumeChain(deps, tx, symbol, beginning, cause),
  /** The newest block that the robot has read. Undefined: none yet. */
  readPosition: (symbol: AssetSymbol) => cursors.find(deps.db, symbol),
});

const MAX_REMOVED = 100;

const dataControl = (deps: RobotDeps) => ({
  /** Deletes what the robot expected. Deposits and transfers stay. */
  deleteVerification: (tx: Tx, verificationUuid: string) => expectations.removeAll(tx, [verificationUuid]),
  /** Status queries that waited for the end of a suspension follow now. */
  resumeInquiries: (tx: Tx, vaspId: string) => resumeInquiries(deps, tx, vaspId),
  /** The VASP came from another sandbox, where its open deposits were awaited. Here they are not. */
  stopExpectations(tx: Tx, vaspId: string, cause: string): void {
    const at = deps.clock.now(vaspId);
    for (const expectation of expectations.openOf(tx, vaspId))
      transition(tx, expectationStatus, expectation, 'moved', { at, cause });
  },
  /**
   * Hosted mode: this VASP is about to submit a transaction to an embedded chain. What it pays is for no other VASP. The
   * first submission of a transaction stays. `finishes`: what it delivers is of the VASP that has submitted this one.
   */
  noteSubmission(
    tx: Tx,
    { symbol, hash, finishes }: { symbol: AssetSymbol; hash: string; finishes?: string | undefined },
    caller: CallerId,
  ): void {
    const vaspId = (finishes && submissions.vaspOf(tx, symbol, finishes)) || caller;
    submissions.add(tx, { symbol, txHash: hash, vaspId, at: deps.clock.machineNow() });
  },
  /**
   * Forgets what is kept from before a time: who has submitted transactions, on the clock of the machine, and the answers
   * to repeated requests, on that of the VASP. Yields after some.
   */
  *removeOld(vaspId: string, { machineAt, before }: { machineAt: number; before: number }): Generator<void> {
    while (write(deps.db, tx => submissions.removeSome(tx, vaspId, machineAt, MAX_REMOVED)) > 0) yield;
    while (write(deps.db, tx => answers.removeSome(tx, vaspId, before, MAX_REMOVED)) > 0) yield;
  },
  /** A transfer to this VASP keeps its recipient until it is final. */
  hasTransferUnderWay: (vaspId: string): boolean => transferRemoval.hasUnderWay(deps.db, vaspId),
  /** Removes persons and their accounts of a VASP. Deposits, transfers and amounts stay. */
  forgetVasp: (tx: Tx, vaspId: string) => forgetVasp(deps, tx, vaspId),
  /** Removes what the robot has stored about a VASP. Transfers under way go on, as nobody's. */
  deleteVaspData: (tx: Tx, vaspId: string) => deleteVaspData(deps, tx, vaspId),
  /** Removes some of what the robot expected. Returns how much; 0: nothing is left. */
  deleteSomeVaspData: (tx: Tx, vaspId: string, limit: number) => deleteSomeVaspData(deps, tx, vaspId, limit),
});

type RobotTimerKind = Extract<TimerKind, `robot.${string}`>;

/** The keys of the timers of a verification. A new kind of timer does not compile without them. */
const TIMER_KEYS: Record<RobotTimerKind, (deps: RobotDeps, verificationUuid: string) => string[]> = {
  'robot.deposit.inquire': (_, verificationUuid) => [verificationUuid],
  'robot.report.look-up': (_, verificationUuid) => [verificationUuid],
  'robot.wallet.pay'({ db }, verificationUuid) {
    const transfer = transfers.find(db, verificationUuid);
    return transfer && !isOver(transfer) ? [walletKey(transfer)] : [];
  },
};

import type { Cursor } from '../chains/port.ts';
import { ASSET_SYMBOLS, type AssetSymbol } from '../contract/assets.ts';
import { type CallerId, type Scoped, scopedRow } from '../contract/tenancy.ts';
import { deleteTransferHistory } from '../db/history.ts';
import type { TimerKind } from '../db/schema/runtime.ts';
import { type Tx, write } from '../db/transaction.ts';
import { transition } from '../db/transition.ts';
import { pageOf } from '../kernel/page.ts';
import { keyOf } from '../timers/registry.ts';
import type { TimerKey } from '../timers/timers.ts';
import * as balances from './balance/store.ts';
import { balancesOf } from './balance/store.ts';
import * as cursors from './deposit/cursor-store.ts';
import { candidatesFor, creditFunding, noteFor, releaseDeposits } from './deposit/lifecycle.ts';
import * as readBlocks from './deposit/read-block-store.ts';
import type { Deposit, DepositQuery } from './deposit/store.ts';
import * as deposits from './deposit/store.ts';
import type { RobotDeps } from './deps.ts';
import { expectationStatus } from './expectation/machine.ts';
import { endTimers, resumeInquiry } from './expectation/schedule.ts';
import type { ListedExpectation } from './expectation/store.ts';
import * as expectations from './expectation/store.ts';
import * as answers from './idempotency-store.ts';
import { acceptPayments, listHeld } from './numbers/numbers.ts';
import * as numbers from './numbers/store.ts';
import * as reconciliation from './reconciliation/store.ts';
import * as submissions from './submission-store.ts';
import { cancelTransfer, walletOwner } from './transfer/lifecycle.ts';
import * as transfers from './transfer/store.ts';
import { isOver, NOBODY, type Transfer } from './transfer/store.ts';
import type { User, UserChange } from './users/user.ts';
import { changeOf, type UserDirectory, type Users } from './users/users.ts';

/**
 * The actions of the sandbox inside the robot. `caller` is the vaspId of the VASP that asks: users, transfers, deposits
 * and balances are those that it has with the robot. Times are epoch milliseconds. A change is committed when the
 * method returns, unless it takes a transaction.
 */
export type RobotControl = ReturnType<typeof createRobotControl>;
export type { ListedExpectation } from './expectation/store.ts';
export type { Attempt } from './transfer/store.ts';

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
  resumeChain: (tx: Tx, symbol: AssetSymbol, beginning: Cursor, cause: string) =>
    resumeChain(deps, tx, symbol, beginning, cause),
  /** The newest block that the robot has read. Undefined: none yet. */
  readPosition: (symbol: AssetSymbol) => cursors.find(deps.db, symbol),
});

/** Of one statement. */
const MAX_REMOVED = 100;

const dataControl = (deps: RobotDeps) => ({
  /** Deletes what the robot expected. Deposits and transfers stay. */
  deleteVerification: (tx: Tx, verificationUuid: string) => expectations.removeAll(tx, [verificationUuid]),
  /** Status queries that waited for the end of a suspension follow now. */
  resumeInquiries(tx: Tx, vaspId: string): void {
    for (const expectation of expectations.openOf(tx, vaspId)) resumeInquiry(deps, tx, expectation);
  },
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
  hasTransferUnderWay: (vaspId: string): boolean => transfers.hasUnderWay(deps.db, vaspId),
  /** Removes persons and their accounts. Deposits, transfers and amounts stay; transfers under way go on as they are. */
  forgetVasp(tx: Tx, vaspId: string): void {
    deleteQuestions(deps, tx, vaspId);
    deps.users.restoreFixtures(tx, vaspId);
    deps.users.forget(tx, vaspId);
    transfers.forgetPersons(tx, vaspId);
    deleteTransferHistory(tx, vaspId);
    deposits.forgetPersons(tx, vaspId);
    submissions.removeOf(tx, vaspId);
  },
  /**
   * Removes what the robot has stored about a VASP. Transfers under way go on, as nobody's. Unattributed deposits to users
   * of the fixtures belong to no VASP and stay.
   */
  deleteVaspData(tx: Tx, vaspId: string): void {
    deleteQuestions(deps, tx, vaspId);
    deposits.removeOf(tx, vaspId);
    reconciliation.removeOf(tx, vaspId);
    transfers.removeOf(tx, vaspId);
    for (const owner of [vaspId, NOBODY]) balances.addUp(tx, owner);
    deps.users.restoreFixtures(tx, vaspId);
  },
  deleteSomeVaspData: (tx: Tx, vaspId: string, limit: number) => deleteSomeVaspData(deps, tx, vaspId, limit),
});

function deleteQuestions(deps: RobotDeps, tx: Tx, vaspId: string): void {
  while (deleteSomeVaspData(deps, tx, vaspId, MAX_REMOVED) > 0);
}

/** Removes at most `limit` expectations and as many kept answers. Returns how many of both; 0: nothing is left. */
function deleteSomeVaspData(deps: RobotDeps, tx: Tx, vaspId: string, limit: number): number {
  const some = expectations.someOf(tx, vaspId, limit);
  expectations.removeAll(
    tx,
    some.map(({ verificationUuid }) => verificationUuid),
  );
  for (const expectation of some) if (expectation.status === 'OPEN') releaseDeposits(deps, tx, expectation);
  return some.length + answers.removeSome(tx, vaspId, Number.MAX_SAFE_INTEGER, limit);
}

type RobotTimerKind = Extract<TimerKind, `robot.${string}`>;

/** The keys of the timers of a verification. A new kind of timer does not compile without them. */
const TIMER_KEYS: Record<RobotTimerKind, (deps: RobotDeps, verificationUuid: string) => string[]> = {
  'robot.deposit.inquire': (_, verificationUuid) => [verificationUuid],
  'robot.report.look-up': (_, verificationUuid) => [verificationUuid],
  'robot.wallet.pay'({ db }, verificationUuid) {
    const transfer = transfers.find(db, verificationUuid);
    return transfer && !isOver(transfer) ? [keyOf('robot.wallet.pay', transfer)] : [];
  },
};

export type RobotUsers = ReturnType<typeof robotUsers>;
export type RobotUser = ReturnType<RobotUsers['all']>[number];

const userControl = ({ db, users }: RobotDeps) => ({
  /** The users of the robot as this VASP has them: the fixtures with its own changes. */
  usersOf: async (caller: CallerId): Promise<RobotUsers> => robotUsers(users, await users.of(caller)),
  /** Number of users that this VASP has added, without one of this id. */
  countAddedUsers: (caller: CallerId, besides?: string): number => users.countAdded(db, caller, besides),
  /** Adds or changes a user. Throws `Refusal` invalid-field when the VASP has added too many. */
  putUser: (id: string, change: UserChange, caller: CallerId): void =>
    write(db, tx => users.put(tx, caller, id, change)),
  /** False: this VASP has no such user. Verifications and payments with the user go on. */
  removeUser: (id: string, caller: CallerId): boolean => write(db, tx => users.remove(tx, caller, id)),
  /** Drops every change of this VASP: its users are those of the fixtures. */
  restoreUsers: (caller: CallerId): void => write(db, tx => users.restoreFixtures(tx, caller)),
});

function robotUsers(users: Users, directory: UserDirectory) {
  /** `accounts`: where the user is paid, as messages write it: `0x…`, `r…:tag`. */
  const present = (user: User) => ({
    id: user.id,
    ...changeOf(user),
    accounts: directory.accounts(user),
    source: users.sourceOf(user),
  });
  return {
    all: () => directory.all().map(present),
    byId(id: string) {
      const user = directory.byId(id);
      return user && present(user);
    },
    /** Id of the user at an address as messages write it, of removed users too. */
    idAt: (symbol: AssetSymbol, address: string) => directory.findIncludingRemoved(symbol, address)?.id,
  };
}

/** What the sandbox reads of the money that the robot awaits and gets. */
function depositControl(deps: RobotDeps) {
  const { db } = deps;
  return {
    /**
     * Newest first, those that belong to no VASP included; of one status, or of all. A page is shorter than its limit
     * when it leaves out deposits for other VASPs. `next` is the position of the next page, null on the last one.
     */
    listDeposits(query: DepositQuery, caller: CallerId): { deposits: Deposit[]; next: string | null } {
      const { rows, next } = pageOf(query.limit, limit => deposits.visibleTo(db, caller, { ...query, limit }));
      const visible = rows.filter(row => isVisible(deps, row, caller));
      return { deposits: visible.map(row => ({ ...row, note: noteFor(deps, row, caller) })), next };
    },
    /** D-26: money that no known deposit explains, newest first. */
    listSurpluses: (limit: number, caller: CallerId) =>
      reconciliation.visibleTo(db, caller, limit).filter(({ vaspId }) => vaspId === caller || !deps.isHosted),
    findExpectations: (uuids: readonly Scoped<string>[]): ReadonlyMap<string, ListedExpectation> =>
      new Map(expectations.findAll(db, uuids).map(row => [row.verificationUuid, row])),
    /** Named transactions that are not credited, newest verdict first. D-24 */
    listReports: (limit: number, caller: CallerId) => expectations.notCredited(db, caller, limit),
    /** Deposits whose credit was taken back, and which are credited when a block holds them again, newest first. */
    listTakenBack: (limit: number, caller: CallerId) =>
      deposits
        .visibleTo(db, caller, { status: 'TAKEN-BACK', limit })
        .filter(deposit => expectations.ofTxHash(db, deposit).length > 0),
    /**
     * Deposits that several verifications fit, some of them of `caller`, newest first. `candidates`: the verifications of
     * `caller` that fit.
     */
    listAmbiguousDeposits: (limit: number, caller: CallerId) =>
      deposits
        .visibleTo(db, caller, { status: 'CONFIRMED', limit })
        .filter(deposit => isVisible(deps, deposit, caller))
        .flatMap(deposit => {
          const candidates = candidatesFor(deps, deposit);
          const own = candidates.filter(({ vaspId }) => vaspId === caller);
          if (candidates.length < 2 || own.length === 0) return [];
          return [{ ...deposit, candidates: own.map(({ verificationUuid }) => verificationUuid) }];
        }),
    /** Credits what the sandbox has paid to the robot for this VASP. False: the robot has not seen it as final. */
    creditFunding: (symbol: AssetSymbol, txHash: string, caller: CallerId): boolean =>
      creditFunding(deps, symbol, txHash, caller),
  };
}

/** In hosted mode a VASP sees a deposit of nobody only when one of its verifications fits. */
const isVisible = (deps: RobotDeps, deposit: Deposit, caller: string): boolean =>
  deposit.vaspId === caller || !deps.isHosted || candidatesFor(deps, deposit).some(({ vaspId }) => vaspId === caller);

export type ListedTransfer = Transfer & { verificationUuid: Scoped<string> };

const transferControl = ({ db }: RobotDeps) => ({
  /** Newest first, at most `query.limit`; `id` is the position in the list. */
  listTransfers: (query: transfers.TransferQuery, caller: CallerId) =>
    transfers.ofVasp(db, caller, query).map(row => listed(db, row)),
  /** Transfers that are in no block and say why in `note`, newest first. */
  listWaitingTransfers: (limit: number, caller: CallerId): ListedTransfer[] =>
    transfers.waitingOf(db, caller, limit).map(row => listed(db, row)),
  findTransfers: (uuids: readonly Scoped<string>[]): ReadonlyMap<string, ListedTransfer> =>
    new Map(transfers.findAll(db, uuids).map(row => [row.verificationUuid, listed(db, row)])),
  /** Everything that was signed for a transfer, oldest first. */
  signedTransactions: (verificationUuid: Scoped<string>) => transfers.attemptsOf(db, verificationUuid),
  /** True: the robot pays, or has paid. */
  isPaid: (verificationUuid: string): boolean => transfers.find(db, verificationUuid) !== undefined,
  /** False: money is on its way, or a deposit is not final. */
  isFinal(verificationUuid: string): boolean {
    const transfer = transfers.find(db, verificationUuid);
    return !transfer || isOver(transfer);
  },
});

const ownVerification = scopedRow('verificationUuid');

/** Its note, or what stops its account before its turn comes. */
const listed = <T extends Transfer>(db: RobotDeps['db'], row: T) => {
  const isUntried = row.status === 'PENDING' && row.note === '';
  return ownVerification(isUntried ? { ...row, note: numbers.find(db, row).note } : row);
};

/** D-33: why a chain is not read, and what to do. It is shown in `/readyz`. */
export const restartNotice = (symbol: AssetSymbol, why: string): string =>
  `CHAIN-RESTARTED: ${why}. Nothing is read or paid on it. To go on with the new chain: robot-vasp chain resume ${symbol}`;

const BEFORE_EVERYTHING = -1;

/**
 * D-33: goes on with a chain that started over, while its wallets rest: what they asked before says nothing of it. Unfinished
 * transfers are canceled, deposits stay as history, balances start at zero. Returns the number of canceled transfers to VASPs.
 */
export function resumeChain(deps: RobotDeps, tx: Tx, symbol: AssetSymbol, beginning: Cursor, cause: string): number {
  const unfinished = transfers.openOn(tx, symbol);
  for (const transfer of unfinished) cancelTransfer(deps, tx, transfer, cause);
  for (const expectation of expectations.openOn(tx, symbol)) {
    endTimers(deps, tx, expectation.verificationUuid);
    const at = deps.clock.now(expectation.vaspId);
    transition(tx, expectationStatus, expectation, 'chain-restarted', { at, cause });
  }
  transfers.moveToPastChain(tx, symbol);
  deposits.moveToPastChain(tx, symbol);
  balances.startOver(tx, symbol);
  deps.timers.deleteAll(tx, walletOwner(symbol));
  reconciliation.forgetAfter(tx, symbol, BEFORE_EVERYTHING);
  cursors.save(tx, symbol, beginning);
  readBlocks.forget(tx, symbol);
  numbers.forget(tx, symbol);
  cursors.saveRecheckFrom(tx, symbol, null);
  return unfinished.filter(({ vaspId }) => vaspId !== NOBODY).length;
}

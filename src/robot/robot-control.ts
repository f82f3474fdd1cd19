import { ASSET_SYMBOLS } from '../contract/assets.ts';
import { refusals } from '../contract/refusals.ts';
import { ownRow } from '../contract/tenancy.ts';
import { type Tx, write } from '../db/transaction.ts';
import { transition } from '../db/transition.ts';
import { pageOf } from '../kernel/page.ts';
import type { TimerKind } from '../timers/registry.ts';
import { balancesOf } from './balance/amounts.ts';
import type { AmbiguousDeposit, RobotControl, RobotUser, RobotUsers } from './control.ts';
import { deleteSomeVaspData, deleteVaspData, forgetVasp } from './delete-vasp-data.ts';
import { candidatesFor, creditFunding, noteFor } from './deposit/attribute.ts';
import * as cursors from './deposit/cursor-store.ts';
import { resumeInquiries } from './deposit/inquire.ts';
import type { Deposit } from './deposit/store.ts';
import * as deposits from './deposit/store.ts';
import type { CreditDeps, RobotDeps } from './deps.ts';
import { expectationStatus } from './expectation/machine.ts';
import type { Expectation } from './expectation/store.ts';
import * as expectations from './expectation/store.ts';
import * as answers from './idempotency/store.ts';
import * as reconciliation from './reconciliation/store.ts';
import * as restored from './restored/store.ts';
import { resumeChain } from './resume-chain.ts';
import * as attempts from './transfer/attempt-store.ts';
import * as transferLists from './transfer/list-store.ts';
import { walletKey, walletOwner } from './transfer/schedule-wallet.ts';
import * as transfers from './transfer/store.ts';
import { isOver } from './transfer/transfer.ts';
import { MAX_ADDED_USERS, TooManyUsers } from './users/accounts.ts';
import type { UserDirectory } from './users/directory.ts';
import type { User, UserChange } from './users/user.ts';

type Deps = CreditDeps & Pick<RobotDeps, 'db' | 'inquiry' | 'isHosted' | 'users'>;

export function createRobotControl(deps: RobotDeps): RobotControl {
  const { db, users } = deps;
  return {
    vaspId: deps.vaspId,

    usersOf: async caller => robotUsers(deps, await users.of(caller)),
    putUser(id, change, caller) {
      try {
        write(db, tx => users.put(tx, caller, id, change));
      } catch (error) {
        if (!(error instanceof TooManyUsers)) throw error;
        throw refusals.invalidField('id', TOO_MANY_USERS);
      }
    },
    removeUser: (id, caller) => write(db, tx => users.remove(tx, caller, id)),
    restoreUsers: caller => write(db, tx => users.restoreFixtures(tx, caller)),

    listTransfers: (query, caller) => transferLists.ofVasp(db, caller, query).map(ownVerification),
    listWaitingTransfers: (limit, caller) => transferLists.waitingOf(db, caller, limit).map(ownVerification),
    findTransfers: uuids => byVerification(transfers.findAll(db, uuids).map(ownVerification)),
    isPaid: uuid => transfers.find(db, uuid) !== undefined,
    signedTransactions: uuid => attempts.of(db, uuid),

    listDeposits(query, caller) {
      const { rows, next } = pageOf(query.limit, limit =>
        deposits.visibleTo(db, caller, { ...query, limit }),
      );
      const visible = rows.filter(row => isVisible(deps, row, caller));
      return { deposits: visible.map(row => ({ ...row, note: noteFor(deps, row, caller) })), next };
    },
    listSurpluses: (limit, caller) =>
      reconciliation
        .visibleTo(deps.db, caller, limit)
        .filter(({ vaspId }) => vaspId === caller || !deps.isHosted),
    findExpectations: uuids => byVerification(expectations.findAll(db, uuids)),
    listReports: (limit, caller) => expectations.notCredited(db, caller, limit),
    listTakenBack: (limit, caller) =>
      deposits
        .visibleTo(db, caller, { status: 'TAKEN-BACK', limit })
        .filter(({ symbol, txHash }) => expectations.ofTxHash(db, symbol, txHash).length > 0),
    listAmbiguousDeposits: (limit, caller) =>
      deposits
        .visibleTo(db, caller, { status: 'CONFIRMED', limit })
        .filter(deposit => isVisible(deps, deposit, caller))
        .flatMap(deposit => ambiguous(deposit, candidatesFor(deps, deposit), caller)),
    hasAnswered: (key, caller) => answers.find(deps.db, caller, key) !== undefined,
    creditFunding: (symbol, txHash, caller) => creditFunding(deps, symbol, txHash, caller),
    restartNotice: symbol => cursors.find(db, symbol)?.stopReason ?? undefined,
    listUnexplainedPayments: () => restored.held(db),
    releaseAccounts: restored.release,
    resumeChain: (tx, symbol, beginning, cause) => resumeChain(deps, tx, symbol, beginning, cause),
    readPosition: symbol => cursors.find(db, symbol),
    listBalances: caller => balancesOf(deps, caller),

    isFinal(uuid) {
      const transfer = transfers.find(db, uuid);
      return !transfer || isOver(transfer);
    },
    deleteVerification: (tx, uuid) => expectations.removeAll(tx, [uuid]),
    timersOf: verificationUuid =>
      Object.entries(TIMER_KEYS).flatMap(([kind, keysOf]) =>
        keysOf(deps, verificationUuid).map(key => ({ kind: kind as RobotTimerKind, key })),
      ),
    walletTimerOwners: ASSET_SYMBOLS.map(walletOwner),
    resumeInquiries: (tx, vaspId) => resumeInquiries(deps, tx, vaspId),
    stopExpectations: (tx, vaspId, cause) => stopExpectations(deps, tx, vaspId, cause),
    deleteVaspData: (tx, vaspId) => deleteVaspData(deps, tx, vaspId),
    deleteSomeVaspData: (tx, vaspId, most) => deleteSomeVaspData(deps, tx, vaspId, most),
    forgetVasp: (tx, vaspId) => forgetVasp(deps, tx, vaspId),
  };
}

const byVerification = <T extends { verificationUuid: string }>(rows: readonly T[]): ReadonlyMap<string, T> =>
  new Map(rows.map(row => [row.verificationUuid, row]));
const ownVerification = ownRow('verificationUuid');

function ambiguous(deposit: Deposit, candidates: Expectation[], caller: string): AmbiguousDeposit[] {
  if (candidates.length < 2 || !candidates.some(({ vaspId }) => vaspId === caller)) return [];
  const own = candidates.filter(({ vaspId }) => vaspId === caller);
  return [{ ...deposit, candidates: own.map(({ verificationUuid }) => verificationUuid) }];
}

const TOO_MANY_USERS = `is refused because this VASP has used ${MAX_ADDED_USERS} ids already. Take one of them`;

const robotUsers = (deps: Deps, directory: UserDirectory): RobotUsers => {
  const present = (user: User): RobotUser => {
    const { kind, names, kyc, behaviour } = user;
    const change = { kind, names, kyc, behaviour } as UserChange;
    const accounts = directory.accounts(user);
    return { id: user.id, ...change, accounts, source: deps.users.sourceOf(user) };
  };
  return {
    all: () => directory.all().map(present),
    byId(id) {
      const user = directory.byId(id);
      return user && present(user);
    },
    idAt: (symbol, address) => directory.findIncludingRemoved(symbol, address)?.id,
  };
};

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

/** In hosted mode a VASP sees a deposit of nobody only when one of its verifications fits. */
const isVisible = (deps: Deps, deposit: Deposit, caller: string): boolean =>
  deposit.vaspId === caller ||
  !deps.isHosted ||
  candidatesFor(deps, deposit).some(({ vaspId }) => vaspId === caller);

/** A VASP came from another sandbox: the addresses of its open deposits belong to the robot there. */
function stopExpectations(deps: Deps, tx: Tx, vaspId: string, cause: string): void {
  const at = deps.clock.now(vaspId);
  for (const expectation of expectations.openOf(tx, vaspId))
    transition(tx, expectationStatus, expectation, 'moved', { at, cause });
}

import type { Cursor } from '../chains/port.ts';
import type { AssetSymbol } from '../contract/assets.ts';
import type { CallerId, Own } from '../contract/tenancy.ts';
import type { Tx } from '../db/transaction.ts';
import type { TimerKey } from '../timers/timers.ts';
import type { AddressBalance } from './balance/amounts.ts';
import type { Deposit, DepositQuery } from './deposit/store.ts';
import type { Expectation } from './expectation/store.ts';
import type { Surplus } from './reconciliation/store.ts';
import type { UnexplainedPayment } from './restored/store.ts';
import type { Attempt } from './transfer/attempt-store.ts';
import type { TransferQuery } from './transfer/list-store.ts';
import type { Transfer } from './transfer/transfer.ts';
import type { UserChange } from './users/user.ts';
import type { UserSource } from './users/users.ts';

/**
 * The actions of the sandbox inside the robot. `caller` is the vaspId of the VASP that asks: users, transfers, deposits
 * and balances are those that it has with the robot. Times are epoch milliseconds. A change is committed when the
 * method returns, unless it takes a transaction.
 */
export interface RobotControl {
  readonly vaspId: string;

  /** The users of the robot as this VASP has them: the fixtures with its own changes. */
  usersOf(caller: CallerId): Promise<RobotUsers>;
  /** Adds or changes a user. Throws `Refusal` invalid-field when the VASP has added too many. */
  putUser(id: string, change: UserChange, caller: CallerId): void;
  /** False: this VASP has no such user. Verifications and payments with the user go on. */
  removeUser(id: string, caller: CallerId): boolean;
  /** An answer is kept under this `Idempotency-Key`: the same request again has no effect. */
  hasAnswered(key: string, caller: CallerId): boolean;
  /** Drops every change of this VASP: its users are those of the fixtures. */
  restoreUsers(caller: CallerId): void;

  /** Newest first, at most `query.limit`; `id` is the position in the list. */
  listTransfers(query: TransferQuery, caller: CallerId): (ListedTransfer & { id: number })[];
  /** Transfers that are in no block and say why in `note`, newest first. */
  listWaitingTransfers(limit: number, caller: CallerId): ListedTransfer[];
  /** By verification. */
  findTransfers(verificationUuids: readonly Own<string>[]): ReadonlyMap<string, ListedTransfer>;
  /** Everything that was signed for a transfer, oldest first. */
  signedTransactions(verificationUuid: Own<string>): SignedTransaction[];

  /**
   * Newest first, those that belong to no VASP included; of one status, or of all. A page is shorter than its limit
   * when it leaves out deposits for other VASPs. `next` is the position of the next page, null on the last one.
   */
  listDeposits(query: DepositQuery, caller: CallerId): { deposits: ListedDeposit[]; next: string | null };
  /** D-26: money that no known deposit explains, newest first. */
  listSurpluses(limit: number, caller: CallerId): ListedSurplus[];
  /** The deposits that the robot awaits, by verification. */
  findExpectations(verificationUuids: readonly Own<string>[]): ReadonlyMap<string, AwaitedDeposit>;
  /** Named transactions that are not credited, newest verdict first. D-24 */
  listReports(limit: number, caller: CallerId): ListedReport[];
  /** Deposits whose credit was taken back, and which are credited when a block holds them again, newest first. */
  listTakenBack(limit: number, caller: CallerId): ListedDeposit[];
  /** Deposits that several verifications fit, some of them of `caller`, newest first. */
  listAmbiguousDeposits(limit: number, caller: CallerId): AmbiguousDeposit[];
  /** Credits what the sandbox has paid to the robot for this VASP. False: the robot has not seen it as final. */
  creditFunding(symbol: AssetSymbol, txHash: string, caller: CallerId): boolean;
  /** D-33: why the robot reads a chain no further: it started over. Undefined: it did not. */
  restartNotice(symbol: AssetSymbol): string | undefined;
  /** Payments that no transfer explains. Their accounts pay nothing until `releaseAccounts`. */
  listUnexplainedPayments(): UnexplainedPayment[];
  /** Returns the number of payments that held an account of this chain. */
  releaseAccounts(tx: Tx, symbol: AssetSymbol): number;
  /** D-33: goes on with a chain that started over. Returns the number of canceled transfers. */
  resumeChain(tx: Tx, symbol: AssetSymbol, beginning: Cursor, cause: string): number;
  /** The newest block that the robot has read. Null: none yet. */
  readPosition(symbol: AssetSymbol): Cursor | null;
  /** Every address at which the robot was paid by this VASP, or pays to it. Amounts in base units. */
  listBalances(caller: CallerId): AddressBalance[];

  /** True: the robot pays, or has paid. */
  isPaid(verificationUuid: string): boolean;
  /** False: money is on its way, or a deposit is not final. */
  isFinal(verificationUuid: string): boolean;
  /** Deletes what the robot expected. Deposits and transfers stay. */
  deleteVerification(tx: Tx, verificationUuid: string): void;
  /** Timers that can be pending for a verification. */
  timersOf(verificationUuid: Own<string>): TimerKey[];
  /** Owners of the timers that send transfers: one per chain, shared by all VASPs. */
  readonly walletTimerOwners: readonly string[];
  /** Status queries that waited for the end of a suspension follow now. */
  resumeInquiries(tx: Tx, vaspId: string): void;
  /** The VASP came from another sandbox, where its open deposits were awaited. Here they are not. */
  stopExpectations(tx: Tx, vaspId: string, cause: string): void;
  /** Removes persons and their accounts of a VASP. Deposits, transfers and amounts stay. */
  forgetVasp(tx: Tx, vaspId: string): void;
  /** Removes what the robot has stored about a VASP. Transfers under way go on, as nobody's. */
  deleteVaspData(tx: Tx, vaspId: string): void;
  /** Removes some of what the robot expected. Returns how much; 0: nothing is left. */
  deleteSomeVaspData(tx: Tx, vaspId: string, most: number): number;
}

export interface RobotUsers {
  all(): RobotUser[];
  byId(id: string): RobotUser | undefined;
  /** Id of the user at an address as messages write it, of removed users too. */
  idAt(symbol: AssetSymbol, address: string): string | undefined;
}

/** `accounts`: where the user is paid, as messages write it: `0x…`, `r…:tag`. */
export type RobotUser = UserChange & {
  id: string;
  accounts: Record<AssetSymbol, string>;
  source: UserSource;
};

export type ListedTransfer = Transfer & { verificationUuid: Own<string> };
export type SignedTransaction = Pick<Attempt, 'hash' | 'sequence' | 'fee' | 'rejection' | 'signedAt'>;
export type ListedDeposit = Deposit;
export type ListedSurplus = Pick<Surplus, 'symbol' | 'account' | 'amount' | 'afterHeight' | 'height' | 'at'>;
export type AwaitedDeposit = Pick<
  Expectation,
  'status' | 'txHash' | 'txHashSource' | 'verdict' | 'verdictExpected' | 'verdictGot' | 'verdictAt'
>;
export type ListedReport = AwaitedDeposit & Pick<Expectation, 'verificationUuid'>;
/** `candidates`: the verifications of `caller` that fit. */
export type AmbiguousDeposit = ListedDeposit & { candidates: string[] };

export { AFFECTED_OPERATIONS, BEHAVIOUR_CODES, BEHAVIOURS } from './users/behaviours.ts';
export {
  Behaviour,
  KINDS,
  Kyc,
  UserId,
} from './users/user.ts';

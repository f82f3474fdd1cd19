import { createHash } from 'node:crypto';
import { type AssetSymbol, isAssetSymbol } from '../../contract/assets.ts';
import { Refusal } from '../../contract/refusals.ts';
import type { VaspTransactionStatusRequest } from '../../contract/vasp-api.ts';
import type { TransactionStatusResult } from '../../contract/verification.ts';
import { type Tx, write } from '../../db/transaction.ts';
import { type Change, recordBegin, recordEvent, transition } from '../../db/transition.ts';
import { BadAnswer } from '../../vasps/port.ts';
import * as balances from '../balance/store.ts';
import { isStopped } from '../deposit/cursor-store.ts';
import * as deposits from '../deposit/store.ts';
import type { RobotDeps } from '../deps.ts';
import { transferMachine, transferStatus } from './machine.ts';
import * as transfers from './store.ts';
import { isOver, type NewTransfer, NOBODY, type Transfer, type Wallet } from './store.ts';

/** Wallets follow the time of their chain. Moving the clock of a VASP makes no blocks. */
export const walletOwner = (symbol: AssetSymbol): string => `chain ${symbol}`;

export function scheduleWallet(deps: RobotDeps, tx: Tx, { symbol, account }: Wallet): void {
  const owner = walletOwner(symbol);
  deps.timers.schedule(tx, 'robot.wallet.pay', { owner, dueAt: deps.clock.now(owner), payload: { symbol, account } });
}

/** Money has arrived, or a credit: transfers that wait for it are tried at once. */
export function wakeUnsigned(deps: RobotDeps, tx: Tx, wallet: Wallet): void {
  if (transfers.hasUnsigned(tx, wallet)) scheduleWallet(deps, tx, wallet);
}

/** Every change of a transfer's status, with its balance (D-19), its entry in the history and its report. */

export function beginTransfer(tx: Tx, values: Omit<NewTransfer, 'status'>, cause: string): Transfer {
  const row = transfers.insert(tx, { ...values, status: transferMachine.initial });
  balances.moveTransfer(tx, undefined, row);
  recordBegin(tx, transferStatus, row, row.createdAt, cause);
  return row;
}

/** A transfer that the robot makes for itself: for no VASP, and without a report. */
export const beginOwn = (
  deps: RobotDeps,
  tx: Tx,
  transfer: Pick<Transfer, 'symbol' | 'account' | 'walletIndex' | 'toAccount' | 'amount'> & {
    kind: 'filler' | 'top-up';
  },
  cause: string,
): Transfer =>
  beginTransfer(
    tx,
    {
      ...transfer,
      verificationUuid: `${transfer.kind} ${deps.random.uuid()}`,
      vaspId: NOBODY,
      userId: '',
      omitTxReport: true,
      isHeld: false,
      createdAt: deps.clock.machineNow(),
    },
    cause,
  );

export function moveTransfer(
  deps: RobotDeps,
  tx: Tx,
  transfer: Transfer,
  event: Parameters<typeof transferMachine.next>[1],
  change: Omit<Change<typeof transferStatus.table>, 'at'>,
): Transfer {
  const row = transition(tx, transferStatus, transfer, event, { ...change, at: deps.clock.now(transfer.vaspId) });
  balances.moveTransfer(tx, transfer, row);
  return row;
}

/** The answer of the chain for one of its transactions. */
interface ChainEvent {
  hash: string;
  cause: string;
  block: { height: number; blockHash: string };
  /** The chain's reason. Undefined: the transaction succeeded. */
  failure: string | undefined;
}

/** SEND-2: a node may have the transaction. From now on its state on the chain decides. */
export const markBroadcast = (
  deps: RobotDeps,
  tx: Tx,
  transfer: Transfer,
  { hash, cause }: Pick<ChainEvent, 'hash' | 'cause'>,
): Transfer => moveTransfer(deps, tx, transfer, 'broadcast', { patch: { note: '' }, cause, detail: { txHash: hash } });

/** SEND-6, D-34: a hash is reported when a block holds it and it has succeeded. */
export function markMined(deps: RobotDeps, tx: Tx, transfer: Transfer, event: ChainEvent): Transfer {
  const row = transfer.status === 'PENDING' ? markBroadcast(deps, tx, transfer, event) : transfer;
  return changeTo(deps, tx, row, 'mined', event);
}

/** The hash that became final counts. It is reported if another hash was reported before. */
export function markConfirmed(deps: RobotDeps, tx: Tx, transfer: Transfer, event: ChainEvent): void {
  const row = transfer.status === 'WAIT-CONFIRM' ? transfer : markMined(deps, tx, transfer, event);
  changeTo(deps, tx, row, 'final', event);
}

/** WIRE-2.7: the report commits together with the change that it reports. */
function changeTo(deps: RobotDeps, tx: Tx, transfer: Transfer, step: 'mined' | 'final', event: ChainEvent): Transfer {
  const { hash, cause, block, failure } = event;
  const { verificationUuid, omitTxReport, reportedTxHash } = transfer;
  const isReport = !omitTxReport && failure === undefined && reportedTxHash !== hash;
  const row = moveTransfer(deps, tx, transfer, step, {
    patch: { txHash: hash, note: failure ?? '', ...(isReport ? { reportedTxHash: hash } : {}) },
    cause,
    detail: { txHash: hash, ...block, ...(failure === undefined ? {} : { failure }) },
  });
  if (isReport) ignoreRefusal(() => deps.enclave.reportTransaction({ verificationUuid, txHash: hash }, deps.vaspId));
  return row;
}

/** SEND-5: a reorganisation is shown. */
export function markReorganised(deps: RobotDeps, tx: Tx, transfer: Transfer): Transfer {
  const wasConfirmed = transfer.status === 'CONFIRMED';
  const cause = wasConfirmed ? REMOVED : 'its block was removed by a reorganisation';
  const note = wasConfirmed ? cause : '';
  return moveTransfer(deps, tx, transfer, 'reorged', { patch: { note }, cause, detail: { txHash: transfer.txHash } });
}
const REMOVED = 'a reorganisation removed its block after it was CONFIRMED';

/** SEND-5: these were CONFIRMED. Their wallet sends the same bytes again, which cannot pay twice. A chain that starts over removes none. */
export function reopen(deps: RobotDeps, confirmed: readonly Transfer[]): void {
  write(deps.db, tx => {
    for (const { verificationUuid } of confirmed) {
      const transfer = transfers.find(tx, verificationUuid);
      if (transfer?.status !== 'CONFIRMED' || transfer.isOfPastChain || isStopped(tx, transfer.symbol)) continue;
      markReorganised(deps, tx, transfer);
      scheduleWallet(deps, tx, transfer);
    }
  });
}

/** REF-4.6.11: the transfer failed for good. The amount is no longer reserved, and the beneficiary VASP gets an error report. */
export function cancelTransfer(deps: RobotDeps, tx: Tx, transfer: Transfer, cause: string): void {
  moveTransfer(deps, tx, transfer, 'cancel', { patch: { note: cause }, cause });
  ignoreRefusal(() =>
    deps.enclave.reportError(
      {
        verificationUuid: transfer.verificationUuid,
        result: 'ERROR',
        reason: 'UNDEFINED-ERROR',
        message: `The transfer failed: ${cause}`.slice(0, 1024),
      },
      deps.vaspId,
    ),
  );
}

/** Notes why the transfer waits or failed, unless it is over. The history gets an entry when the note changes. */
export function setNote(deps: RobotDeps, tx: Tx, transfer: Transfer, event: 'waits' | 'refused', cause: string): void {
  const current = transfers.find(tx, transfer.verificationUuid);
  if (!current || isOver(current) || current.note === cause) return;
  transfers.patch(tx, transfer.verificationUuid, { note: cause });
  recordEvent(tx, transferStatus, current, event, { at: deps.clock.now(current.vaspId), cause });
}

/** A forced error report may have ended the verification before. Then nothing is left to report. */
function ignoreRefusal(sendReport: () => void): void {
  try {
    sendReport();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/** WIRE-3.3, REF-2.4: the status of the robot's transfer. PENDING where no withdrawal was requested yet. */
export async function transactionStatus(
  deps: RobotDeps,
  { verificationUuid }: VaspTransactionStatusRequest,
): Promise<TransactionStatusResult> {
  const transfer = transfers.find(deps.db, verificationUuid);
  if (transfer) {
    const txHash = namedHash(deps, transfer);
    return { verificationUuid, transactionStatus: transfer.status, ...(txHash === null ? {} : { txHash }) };
  }
  const verification = lookUp(deps, verificationUuid);
  if (verification?.originatingVaspId !== deps.vaspId)
    throw new BadAnswer('The robot is not the originating VASP of this verification.');
  if (verification.result === 'VERIFIED' && (await isMisnamed(deps, verification)))
    return { verificationUuid, transactionStatus: 'CONFIRMED', txHash: anotherTransaction(deps, verification) };
  const transactionStatus = verification.result === 'VERIFIED' ? 'PENDING' : 'CANCELED';
  return { verificationUuid, transactionStatus };
}

type Verification = NonNullable<ReturnType<typeof lookUp>>;

async function isMisnamed(
  deps: RobotDeps,
  { beneficiaryVaspId, originatorAccountNumber, assetInfo: { symbol } }: Verification,
): Promise<boolean> {
  if (!isAssetSymbol(symbol)) return false;
  const users = await deps.users.of(beneficiaryVaspId);
  return users.find(symbol, originatorAccountNumber)?.behaviour === 'TRANSFER-MISNAMED';
}

const NEWEST = 100;

/**
 * The transaction that was reported for it, or that by which the VASP has paid the robot; without one, a hash in the form
 * of its chain that no transaction has.
 */
function anotherTransaction(
  deps: RobotDeps,
  { beneficiaryVaspId, verificationUuid, assetInfo: { symbol }, txHash }: Verification,
): string {
  if (txHash) return txHash;
  const credited = deposits.visibleTo(deps.db, beneficiaryVaspId, { limit: NEWEST, status: 'CREDITED' });
  const payment = credited.find(each => each.symbol === symbol);
  if (payment) return payment.txHash;
  const hash = createHash('sha256').update(verificationUuid).digest('hex');
  return symbol === 'ETH' ? `0x${hash}` : hash.toUpperCase();
}

/** The hash for the other VASP: of a block, or the newest that a node has taken. Null: none yet. */
export function namedHash(deps: Pick<RobotDeps, 'db'>, { verificationUuid, status, txHash }: Transfer): string | null {
  if (status === 'WAIT-CONFIRM' || status === 'CONFIRMED') return txHash;
  const accepted = transfers.attemptsOf(deps.db, verificationUuid).filter(attempt => attempt.isAccepted);
  return accepted.at(-1)?.hash ?? null;
}

/** Undefined: the enclave has no such verification, for example after a reset. */
export function lookUp(deps: Pick<RobotDeps, 'enclave' | 'vaspId'>, verificationUuid: string) {
  try {
    return deps.enclave.get(verificationUuid, deps.vaspId);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

import { Refusal } from '../../contract/refusals.ts';
import { record } from '../../db/history.ts';
import type { Tx } from '../../db/transaction.ts';
import { transition } from '../../db/transition.ts';
import type { RobotDeps } from '../deps.ts';
import { transferStatus } from './machine.ts';
import type { Transfer } from './store.ts';

/** Every change of a transfer's status, with the report that belongs to it. */

/** What the chain says of one of its transactions. */
export interface ChainEvent {
  hash: string;
  cause: string;
  block?: { height: number; blockHash: string };
}
const detailOf = ({ hash, block }: ChainEvent) => ({ txHash: hash, ...block });

/** A node may have it: from now on only its hashes tell what becomes of it. SEND-2, SEND-6 */
export function markBroadcast(deps: RobotDeps, tx: Tx, transfer: Transfer, news: ChainEvent): Transfer {
  const at = deps.clock.now(transfer.vaspId);
  const row = transition(tx, transferStatus, transfer, 'broadcast', {
    patch: { note: '' },
    at,
    cause: news.cause,
    detail: { txHash: news.hash },
  });
  return report(deps, tx, row, news.hash);
}

export function markMined(deps: RobotDeps, tx: Tx, transfer: Transfer, news: ChainEvent): Transfer {
  const row = transfer.status === 'PENDING' ? markBroadcast(deps, tx, transfer, news) : transfer;
  const at = deps.clock.now(transfer.vaspId);
  return transition(tx, transferStatus, row, 'mined', changeTo(news, at));
}

/** Final: the winner is the hash that counts, and is reported if another one was. */
export function markConfirmed(deps: RobotDeps, tx: Tx, transfer: Transfer, news: ChainEvent): void {
  const row = transfer.status === 'WAIT-CONFIRM' ? transfer : markMined(deps, tx, transfer, news);
  const at = deps.clock.now(transfer.vaspId);
  report(deps, tx, transition(tx, transferStatus, row, 'final', changeTo(news, at)), news.hash);
}

const changeTo = (news: ChainEvent, at: number) => ({
  patch: { txHash: news.hash },
  at,
  cause: news.cause,
  detail: detailOf(news),
});

/** SEND-5: shown, never hidden. */
export function markReorganised(deps: RobotDeps, tx: Tx, transfer: Transfer): Transfer {
  return transition(tx, transferStatus, transfer, 'reorged', {
    at: deps.clock.now(transfer.vaspId),
    cause: 'the block was reorganised away',
    detail: { txHash: transfer.txHash },
  });
}

/** Finally failed: the reservation is released and the beneficiary VASP is told (REF-4.6.11). */
export function cancelTransfer(deps: RobotDeps, tx: Tx, transfer: Transfer, cause: string): void {
  const at = deps.clock.now(transfer.vaspId);
  transition(tx, transferStatus, transfer, 'cancel', { patch: { note: cause }, at, cause });
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

/** A fact that leaves the status as it is. */
export const recordEvent = (deps: RobotDeps, tx: Tx, transfer: Transfer, fact: Fact): void =>
  record(tx, {
    machine: 'transfer',
    rowKey: transfer.verificationUuid,
    verificationUuid: transfer.verificationUuid,
    from: transfer.status,
    to: transfer.status,
    at: deps.clock.now(transfer.vaspId),
    ...fact,
  });
interface Fact {
  event: string;
  cause: string;
  detail?: object;
}

/** Why it stands where it stands: told when it is another reason than before. */
export function setNote(deps: RobotDeps, tx: Tx, transfer: Transfer, { event, cause }: Fact): void {
  if (transfer.note === cause) return;
  deps.transfers.patch(tx, transfer.verificationUuid, { note: cause });
  recordEvent(deps, tx, transfer, { event, cause });
}

/** WIRE-2.7: as soon as the hash exists. Commits with the change that makes it true. */
function report(deps: RobotDeps, tx: Tx, transfer: Transfer, txHash: string): Transfer {
  if (transfer.omitTxReport || transfer.reportedTxHash === txHash) return transfer;
  const { verificationUuid } = transfer;
  ignoreRefusal(() => deps.enclave.reportTransaction({ verificationUuid, txHash }, deps.vaspId));
  deps.transfers.patch(tx, verificationUuid, { reportedTxHash: txHash });
  return { ...transfer, reportedTxHash: txHash };
}

/** A forced error report may have ended the verification meanwhile: then there is nothing left to tell. */
function ignoreRefusal(tell: () => void): void {
  try {
    tell();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

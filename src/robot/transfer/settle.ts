import { Refusal } from '../../contract/refusals.ts';
import { advance } from '../../db/advance.ts';
import { record } from '../../db/history.ts';
import type { Tx } from '../../db/write.ts';
import type { RobotDeps } from '../deps.ts';
import { transferStatus } from './machine.ts';
import type { Transfer } from './store.ts';

/** Every change of a transfer's status, with the report that belongs to it. */

/** What the chain says of one of its transactions. */
export interface News {
  hash: string;
  cause: string;
  block?: { height: number; blockHash: string };
}
const detailOf = ({ hash, block }: News) => ({ txHash: hash, ...block });

/** A node may have it: from now on only its hashes tell what becomes of it. SEND-2, SEND-6 */
export function sent(deps: RobotDeps, tx: Tx, transfer: Transfer, news: News): Transfer {
  const at = deps.clock.now(transfer.vaspId);
  const row = advance(tx, transferStatus, transfer, 'broadcast', {
    patch: { note: '' },
    at,
    cause: news.cause,
    detail: { txHash: news.hash },
  });
  return report(deps, tx, row, news.hash);
}

export function mined(deps: RobotDeps, tx: Tx, transfer: Transfer, news: News): Transfer {
  const row = transfer.status === 'PENDING' ? sent(deps, tx, transfer, news) : transfer;
  const at = deps.clock.now(transfer.vaspId);
  return advance(tx, transferStatus, row, 'mined', changeTo(news, at));
}

/** Final: the winner is the hash that counts, and is reported if another one was. */
export function confirmed(deps: RobotDeps, tx: Tx, transfer: Transfer, news: News): void {
  const row = transfer.status === 'WAIT-CONFIRM' ? transfer : mined(deps, tx, transfer, news);
  const at = deps.clock.now(transfer.vaspId);
  report(deps, tx, advance(tx, transferStatus, row, 'final', changeTo(news, at)), news.hash);
}

const changeTo = (news: News, at: number) => ({
  patch: { txHash: news.hash },
  at,
  cause: news.cause,
  detail: detailOf(news),
});

/** SEND-5: shown, never hidden. */
export function reorged(deps: RobotDeps, tx: Tx, transfer: Transfer): Transfer {
  return advance(tx, transferStatus, transfer, 'reorged', {
    at: deps.clock.now(transfer.vaspId),
    cause: 'the block was reorganised away',
    detail: { txHash: transfer.txHash },
  });
}

/** Finally failed: the reservation is released and the beneficiary VASP is told (REF-4.6.11). */
export function failed(deps: RobotDeps, tx: Tx, transfer: Transfer, cause: string): void {
  const at = deps.clock.now(transfer.vaspId);
  advance(tx, transferStatus, transfer, 'cancel', { patch: { note: cause }, at, cause });
  tolerating(() =>
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
export const tell = (deps: RobotDeps, tx: Tx, transfer: Transfer, fact: Fact): void =>
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
export function note(deps: RobotDeps, tx: Tx, transfer: Transfer, { event, cause }: Fact): void {
  if (transfer.note === cause) return;
  deps.transfers.patch(tx, transfer.verificationUuid, { note: cause });
  tell(deps, tx, transfer, { event, cause });
}

/** WIRE-2.7: as soon as the hash exists. Commits with the change that makes it true. */
function report(deps: RobotDeps, tx: Tx, transfer: Transfer, txHash: string): Transfer {
  if (transfer.omitTxReport || transfer.reportedTxHash === txHash) return transfer;
  const { verificationUuid } = transfer;
  tolerating(() => deps.enclave.reportTransaction({ verificationUuid, txHash }, deps.vaspId));
  deps.transfers.patch(tx, verificationUuid, { reportedTxHash: txHash });
  return { ...transfer, reportedTxHash: txHash };
}

/** A forced error report may have ended the verification meanwhile: then there is nothing left to tell. */
function tolerating(tell: () => void): void {
  try {
    tell();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

import { Fault } from '../../contract/faults.ts';
import { advance } from '../../db/advance.ts';
import type { Tx } from '../../db/write.ts';
import type { RobotDeps } from '../deps.ts';
import { transferStatus } from './machine.ts';
import type { Transfer } from './store.ts';

/** Every change of a transfer's status, with the report that belongs to it. */

/** A node may have it: from now on only its hashes tell what becomes of it. §6 Sending (2), (6) */
export function sent(deps: RobotDeps, tx: Tx, transfer: Transfer, hash: string, cause: string): Transfer {
  const at = deps.clock.now(transfer.vaspId);
  const row = advance(tx, transferStatus, transfer, 'broadcast', { patch: { note: '' }, at, cause });
  return report(deps, tx, row, hash);
}

export function mined(deps: RobotDeps, tx: Tx, transfer: Transfer, hash: string, cause: string): Transfer {
  const row = transfer.status === 'PENDING' ? sent(deps, tx, transfer, hash, cause) : transfer;
  const at = deps.clock.now(transfer.vaspId);
  return advance(tx, transferStatus, row, 'mined', { patch: { txHash: hash }, at, cause });
}

/** Final: the winner is the hash that counts, and is reported if another one was. */
export function confirmed(deps: RobotDeps, tx: Tx, transfer: Transfer, hash: string, cause: string): void {
  const row = transfer.status === 'WAIT-CONFIRM' ? transfer : mined(deps, tx, transfer, hash, cause);
  const at = deps.clock.now(transfer.vaspId);
  report(deps, tx, advance(tx, transferStatus, row, 'final', { patch: { txHash: hash }, at, cause }), hash);
}

/** §6 Sending (5): shown, never hidden. */
export function reorged(deps: RobotDeps, tx: Tx, transfer: Transfer): Transfer {
  const cause = 'the block was reorganised away';
  return advance(tx, transferStatus, transfer, 'reorged', { at: deps.clock.now(transfer.vaspId), cause });
}

/** Finally failed: the reservation is released and the beneficiary VASP is told (§4.6(11)). */
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

/** wire 2.7: as soon as the hash exists. Commits with the change that makes it true. */
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
    if (!(error instanceof Fault)) throw error;
  }
}

import { deleteTransferHistory } from '../db/history.ts';
import type { Tx } from '../db/transaction.ts';
import * as balances from './balance/store.ts';
import { releaseDeposits } from './deposit/lifecycle.ts';
import * as deposits from './deposit/store.ts';
import type { RobotDeps } from './deps.ts';
import * as expectations from './expectation/store.ts';
import * as answers from './idempotency/store.ts';
import * as reconciliation from './reconciliation/store.ts';
import * as submissions from './submission-store.ts';
import * as transferRemoval from './transfer/removal-store.ts';
import { NOBODY } from './transfer/transfer.ts';

/** Of one statement. */
const MAX_PER_WRITE = 100;

/** Removes all data of a VASP. Unattributed deposits to users of the fixtures belong to no VASP and stay. */
export function deleteVaspData(deps: RobotDeps, tx: Tx, vaspId: string): void {
  deleteQuestions(deps, tx, vaspId);
  deposits.removeOf(tx, vaspId);
  reconciliation.removeOf(tx, vaspId);
  transferRemoval.removeOf(tx, vaspId);
  for (const owner of [vaspId, NOBODY]) balances.addUp(tx, owner);
  deps.users.restoreFixtures(tx, vaspId);
}

function deleteQuestions(deps: RobotDeps, tx: Tx, vaspId: string): void {
  while (deleteSomeVaspData(deps, tx, vaspId, MAX_PER_WRITE) > 0);
}

/** Removes at most `most` expectations and as many kept answers. Returns how many of both. */
export function deleteSomeVaspData(deps: RobotDeps, tx: Tx, vaspId: string, limit: number): number {
  const some = expectations.someOf(tx, vaspId, limit);
  expectations.removeAll(
    tx,
    some.map(({ verificationUuid }) => verificationUuid),
  );
  for (const expectation of some) if (expectation.status === 'OPEN') releaseDeposits(deps, tx, expectation);
  return some.length + answers.removeSome(tx, vaspId, Number.MAX_SAFE_INTEGER, limit);
}

/** Removes persons and their accounts. Deposits, transfers and their amounts stay; transfers under way go on as they are. */
export function forgetVasp(deps: RobotDeps, tx: Tx, vaspId: string): void {
  deleteQuestions(deps, tx, vaspId);
  deps.users.restoreFixtures(tx, vaspId);
  deps.users.forget(tx, vaspId);
  transferRemoval.forgetPersons(tx, vaspId);
  deleteTransferHistory(tx, vaspId);
  deposits.forgetPersons(tx, vaspId);
  submissions.removeOf(tx, vaspId);
}

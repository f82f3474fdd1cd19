import type { Tx } from '../db/transaction.ts';
import { releaseDeposits } from './deposit/attribute.ts';
import type { CreditDeps, RobotDeps } from './deps.ts';
import { NOBODY } from './transfer/transfer.ts';

type Deps = CreditDeps & Pick<RobotDeps, 'answers' | 'db' | 'inquiry' | 'reconciliation' | 'users'>;

/** Removes all data of a VASP. Unattributed deposits to users of the fixtures belong to no VASP and stay. */
export function deleteVaspData(deps: Deps, tx: Tx, vaspId: string): void {
  const expectations = deps.expectations.openOf(vaspId);
  deps.expectations.removeOf(tx, vaspId);
  deps.deposits.removeOf(tx, vaspId);
  deps.reconciliation.removeOf(tx, vaspId);
  deps.transfers.removeOf(tx, vaspId);
  for (const owner of [vaspId, NOBODY]) deps.balances.addUp(tx, owner);
  deps.answers.removeOf(tx, vaspId);
  deps.users.restoreFixtures(tx, vaspId);
  for (const expectation of expectations) releaseDeposits(deps, tx, expectation);
}

/** Removes at most `most` expectations and as many kept answers. Returns how many of both. */
export function deleteSomeVaspData(deps: Deps, tx: Tx, vaspId: string, most: number): number {
  const some = deps.expectations.someOf(vaspId, most);
  deps.expectations.removeAll(
    tx,
    some.map(({ verificationUuid }) => verificationUuid),
  );
  for (const expectation of some) if (expectation.status === 'OPEN') releaseDeposits(deps, tx, expectation);
  return some.length + deps.answers.removeSome(tx, vaspId, most);
}

/** Removes persons and their accounts. Deposits, transfers and their amounts stay; transfers under way go on. */
export function forgetVasp(deps: Deps, tx: Tx, vaspId: string): void {
  const expectations = deps.expectations.openOf(vaspId);
  deps.expectations.removeOf(tx, vaspId);
  deps.answers.removeOf(tx, vaspId);
  deps.users.restoreFixtures(tx, vaspId);
  deps.users.forgetNames(tx, vaspId);
  deps.transfers.forgetPersons(tx, vaspId);
  deps.deposits.forgetPersons(tx, vaspId);
  for (const expectation of expectations) releaseDeposits(deps, tx, expectation);
}

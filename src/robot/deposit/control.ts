import type { AssetSymbol } from '../../contract/assets.ts';
import type { CallerId, Scoped } from '../../contract/tenancy.ts';
import { pageOf } from '../../kernel/page.ts';
import type { RobotDeps } from '../deps.ts';
import type { Expectation, ListedExpectation } from '../expectation/store.ts';
import * as expectations from '../expectation/store.ts';
import * as reconciliation from '../reconciliation/store.ts';
import { candidatesFor } from './claims.ts';
import { creditFunding, noteFor } from './lifecycle.ts';
import type { Deposit, DepositQuery } from './store.ts';
import * as deposits from './store.ts';

/** What the sandbox reads of the money that the robot awaits and gets. */
export function depositControl(deps: RobotDeps) {
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
        .filter(({ symbol, txHash }) => expectations.ofTxHash(db, symbol, txHash).length > 0),
    /**
     * Deposits that several verifications fit, some of them of `caller`, newest first. `candidates`: the verifications of
     * `caller` that fit.
     */
    listAmbiguousDeposits: (limit: number, caller: CallerId) =>
      deposits
        .visibleTo(db, caller, { status: 'CONFIRMED', limit })
        .filter(deposit => isVisible(deps, deposit, caller))
        .flatMap(deposit => ambiguous(deposit, candidatesFor(deps, deposit), caller)),
    /** Credits what the sandbox has paid to the robot for this VASP. False: the robot has not seen it as final. */
    creditFunding: (symbol: AssetSymbol, txHash: string, caller: CallerId): boolean =>
      creditFunding(deps, symbol, txHash, caller),
  };
}

/** In hosted mode a VASP sees a deposit of nobody only when one of its verifications fits. */
const isVisible = (deps: RobotDeps, deposit: Deposit, caller: string): boolean =>
  deposit.vaspId === caller || !deps.isHosted || candidatesFor(deps, deposit).some(({ vaspId }) => vaspId === caller);

function ambiguous(deposit: Deposit, candidates: Expectation[], caller: string) {
  const own = candidates.filter(({ vaspId }) => vaspId === caller);
  if (candidates.length < 2 || own.length === 0) return [];
  return [{ ...deposit, candidates: own.map(({ verificationUuid }) => verificationUuid) }];
}

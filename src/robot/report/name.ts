import type { Tx } from '../../db/transaction.ts';
import { creditNamed, releaseDeposits } from '../deposit/lifecycle.ts';
import type { RobotDeps } from '../deps.ts';
import { orderLookUp } from '../expectation/schedule.ts';
import type { Expectation } from '../expectation/store.ts';
import * as expectations from '../expectation/store.ts';
import { NOT_JUDGED } from './verdict.ts';

export interface Naming {
  txHash: string;
  vout: string | null;
  txHashSource: 'report' | 'status';
}

/** D-18: the originating VASP has named its transaction. It is credited at once, or looked up. */
export function nameTransaction(deps: RobotDeps, tx: Tx, expectation: Expectation, naming: Naming): void {
  const patch = isSame(expectation, naming)
    ? naming
    : { ...naming, ...NOT_LOOKED_UP, namedAt: deps.clock.now(expectation.vaspId) };
  const named = { ...expectation, ...patch };
  expectations.patch(tx, expectation.verificationUuid, patch);
  if (!creditNamed(deps, tx, named)) orderLookUp(deps, tx, named);
  releaseDeposits(deps, tx, expectation);
}

const isSame = ({ txHash, vout }: Expectation, naming: Naming): boolean =>
  txHash === naming.txHash && vout === naming.vout;

/** What is known of the transaction that was named before. */
const NOT_LOOKED_UP = { creditLostAt: null, senderAccount: null, senderSequence: null, ...NOT_JUDGED };

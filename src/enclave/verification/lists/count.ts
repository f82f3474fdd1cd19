import { countsOf } from '../../../db/count-by.ts';
import type { Db } from '../../../db/open.ts';
import { verificationMachine } from '../machine.ts';
import type { VerificationSearch } from './search/store.ts';

const ACTIONS = { originating: 'SEND', beneficiary: 'RECEIVE' } as const;

/** Number of verifications that a search finds on all pages, from the stored counts. Null: nobody counts by its filters. */
export function countVerifications(db: Db, search: VerificationSearch, caller: string): number | null {
  const { words, reason, role, status, result, symbol } = search;
  if (words.length > 0 || reason !== undefined) return null;
  const fits = ([action, its, asset]: string[]) =>
    (role === undefined || action === 'BOTH' || action === ACTIONS[role]) &&
    (status === undefined || (status === 'OPEN') === (its === verificationMachine.initial)) &&
    (result === undefined || its === result) &&
    (symbol === undefined || asset === symbol);
  return countsOf(db, `verifications ${caller}`)
    .filter(({ values }) => fits(values))
    .reduce((sum, { count }) => sum + count, 0);
}

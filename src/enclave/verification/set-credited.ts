import { refusals } from '../../contract/refusals.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { write } from '../../db/transaction.ts';
import type { EnclaveDeps } from '../deps.ts';
import * as verifications from './store.ts';

/** D-14, D-15: once the deposit is credited, reports are refused. */
export function setCredited(
  deps: Pick<EnclaveDeps, 'db'>,
  uuid: string,
  isCredited: boolean,
  caller: CallerId,
): void {
  const row = verifications.find(deps.db, uuid);
  if (row?.beneficiaryVaspId !== caller) throw refusals.verificationMissing(uuid);
  write(deps.db, tx => verifications.patch(tx, row.id, { isCredited }));
}

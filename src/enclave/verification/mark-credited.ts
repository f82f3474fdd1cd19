import { refusals } from '../../contract/refusals.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { write } from '../../db/transaction.ts';
import type { EnclaveDeps } from '../deps.ts';

type Deps = Pick<EnclaveDeps, 'db' | 'verifications'>;

/** D-14, D-15: once the deposit is credited, reports are refused. */
export const markCredited = (deps: Deps, uuid: string, caller: CallerId): void =>
  setCredited(deps, uuid, caller, true);

/** The credit was taken back: reports are accepted again. */
export const markNotCredited = (deps: Deps, uuid: string, caller: CallerId): void =>
  setCredited(deps, uuid, caller, false);

function setCredited(deps: Deps, uuid: string, caller: CallerId, isCredited: boolean): void {
  const row = deps.verifications.find(uuid);
  if (row?.beneficiaryVaspId !== caller) throw refusals.verificationMissing(uuid);
  write(deps.db, tx => deps.verifications.patch(tx, row.id, { isCredited }));
}

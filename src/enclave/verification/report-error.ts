import { isDeepStrictEqual } from 'node:util';
import { refusals } from '../../contract/refusals.ts';
import type { Accepted, ReportErrorRequest } from '../../contract/requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { write } from '../../db/transaction.ts';
import { transition } from '../../db/transition.ts';
import { enqueue } from '../callbacks/enqueue.ts';
import { type EnclaveDeps, nowFor, type OutboxDeps } from '../deps.ts';
import { requireForAction } from './get.ts';
import { verificationStatus } from './machine.ts';

/** WIRE-2.8, D-15: the transfer is cancelled for good. A repeated report changes nothing. */
export function reportError(
  deps: OutboxDeps & Pick<EnclaveDeps, 'db' | 'isHosted'>,
  { verificationUuid: uuid, result, reason, message = '' }: ReportErrorRequest,
  caller: CallerId,
): Accepted {
  const row = requireForAction(deps, uuid, caller);
  if (row.originatingVaspId !== caller) throw refusals.notOriginator();
  const errorReport = { result, reason, message };
  if (isDeepStrictEqual(row.errorReport, errorReport)) return { result: true };
  if (row.status !== 'VERIFIED') throw refusals.notVerified(uuid);
  if (row.isCredited) throw refusals.alreadyReported(uuid);
  const at = nowFor(deps, caller, row.beneficiaryVaspId);
  write(deps.db, tx => {
    transition(tx, verificationStatus, row, 'error-reported', {
      patch: { reason, message, errorReport },
      at,
      cause: `the originating VASP reported ${result} / ${reason}`,
    });
    enqueue(deps, tx, row, {
      receiverVaspId: row.beneficiaryVaspId,
      callbackType: 'ERROR_REPORT',
      data: { verificationUuid: uuid, ...errorReport },
    });
  });
  return { result: true };
}

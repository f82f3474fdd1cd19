import type { AssetSymbol } from '../../contract/assets.ts';
import type { Tx } from '../../db/transaction.ts';
import { transition } from '../../db/transition.ts';
import { type EnclaveDeps, nowFor, type OutboxDeps } from '../deps.ts';
import { complete } from './complete.ts';
import { verificationStatus } from './machine.ts';
import { reportError } from './reports.ts';
import type { Verification } from './store.ts';
import * as verifications from './store.ts';

type Deps = OutboxDeps & Pick<EnclaveDeps, 'db' | 'isHosted' | 'timeoutMs'>;

/**
 * D-33: the chain of `symbol` started over. Its open verifications end as ERROR, and so do those of the resident VASP
 * that are VERIFIED but unpaid. `isPaid`: the resident VASP has paid a verification. Returns how many have ended.
 */
export function endVerificationsOn(
  deps: Deps,
  tx: Tx,
  symbol: AssetSymbol,
  message: string,
  isPaid: (verificationUuid: string) => boolean,
): number {
  const unpaid = verifications
    .unpaidOn(tx, symbol)
    .filter(row => isConcerned(deps, row) && !isPaid(row.uuid));
  for (const row of unpaid) end(deps, tx, row, message);
  return unpaid.length;
}

const isConcerned = (
  { residentVaspId }: Deps,
  { status, originatingVaspId, beneficiaryVaspId }: Verification,
): boolean => status === 'OPEN' || [originatingVaspId, beneficiaryVaspId].includes(residentVaspId);

function end(deps: Deps, tx: Tx, row: Verification, message: string): void {
  const verdict = { result: 'ERROR', reason: 'UNDEFINED-ERROR', message } as const;
  if (row.status === 'OPEN') return complete(deps, tx, row, { verdict });
  if (row.originatingVaspId === deps.residentVaspId)
    return void reportError(deps, { verificationUuid: row.uuid, ...verdict }, deps.residentVaspId);
  transition(tx, verificationStatus, row, 'chain-restarted', {
    patch: { reason: verdict.reason, message },
    at: nowFor(deps, row.originatingVaspId, row.beneficiaryVaspId),
    cause: message,
  });
}

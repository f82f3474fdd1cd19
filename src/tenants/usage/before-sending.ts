import type { CallerId } from '../../contract/tenancy.ts';
import { write } from '../../db/transaction.ts';
import type { Sending } from '../../sandbox/deps.ts';
import type { TenantsDeps } from '../deps.ts';
import { isFree } from './limits.ts';
import { type QuotaDeps, requireRoom } from './quotas.ts';

type Deps = QuotaDeps & Pick<TenantsDeps, 'db' | 'sandbox'>;

/**
 * Counts a transaction that a VASP sends to an embedded chain, and keeps whose it is. Both are committed before it is sent.
 * The operator has no quotas, and what it sends is nobody's. Throws `Refusal` quota-exceeded.
 */
export function beforeSending(deps: Deps, transaction: Sending, caller: CallerId): void {
  if (isFree(deps, caller)) return;
  const { db, sandbox, usage } = deps;
  const loads = [
    ['chainGasPerDay', transaction.gas],
    ['chainBytesPerDay', transaction.bytes],
  ] as const;
  for (const [quota, adding] of loads)
    requireRoom(deps, caller, quota, { used: usage.usedToday(caller, quota), adding });
  write(db, tx => {
    for (const [quota, adding] of loads) if (adding > 0) usage.spend(caller, quota, adding);
    sandbox.robot.noteSubmission(tx, transaction, caller);
  });
}

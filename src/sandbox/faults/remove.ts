import { refusals } from '../../contract/refusals.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { write } from '../../db/transaction.ts';
import type { SandboxDeps } from '../deps.ts';

export function removeFault(deps: SandboxDeps, id: string, caller: CallerId) {
  if (!/^\d{1,15}$/.test(id) || !deps.faults.remove(caller, Number(id)))
    throw refusals.notFound(`Fault(${id.slice(0, 64)})`);
  return { removed: 1 };
}

export function removeFaults(deps: SandboxDeps, caller: CallerId) {
  const removed = deps.faults.active(caller).length;
  write(deps.db, tx => deps.faults.removeOf(tx, caller));
  return { removed };
}

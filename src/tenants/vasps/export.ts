import { rowsOfVasp } from '../../db/rows-of-vasp.ts';
import { toIso } from '../../kernel/clock.ts';
import { presentVasp } from '../../sandbox/vasps/list.ts';
import type { TenantsDeps } from '../deps.ts';
import { requireTenant } from './change.ts';

/** Everything about a VASP, without keys and tokens. Throws `Refusal` not-found. */
export function exportTenant(deps: TenantsDeps, vaspId: string) {
  const { registeredAt } = requireTenant(deps, vaspId);
  // The newest exchanges may still wait to be written.
  deps.sandbox.exchanges.listOf(vaspId, { limit: 1 });
  return {
    format: 'robot-vasp export 1' as const,
    exportedAt: toIso(deps.now()),
    vasp: { ...presentVasp(deps.sandbox.enclave.findVasp(vaspId)!), registeredAt: toIso(registeredAt) },
    ...rowsOfVasp(deps.db, vaspId),
  };
}

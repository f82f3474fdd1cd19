import { actAs } from '../../contract/tenancy.ts';
import { schemaVersion } from '../../db/import-rows.ts';
import { rowsOfVasp } from '../../db/rows-of-vasp.ts';
import { toIso } from '../../kernel/clock.ts';
import { presentVasp } from '../../sandbox/vasps/list.ts';
import type { TenantsDeps } from '../deps.ts';
import { DAILY } from '../usage/quotas.ts';
import { requireTenant } from './change.ts';
import { EXPORT_FORMAT } from './schema.ts';

/**
 * Everything about a VASP. Keys are not in it; tokens, secrets and the addresses of endpoints are encrypted with DATA_KEY,
 * so that another cell can go on. Throws `Refusal` not-found.
 */
export function exportTenant(deps: TenantsDeps, vaspId: string) {
  const { registeredAt, suspendedAt, quotas } = requireTenant(deps, vaspId);
  const { clock, enclave, exchanges } = deps.sandbox;
  // The newest exchanges may still wait to be written.
  exchanges.listOf(actAs(vaspId), { limit: 1 });
  return {
    format: EXPORT_FORMAT,
    schema: schemaVersion(deps.db),
    cell: deps.settings.cell,
    exportedAt: toIso(deps.now()),
    isSuspended: suspendedAt !== null,
    vasp: { ...presentVasp(enclave.findVasp(vaspId)!), registeredAt: toIso(registeredAt) },
    sealed: enclave.sealedVasp(vaspId),
    quotas,
    usedToday: Object.fromEntries(DAILY.map(name => [name, deps.usage.usedToday(vaspId, name)])),
    aheadMs: clock.aheadOf(vaspId),
    ...rowsOfVasp(deps.db, vaspId),
  };
}

import type * as z from 'zod';
import { refusals } from '../../contract/refusals.ts';
import { actAs } from '../../contract/tenancy.ts';
import { write } from '../../db/transaction.ts';
import type { TenantsDeps } from '../deps.ts';
import { presentTenant } from './list.ts';
import type { TenantPatch } from './schema.ts';
import type { Tenant } from './store.ts';

/** Throws `Refusal` not-found. */
export function requireTenant({ tenants }: TenantsDeps, vaspId: string): Tenant {
  const tenant = tenants.find(vaspId);
  if (!tenant || tenant.forgottenAt !== null) throw refusals.notFound(`VASP(${vaspId.slice(0, 64)})`);
  return tenant;
}

/**
 * A suspension closes the open streams of the VASP at once and ends its runs. Callbacks and status queries to it wait for
 * the end of the suspension. Throws `Refusal` not-found.
 */
export async function changeTenant(
  deps: TenantsDeps,
  vaspId: string,
  { suspended, quotas }: z.output<typeof TenantPatch>,
) {
  const tenant = requireTenant(deps, vaspId);
  const own = Object.entries({ ...tenant.quotas, ...quotas }).filter(([, value]) => value != null);
  const suspendedAt =
    suspended === undefined ? tenant.suspendedAt : suspended ? (tenant.suspendedAt ?? deps.now()) : null;
  write(deps.db, tx => {
    deps.tenants.change(tx, vaspId, { quotas: Object.fromEntries(own), suspendedAt });
    const registration = deps.sandbox.enclave.findVasp(vaspId);
    if (registration && registration.isActive !== (suspendedAt === null))
      deps.sandbox.enclave.saveVasp({ ...registration, isActive: suspendedAt === null });
    if (suspendedAt !== null || tenant.suspendedAt === null) return;
    deps.sandbox.enclave.recoverCallbacks(vaspId);
    deps.sandbox.robot.resumeInquiries(tx, vaspId);
  });
  if (suspendedAt !== null) {
    closeConnections(deps, vaspId);
    await endRuns(deps, vaspId);
  }
  return presentTenant(deps, requireTenant(deps, vaspId));
}

export function closeConnections({ keys, connections }: TenantsDeps, vaspId: string): void {
  for (const { id } of keys.ofVasp(vaspId)) connections.close(id);
}

export async function endRuns({ sandbox: { plans } }: TenantsDeps, vaspId: string): Promise<void> {
  const caller = actAs(vaspId);
  for (const { id, endedAt } of plans.list(caller)) if (endedAt === null) await plans.stopRun(id, caller);
}

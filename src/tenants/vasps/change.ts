import type * as z from 'zod';
import { refusals } from '../../contract/refusals.ts';
import { QUOTA_NAMES, type QuotaName } from '../../contract/tenancy.ts';
import { write } from '../../db/transaction.ts';
import { toIso } from '../../kernel/clock.ts';
import type { TenantsDeps } from '../deps.ts';
import { isOver } from '../key-store.ts';
import { claimByOperator } from '../trials/trial.ts';
import { readQuotas, trialEndOf } from '../usage.ts';
import type { TenantPatch, TenantsQuery } from './schema.ts';
import { inOrder, type Tenant } from './store.ts';

/** Throws `Refusal` not-found. */
export function requireTenant({ tenants }: TenantsDeps, vaspId: string): Tenant {
  const tenant = tenants.find(vaspId);
  if (!tenant || tenant.forgottenAt !== null || tenants.isClosing(vaspId))
    throw refusals.notFound(`VASP(${vaspId.slice(0, 64)})`);
  return tenant;
}

/**
 * A suspension closes the open streams of the VASP at once and ends its runs. Callbacks and status queries to it wait for
 * the end of the suspension. Throws `Refusal` not-found, invalid-field.
 */
export async function changeTenant(
  deps: TenantsDeps,
  vaspId: string,
  { suspended, quotas, claimed }: z.output<typeof TenantPatch>,
  address: string,
) {
  const tenant = requireTenant(deps, vaspId);
  if (claimed) claimByOperator(deps, vaspId, { role: 'operator', key: null, address });
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
  auditChange(deps, tenant, requireTenant(deps, vaspId), address);
  if (suspendedAt !== null) {
    closeConnections(deps, vaspId);
    await deps.sandbox.runs.stopOf(vaspId);
  }
  return presentTenant(deps, requireTenant(deps, vaspId));
}

/** One entry for each thing that has changed. */
function auditChange(deps: TenantsDeps, before: Tenant, after: Tenant, address: string): void {
  const { vaspId } = after;
  const value = ({ quotas }: Tenant, name: QuotaName) => quotas[name] ?? 'as configured';
  const entries = QUOTA_NAMES.filter(name => before.quotas[name] !== after.quotas[name]).map(name => ({
    action: `quota ${name}`,
    target: `${vaspId}: ${value(before, name)} → ${value(after, name)}`,
  }));
  if ((before.suspendedAt === null) !== (after.suspendedAt === null))
    entries.push({ action: after.suspendedAt === null ? 'resumed' : 'suspended', target: vaspId });
  const common = { at: deps.now(), role: 'operator', vaspId, key: null, address, outcome: 200 } as const;
  for (const entry of entries) deps.audit.add({ ...common, ...entry });
}

function closeConnections({ keys, connections }: TenantsDeps, vaspId: string): void {
  for (const { id } of keys.ofVasp(vaspId)) connections.close(id);
}

function presentTenant(deps: TenantsDeps, { vaspId, suspendedAt, registeredAt }: Tenant) {
  const registration = deps.sandbox.enclave.findVasp(vaspId);
  const keys = deps.keys.ofVasp(vaspId).filter(key => !isOver(key, deps.now()));
  const lastSeenAt = Math.max(0, ...keys.map(key => key.lastUsedAt ?? 0));
  return {
    vaspId,
    name: registration?.name ?? vaspId,
    suspended: suspendedAt !== null,
    trialEndsAt: trialEndOf(deps, vaspId),
    health: registration?.health ?? ('UP' as const),
    registeredAt: toIso(registeredAt),
    lastSeenAt: lastSeenAt === 0 ? null : toIso(lastSeenAt),
    keys: keys.length,
    quotas: readQuotas(deps, vaspId),
  };
}

/** In the order of registration. A position stays one when its VASP is forgotten: an id is taken for ever. */
export function listTenants(deps: TenantsDeps, { after, limit }: z.output<typeof TenantsQuery>) {
  const from = after === undefined ? undefined : deps.tenants.find(after);
  if (after !== undefined && !from) throw refusals.invalidField('after', 'should be a position from a previous answer');
  const behind = deps.tenants.all().filter(tenant => !from || inOrder(from, tenant) < 0);
  const page = behind.slice(0, limit);
  return {
    tenants: page.map(tenant => presentTenant(deps, tenant)),
    next: limit < behind.length ? page.at(-1)!.vaspId : null,
  };
}

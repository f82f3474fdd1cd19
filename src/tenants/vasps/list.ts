import type * as z from 'zod';
import { toIso } from '../../kernel/clock.ts';
import type { TenantsDeps } from '../deps.ts';
import { isOver } from '../keys/store.ts';
import { readQuotas, trialEndOf } from '../usage/read.ts';
import type { TenantsQuery } from './schema.ts';
import type { Tenant } from './store.ts';

export async function presentTenant(deps: TenantsDeps, { vaspId, suspendedAt, registeredAt }: Tenant) {
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
    quotas: await readQuotas(deps, vaspId),
  };
}

/** In the order of registration. */
export async function listTenants(deps: TenantsDeps, { after, limit }: z.output<typeof TenantsQuery>) {
  const all = deps.tenants.all();
  const from = after === undefined ? 0 : all.findIndex(({ vaspId }) => vaspId === after) + 1;
  const page = all.slice(from, from + limit);
  return {
    tenants: await Promise.all(page.map(tenant => presentTenant(deps, tenant))),
    next: from + limit < all.length ? page.at(-1)!.vaspId : null,
  };
}

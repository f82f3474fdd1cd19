import type * as z from 'zod';
import { toIso } from '../../kernel/clock.ts';
import { isOver } from '../keys/store.ts';
import { readQuotas, trialEndOf, type UseDeps } from '../usage/current-use.ts';
import type { QuotaDeps } from '../usage/quotas.ts';
import type { TenantsQuery } from './schema.ts';
import type { Tenant } from './store.ts';

type Deps = QuotaDeps & UseDeps;

export async function presentTenant(deps: Deps, { vaspId, suspendedAt, registeredAt }: Tenant) {
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
export async function listTenants(deps: Deps, { after, limit }: z.output<typeof TenantsQuery>) {
  const all = deps.tenants.all();
  const from = after === undefined ? 0 : all.findIndex(({ vaspId }) => vaspId === after) + 1;
  const page = all.slice(from, from + limit);
  return {
    tenants: await Promise.all(page.map(tenant => presentTenant(deps, tenant))),
    next: from + limit < all.length ? page.at(-1)!.vaspId : null,
  };
}

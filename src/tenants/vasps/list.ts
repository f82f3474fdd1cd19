import type * as z from 'zod';
import { refusals } from '../../contract/refusals.ts';
import { toIso } from '../../kernel/clock.ts';
import type { TenantsDeps } from '../deps.ts';
import { isOver } from '../keys/store.ts';
import { readQuotas, trialEndOf } from '../usage/current-use.ts';

import type { TenantsQuery } from './schema.ts';
import { inOrder, type Tenant } from './store.ts';

export function presentTenant(deps: TenantsDeps, { vaspId, suspendedAt, registeredAt }: Tenant) {
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

import type { CallerId } from '../contract/tenancy.ts';
import type { Tx } from '../db/transaction.ts';
import type { SignIn } from '../http/caller.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { elapsedMs } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { rateLimit } from '../kernel/rate-limit.ts';
import { hashOf, isSameSecret } from '../kernel/secret-hash.ts';
import { tally } from '../kernel/tally.ts';
import type { SandboxDeps, Sending } from '../sandbox/deps.ts';
import { auditEndpoints } from './audit/routes.ts';
import { auditStore } from './audit/store.ts';
import type { TenantSettings, TenantsDeps } from './deps.ts';
import { createGate } from './gate.ts';
import { invitationEndpoints } from './invitations/routes.ts';
import { keyEndpoints } from './keys/routes.ts';
import { isOver, keyStore } from './keys/store.ts';
import { openConnections } from './open-connections.ts';
import { registrationEndpoints } from './registrations/routes.ts';
import { trialStore } from './trials/store.ts';
import { startUpkeep } from './upkeep.ts';
import { beforeReporting, beforeSending, beforeVerifying, limited } from './usage/limits.ts';
import { quotasOf } from './usage/quotas.ts';
import { usageEndpoints } from './usage/routes.ts';
import { usageStore } from './usage/store.ts';
import { tenantEndpoints } from './vasps/routes.ts';
import { tenantStore } from './vasps/store.ts';

/** The hosted mode: who calls, what each VASP may use, and the operator's actions. */
export type Tenants = ReturnType<typeof createTenants>;

interface Parts {
  sandbox: SandboxDeps;
  settings: TenantSettings;
  log: Log;
}

export function createTenants({ sandbox, settings, log }: Parts) {
  const { db, random, clock } = sandbox;
  const connections = openConnections();
  const deps: TenantsDeps = {
    db,
    settings,
    random,
    now: clock.machineNow,
    elapsed: elapsedMs,
    tenants: tenantStore(db),
    keys: keyStore(db, connections),
    trials: trialStore(db),
    strangers: rateLimit(elapsedMs),
    usage: usageStore(db, clock.machineNow),
    audit: auditStore(db, log),
    connections,
    underWay: tally(),
    sandbox,
  };
  const endUpkeep = startUpkeep(deps, log);
  return {
    gate: createGate(deps),
    /** The most callbacks to a VASP that wait for its answer. */
    callbacksInFlight: (vaspId: string) => quotasOf(deps, vaspId).callbacksInFlight,
    /** The same endpoints, within the quotas. */
    limited: (endpoints: readonly Endpoint[]) => limited(deps, endpoints),
    /** As in `SandboxDeps`. */
    beforeSending: (transaction: Sending, caller: CallerId) => beforeSending(deps, transaction, caller),
    /** As in `EnclaveDeps`. */
    beforeVerifying: (tx: Tx, vaspId: string) => beforeVerifying(deps, tx, vaspId),
    beforeReporting: (tx: Tx, vaspId: string) => beforeReporting(deps, tx, vaspId),
    /** The VASP that has or had this key. */
    vaspOf: (key: string) => deps.keys.findByHash(hashOf(key))?.vaspId,
    /** Undefined: nobody has this key. */
    whoHas(key: string): SignIn | undefined {
      const hash = hashOf(key);
      if (isSameSecret(hash, settings.operatorKeyHash)) return { role: 'operator' };
      const found = deps.keys.findByHash(hash);
      return found && !isOver(found, deps.now()) ? { role: 'vasp', keyId: found.id } : undefined;
    },
    endpoints: [
      ...registrationEndpoints(deps),
      ...keyEndpoints(deps),
      ...usageEndpoints(deps),
      ...auditEndpoints(deps),
      ...invitationEndpoints(deps),
      ...tenantEndpoints(deps),
    ],
    stop: endUpkeep,
  };
}

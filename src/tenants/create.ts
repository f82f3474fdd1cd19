import type { CallerId } from '../contract/tenancy.ts';
import { write } from '../db/transaction.ts';
import type { SignIn } from '../http/caller.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { interval } from '../kernel/interval.ts';
import type { Log } from '../kernel/log.ts';
import { rateLimit } from '../kernel/rate-limit.ts';
import { hashOf, isSameHash } from '../kernel/secret-hash.ts';
import { storageTrouble } from '../kernel/storage-trouble.ts';
import { startSweep } from '../kernel/sweep.ts';
import type { SandboxDeps } from '../sandbox/deps.ts';
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
import { type ChainLoad, limited, spendOnChain } from './usage/limits.ts';
import { quotasOf } from './usage/quotas.ts';
import { usageEndpoints } from './usage/routes.ts';
import { usageStore } from './usage/store.ts';
import { forget } from './vasps/forget.ts';
import { tenantEndpoints } from './vasps/routes.ts';
import { tenantStore } from './vasps/store.ts';

/** The hosted mode: who calls, what each VASP may use, and the operator's actions. */
export type Tenants = ReturnType<typeof createTenants>;

interface Parts {
  sandbox: SandboxDeps;
  settings: TenantSettings;
  log: Log;
}

/** For this time an expired key may still read an open stream, and `lastUsedAt` may be this old after a crash. */
const EXPIRY_MS = 1_000;
const FLUSH_MS = 10_000;

export function createTenants({ sandbox, settings, log }: Parts) {
  const { db, random, clock } = sandbox;
  const deps: TenantsDeps = {
    db,
    settings,
    random,
    now: clock.machineNow,
    elapsed: elapsedMs,
    tenants: tenantStore(db),
    keys: keyStore(db),
    trials: trialStore(db),
    strangers: rateLimit(elapsedMs),
    usage: usageStore(db, clock.machineNow),
    audit: auditStore(db, log),
    connections: openConnections(),
    sandbox,
  };
  const stopExpiry = interval(EXPIRY_MS, () => {
    for (const { id } of deps.keys.expired(deps.now())) deps.connections.close(id);
  });
  const flush = () => {
    try {
      deps.keys.flush();
    } catch (error) {
      if (!storageTrouble(error)) throw error;
    }
  };
  const stopTrials = interval(EXPIRY_MS, trialEnder(deps, log));
  const stopFlush = interval(FLUSH_MS, flush);
  const { auditRetentionMs } = settings;
  const sweepAudit = () => deps.audit.removeOld(deps.now() - auditRetentionMs);
  const stopSweep =
    auditRetentionMs === 0 ? () => {} : startSweep(sweepAudit, log, 'the sweep of the audit log failed');
  return {
    gate: createGate(deps),
    /** The most callbacks to a VASP that wait for its answer. */
    callbacksInFlight: (vaspId: string) => quotasOf(deps, vaspId).callbacksInFlight,
    /** The same endpoints, within the quotas. */
    limited: (endpoints: readonly Endpoint[]) => limited(deps, endpoints),
    /** Counts a transaction to an embedded chain. Throws `Refusal` quota-exceeded. */
    spendOnChain: (vaspId: CallerId, load: ChainLoad) => spendOnChain(deps, vaspId, load),
    /** The VASP that has or had this key. */
    vaspOf: (key: string) => deps.keys.findByHash(hashOf(key))?.vaspId,
    /** Undefined: nobody has this key. */
    whoHas(key: string): SignIn | undefined {
      const hash = hashOf(key);
      if (isSameHash(hash, settings.operatorKeyHash)) return { role: 'operator' };
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
    stop(): void {
      stopExpiry();
      stopTrials();
      stopFlush();
      stopSweep();
      flush();
    },
  };
}

/**
 * Ends the trials whose time is over. An ended VASP is forgotten at the next call, so that its open streams show the end. A
 * kill in between leaves one that is forgotten after the restart.
 */
function trialEnder(deps: TenantsDeps, log: Log): () => Promise<void> {
  let isBusy = false;
  return async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      for (const vaspId of deps.trials.ended()) await forget(deps, vaspId);
      endOver(deps);
    } catch (error) {
      if (!storageTrouble(error)) log.error({ err: String(error) }, 'a trial could not be ended');
    } finally {
      isBusy = false;
    }
  };
}

function endOver(deps: TenantsDeps): void {
  const at = deps.now();
  for (const trial of deps.trials.alive().filter(({ endsAt }) => endsAt <= at)) {
    const { vaspId } = trial;
    write(deps.db, tx => deps.trials.move(tx, trial, 'ended', at, 'nobody claimed the trial in its time'));
    deps.audit.add({
      at,
      role: 'nobody',
      vaspId,
      key: null,
      address: '',
      action: 'trial ended',
      target: vaspId,
      outcome: 200,
    });
  }
}

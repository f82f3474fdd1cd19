import type { CallerId } from '../contract/tenancy.ts';
import { type Tx, write } from '../db/transaction.ts';
import type { SignIn } from '../http/caller.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { elapsedMs, interval } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { rateLimit, tally } from '../kernel/rate-limit.ts';
import { hashOf, isSameSecret } from '../kernel/secrets.ts';
import { storageTrouble } from '../kernel/storage-trouble.ts';
import { startSweep } from '../kernel/turns.ts';
import type { SandboxDeps, Sending } from '../sandbox/deps.ts';
import { auditEndpoints } from './audit.ts';
import type { TenantSettings, TenantsDeps } from './deps.ts';
import { createGate } from './gate.ts';
import { keyEndpoints } from './keys.ts';
import { registrationEndpoints } from './registrations.ts';
import { auditStore, isOver, keyStore, openConnections, tenantStore, trialStore, usageStore } from './store.ts';
import { close, forgetClosing, tenantEndpoints } from './tenants.ts';
import { beforeReporting, beforeSending, beforeVerifying, limited, quotasOf, usageEndpoints } from './usage.ts';

interface Parts {
  sandbox: SandboxDeps;
  settings: TenantSettings;
  log: Log;
}

/** The hosted mode: who calls, what each VASP may use, and the operator's actions. */
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
    audit: auditStore(db, log, clock.machineNow),
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
      ...tenantEndpoints(deps),
    ],
    stop: endUpkeep,
  };
}

/** For this time an expired key may still read an open stream, and `lastUsedAt` may be this old after a crash. */
const EXPIRY_MS = 1_000;
const FLUSH_MS = 10_000;

/** What time ends: keys, trials and entries of the audit log. The returned function ends it, and stores the rest. */
function startUpkeep(deps: TenantsDeps, log: Log): () => void {
  const { keys, connections, audit, now, settings } = deps;
  const { auditRetentionMs } = settings;
  const closeExpired = () => {
    for (const { id } of keys.expired(now())) connections.close(id);
  };
  const flush = () => {
    try {
      keys.flush();
    } catch (error) {
      if (!storageTrouble(error)) throw error;
    }
  };
  const sweepAudit = () => audit.removeOld(now() - auditRetentionMs);
  const stops = [
    interval(EXPIRY_MS, closeExpired),
    interval(EXPIRY_MS, trialEnder(deps, log)),
    interval(FLUSH_MS, flush),
    ...(auditRetentionMs === 0 ? [] : [startSweep(sweepAudit, log, 'the sweep of the audit log failed')]),
  ];
  return () => {
    for (const stop of stops) stop();
    flush();
  };
}

/**
 * Ends the trials whose time is over, and goes on with VASPs that are closing. A VASP whose trial has ended is forgotten at
 * the next call, so that its open streams show the end. A kill in between leaves one that is forgotten after the restart.
 */
function trialEnder(deps: TenantsDeps, log: Log): () => Promise<void> {
  let isBusy = false;
  /** One VASP keeps no other one from its end. */
  async function unlessTrouble(work: () => Promise<void> | void): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!storageTrouble(error)) log.error({ err: String(error) }, 'a VASP could not be forgotten');
    }
  }
  return async () => {
    if (isBusy) return;
    isBusy = true;
    for (const vaspId of deps.trials.ended()) await unlessTrouble(() => close(deps, vaspId));
    for (const vaspId of deps.tenants.closing()) await unlessTrouble(() => forgetClosing(deps, vaspId));
    await unlessTrouble(() => endOver(deps));
    isBusy = false;
  };
}

function endOver(deps: TenantsDeps): void {
  const at = deps.now();
  for (const trial of deps.trials.alive().filter(({ endsAt }) => endsAt <= at)) {
    const { vaspId } = trial;
    write(deps.db, tx => deps.trials.move(tx, trial, 'ended', at, 'nobody claimed the trial in its time'));
    deps.audit.add({ role: 'nobody', vaspId, action: 'trial ended', target: vaspId });
  }
}

import { write } from '../db/transaction.ts';
import { interval } from '../kernel/interval.ts';
import type { Log } from '../kernel/log.ts';
import { storageTrouble } from '../kernel/storage-trouble.ts';
import { startSweep } from '../kernel/sweep.ts';
import type { TenantsDeps } from './deps.ts';
import { close, forgetClosing } from './vasps/forget.ts';

/** For this time an expired key may still read an open stream, and `lastUsedAt` may be this old after a crash. */
const EXPIRY_MS = 1_000;
const FLUSH_MS = 10_000;

/** What time ends: keys, trials and entries of the audit log. The returned function ends it, and stores the rest. */
export function startUpkeep(deps: TenantsDeps, log: Log): () => void {
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

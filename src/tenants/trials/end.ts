import { write } from '../../db/transaction.ts';
import type { Log } from '../../kernel/log.ts';
import { storageTrouble } from '../../kernel/storage-trouble.ts';
import type { TenantsDeps } from '../deps.ts';
import { forget } from '../vasps/forget.ts';

/**
 * Ends the trials whose time is over. An ended VASP is forgotten at the next call, so that its open streams show the end. A
 * kill in between leaves one that is forgotten after the restart.
 */
export function trialEnder(deps: TenantsDeps, log: Log): () => Promise<void> {
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

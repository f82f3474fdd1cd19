import { refusals } from '../../contract/refusals.ts';
import { TRIAL } from '../../contract/trials.ts';
import type { Tx } from '../../db/transaction.ts';
import { networkOf } from '../../http/proxies.ts';
import { toIso } from '../../kernel/clock.ts';
import type { TenantsDeps } from '../deps.ts';

type Deps = Pick<TenantsDeps, 'now' | 'trials'>;

const DAY_MS = 86_400_000;
const IPV4_BITS = 24;
const SOON_S = 3_600;

/** Throws `Refusal` quota-exceeded. `address`: of whom wants one. */
export function requireTrialRoom({ trials, now }: Deps, address: string): void {
  const { count, first } = trials.ofNetwork(networkOf(address, IPV4_BITS), now() - DAY_MS);
  if (count >= TRIAL.perNetwork) {
    const freesAt = first! + DAY_MS;
    const limit = `trials (${TRIAL.perNetwork} in 24 hours from one network of addresses, ${count} used)`;
    const waitS = Math.ceil((freesAt - now()) / 1_000);
    throw refusals.quotaExceeded(limit, `It frees at ${toIso(freesAt)}. ${INVITED}`, waitS);
  }
  const used = trials.alive().length;
  if (used >= TRIAL.atOnce)
    throw refusals.quotaExceeded(
      `trials (${TRIAL.atOnce} at once in this sandbox, ${used} used)`,
      `It frees when a trial ends. ${INVITED}`,
      SOON_S,
    );
}

const INVITED = 'With an invitation of the operator you may register at once.';

/** Returns when it ends, epoch ms. */
export function startTrial({ trials, now }: Deps, tx: Tx, vaspId: string, address: string): number {
  const startedAt = now();
  const endsAt = startedAt + TRIAL.lastsMs;
  const network = networkOf(address, IPV4_BITS);
  trials.insert(
    tx,
    { vaspId, network, startedAt, endsAt, isForgotten: false },
    `the VASP registered itself; its trial ends at ${toIso(endsAt)}`,
  );
  return endsAt;
}

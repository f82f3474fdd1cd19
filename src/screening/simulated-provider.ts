import { type HolderOf, isOwnedBy } from './account-owner.ts';
import type { Outage } from './load.ts';
import { AccessRefused, GroupNotFound, ProviderFailed, type ProviderKeys } from './port.ts';

/** What the simulated providers stand on. */
export interface Simulation {
  accepted: ProviderKeys;
  holderOf: HolderOf;
  outages: readonly Outage[];
  /** Identifiers that the providers issue. */
  newId(): string;
  /** How long a slow provider takes. */
  answerMs: number;
}

export function checkKey(
  sim: Simulation,
  keys: ProviderKeys,
  key: Exclude<keyof ProviderKeys, 'wcoGroupId'>,
) {
  if (keys[key] !== sim.accepted[key]) throw new AccessRefused();
}

/** REF-7: denied and unknown are the same answer. */
export function checkGroup(sim: Simulation, keys: ProviderKeys): void {
  if (keys.wcoGroupId !== sim.accepted.wcoGroupId) throw new GroupNotFound();
}

/** Throws `ProviderFailed` for as many attempts as the data says about this account. */
export async function checkOutage(
  sim: Simulation,
  made: Pick<Outage, 'provider' | 'call'> & { asset: string; address: string; attempt: number },
): Promise<void> {
  const relevant = sim.outages.filter(
    ({ provider, call }) => provider === made.provider && call === made.call,
  );
  if (relevant.length === 0) return;
  const holder = await sim.holderOf(made.asset, made.address);
  if (relevant.some(outage => made.attempt <= outage.times && isOwnedBy(outage.of, made.address, holder)))
    throw new ProviderFailed('the provider answered with an error');
}

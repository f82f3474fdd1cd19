import { addressKeys, isOwnedBy } from './account-owner.ts';
import type { SanctionList } from './load.ts';
import type { Listing, SanctionScreening, ScreenedAddress } from './port.ts';
import { admit, type Simulation } from './simulated-provider.ts';

/** REF-2.5 by lists of published addresses and of users of the robot. The first list with the address decides. */
export function simulatedSanction(lists: readonly SanctionList[], sim: Simulation): SanctionScreening {
  return {
    async screen(keys, subject) {
      await admit(sim, keys, { provider: 'sanction', call: 'screen' }, { ...subject, attempt: 1 });
      return { listing: await listingOf(lists, sim, subject) };
    },
  };
}

export async function listingOf(
  lists: readonly SanctionList[],
  sim: Pick<Simulation, 'holderOf'>,
  { asset, address }: ScreenedAddress,
): Promise<Listing | null> {
  const holder = await sim.holderOf(asset, address);
  const keys = addressKeys(address);
  const list = lists.find(
    ({ addresses, of }) => keys.some(key => addresses.has(key)) || of.some(owner => isOwnedBy(owner, address, holder)),
  );
  return list ? { name: list.name, description: list.description, url: list.url } : null;
}

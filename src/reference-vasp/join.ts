import { type Answers, type Client, client } from '../client/client.ts';
import { firstWithin } from '../kernel/clock.ts';
import { endpointsOf } from './routes.ts';
import { keptAddress, openStore, removeAddress } from './store.ts';
import { LedgerMissing, NodeUnreachable, type ReferenceVaspOptions, startReferenceVasp } from './vasp.ts';

/** The name under which it registers. */
export const REFERENCE_NAME = 'Reference VASP';

export { LedgerMissing, NodeUnreachable };

export type Joined = Awaited<ReturnType<typeof joinSandbox>>;

/** Another VASP has registered its endpoints. */
export class PlaceTaken extends Error {
  override readonly name = 'PlaceTaken';
}

export interface JoinOptions extends ReferenceVaspOptions {
  /** Also where another VASP has registered its endpoints. */
  replace?: boolean;
}

/** Its payments wait for its money. A run that holds a ledger keeps the faucet waiting for longer. */
const FUNDED_WITHIN_MS = 5_000;

/** Starts the reference VASP and registers it as the calling VASP. Stopping it removes its endpoints. Throws `PlaceTaken`. */
export async function joinSandbox(options: JoinOptions) {
  const api = client(options.url, { apiKey: options.apiKey });
  const { vaspId } = await api.self();
  const before = await registrationOf(api, vaspId);
  const isFree = Object.keys(before.endpoints).length === 0 || before.name === REFERENCE_NAME;
  if (!isFree && !options.replace) throw new PlaceTaken(`VASP ${vaspId} has registered its own endpoints.`);
  const vasp = await startReferenceVasp(options);
  const stop = async () => {
    await leave(api, vaspId, before).catch(() => {});
    await vasp.stop();
  };
  try {
    await api.registerVasp(vaspId, {
      name: REFERENCE_NAME,
      endpoints: vasp.endpoints,
      authorization: { header: 'Authorization', token: vasp.token },
    });
    await firstWithin(FUNDED_WITHIN_MS, [vasp.funded]);
  } catch (error) {
    await stop();
    throw error;
  }
  // With its sandbox: its endpoints stay registered.
  return { ...vasp, vaspId, stop, stopWithSandbox: vasp.stop };
}

/** Removes the addresses of a reference VASP that ended together with its sandbox. */
export async function leaveAfterEnd(url: string, databasePath: string): Promise<void> {
  const store = openStore(databasePath);
  try {
    const address = keptAddress(store);
    if (address === undefined) return;
    const api = client(url);
    const { vaspId } = await api.self();
    const before = await registrationOf(api, vaspId);
    const { driver } = endpointsOf(address);
    if (before.endpoints.driver === driver) await leave(api, vaspId, before);
    removeAddress(store);
  } finally {
    store.close();
  }
}

type Registered = Answers['registerVasp'];

async function registrationOf(api: Client, vaspId: string): Promise<Registered> {
  const { vasps } = await api.registeredVasps();
  return vasps.find(vasp => vasp.vaspId === vaspId)!;
}

/** A sandbox that has ended has nothing to remove. */
async function leave(api: Client, vaspId: string, before: Registered): Promise<void> {
  const name = before.name === REFERENCE_NAME ? 'Tested VASP' : before.name;
  await api.registerVasp(vaspId, { name, endpoints: {} });
}

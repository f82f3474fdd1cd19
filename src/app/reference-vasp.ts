import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { client } from '../client/client.ts';
import { Refusal, refusals } from '../contract/refusals.ts';
import type { Log } from '../kernel/log.ts';
import type { Joined } from '../reference-vasp/join.ts';
import type { ReferenceVaspSwitch } from '../sandbox/reference-vasp/port.ts';
import type { Config } from './config.ts';

/** A failure is the state of the sandbox, not of this program: others may change it meanwhile. */
const finished = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof Refusal ? error : refusals.notFinished((error as Error).message);
  });

/** Runs the reference VASP in this process. It knows the sandbox by its API, like any other VASP. */
export function referenceVaspSwitch(
  config: Config,
  log: Log,
): ReferenceVaspSwitch & { listensAt(url: string): void; stopWithSandbox(): Promise<void> } {
  const inMemory = config.databasePath === ':memory:';
  const databasePath = inMemory ? ':memory:' : join(dirname(config.databasePath), 'reference-vasp.sqlite');
  let url: string | undefined;
  let running: Promise<Joined> | undefined;
  let joined: Joined | undefined;
  let cleared = Promise.resolve();

  async function clear(address: string): Promise<void> {
    if (inMemory || !existsSync(databasePath)) return;
    const { leaveAfterEnd } = await import('../reference-vasp/join.ts');
    await leaveAfterEnd(address, databasePath);
  }

  async function start(caller: string): Promise<void> {
    if (caller !== config.vasp.vaspId)
      throw refusals.placeTaken(
        'Here it plays the configured VASP alone. Start `robot-vasp vasp --api-key` for another one.',
      );
    running ??= joinAt();
    joined = await running.catch(error => {
      running = undefined;
      throw error;
    });
  }

  async function joinAt(): Promise<Joined> {
    await cleared;
    const { joinSandbox, PlaceTaken } = await import('../reference-vasp/join.ts');
    return joinSandbox({ url: url!, databasePath, log }).catch(error => {
      throw error instanceof PlaceTaken ? refusals.placeTaken(error.message) : error;
    });
  }

  async function letGo(): Promise<Joined | undefined> {
    const last = await running?.catch(() => undefined);
    running = undefined;
    joined = undefined;
    return last;
  }

  function current(): Joined {
    if (!joined) throw refusals.notRunning();
    return joined;
  }

  return {
    listensAt(address) {
      url = address;
      cleared = clear(address).catch(err => log.warn({ err }, 'the reference VASP is still registered'));
    },
    state: () =>
      joined
        ? { running: true, vaspId: joined.vaspId, url: joined.url, customers: joined.customers.customers }
        : { running: false, vaspId: null, url: null, customers: [] },
    start,
    stop: async () => (await letGo())?.stop(),
    // A run that goes on after the restart waits for them.
    stopWithSandbox: async () => (await letGo())?.stopWithSandbox(),
    async act(request) {
      const { driveWith } = await import('../sandbox/reference-vasp/drive.ts');
      await finished(driveWith(client(url!), current())(request));
    },
    async fill() {
      const { fill } = await import('../sandbox/reference-vasp/fill.ts');
      return finished(fill(client(url!), current()));
    },
  };
}

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Refused } from '../client/client.ts';
import { refusals } from '../contract/refusals.ts';
import type { Log } from '../kernel/log.ts';
import type { Joined, JoinOptions } from '../reference-vasp/join.ts';
import type { ReferenceVaspSwitch } from '../sandbox/reference-vasp.ts';
import type { Config } from './config/config.ts';

/** Runs the reference VASP in this process. It knows the sandbox by its API, like any other VASP. */
export function referenceVaspSwitch(
  config: Config,
  log: Log,
): ReferenceVaspSwitch & { listensAt(url: string): void; stopWithSandbox(): Promise<void> } {
  const databasePath =
    config.databasePath === ':memory:' ? ':memory:' : join(dirname(config.databasePath), 'reference-vasp.sqlite');
  const nodes = { ETH: config.ethereum.urls[0], XRP: config.xrpl.url };
  let url: string | undefined;
  let running: Promise<Joined> | undefined;
  let joined: Joined | undefined;
  let cleared = Promise.resolve();

  async function start(caller: string): Promise<void> {
    if (caller !== config.vasp.vaspId)
      throw refusals.placeTaken(
        'Here it plays only the configured VASP. Start `robot-vasp vasp --api-key` for another one.',
      );
    running ??= cleared.then(() => joinHere({ url: url!, databasePath, log, nodes }));
    joined = await running.catch(error => {
      running = undefined;
      throw error;
    });
  }

  async function letGo(): Promise<Joined | undefined> {
    const last = await running?.catch(() => undefined);
    running = undefined;
    joined = undefined;
    return last;
  }

  return {
    listensAt(address) {
      url = address;
      cleared = leaveEarlier(address, databasePath).catch(err =>
        log.warn({ err }, 'the reference VASP is still registered'),
      );
    },
    state: () =>
      joined
        ? { running: true, vaspId: joined.vaspId, url: joined.url, customers: joined.customers.customers }
        : { running: false, vaspId: null, url: null, customers: [] },
    start,
    stop: async () => (await letGo())?.stop(),
    // A run that goes on after the restart waits for them.
    stopWithSandbox: async () => (await letGo())?.stopWithSandbox(),
  };
}

/** One that ran when the process was killed. */
async function leaveEarlier(url: string, databasePath: string): Promise<void> {
  if (!existsSync(databasePath)) return;
  const { leaveAfterEnd } = await import('../reference-vasp/join.ts');
  await leaveAfterEnd(url, databasePath);
}

/** Throws `Refusal`. */
async function joinHere(options: JoinOptions): Promise<Joined> {
  const { joinSandbox, NodeUnreachable, PlaceTaken } = await import('../reference-vasp/join.ts');
  return joinSandbox(options).catch(error => {
    if (error instanceof PlaceTaken) throw refusals.placeTaken(error.message);
    if (error instanceof NodeUnreachable) throw refusals.chainUnreachable('XRP', error.message);
    // The faucet of a ledger that is held, for example.
    if (error instanceof Refused && error.code === 'CHAIN-REFUSED')
      throw refusals.chainRefused('running', `cannot be true now: ${error.reason}`);
    if (error.name === 'TimeoutError')
      throw refusals.chainRefused(
        'running',
        'cannot be true now: a faucet does not pay in time. Look at the chain controls, and try again',
      );
    throw error;
  });
}

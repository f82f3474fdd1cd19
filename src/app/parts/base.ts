import { join } from 'node:path';
import { renaming } from '../../contract/vasps.ts';
import { type Db, openDb } from '../../db/open.ts';
import { vaspStore } from '../../enclave/vasps/store.ts';
import * as verifications from '../../enclave/verification/store.ts';
import { createInjector, MAX_FAULTS, MAX_FAULTS_HOSTED } from '../../fault-injection/store.ts';
import { type Clock, nextTurn, steadyClock, systemClock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import { packageRoot } from '../../kernel/program.ts';
import { type Random, systemRandom } from '../../kernel/random.ts';
import { loadUsers } from '../../robot/judge/subject.ts';
import { createUsers } from '../../robot/users/users.ts';
import { exchangeStore } from '../../sandbox/exchanges/store.ts';
import { sandboxClock } from '../../timers/sandbox-clock.ts';
import { createTimers } from '../../timers/timers.ts';
import { type Callers, type CreateCallers, timerLimits } from '../callers/callers.ts';
import { type AppChains, loadedChains } from '../chains/chains.ts';
import type { Config } from '../config/config.ts';
import { createSecretBox } from '../storage.ts';

/** The program depends on these; tests replace them. */
export interface World {
  config: Config;
  log: Log;
  networks: AppChains;
  createCallers: CreateCallers;
  clock?: Clock;
  random?: Random;
  /** Default: opened at the path of the configuration. The app closes it. */
  db?: Db;
}

export type Base = ReturnType<typeof baseParts>;

/** The parts that enclave, robot and sandbox have in common. `callers`: those of the app, once it is made. */
export function baseParts(world: World, callers: () => Callers) {
  const { config, log, networks, random = systemRandom, clock: machineClock = steadyClock(systemClock) } = world;
  const { db = openDb(config.databasePath) } = world;
  const isHosted = config.mode === 'hosted';
  const clock = sandboxClock(db, machineClock);
  const shippedPath = join(packageRoot(), 'fixtures');
  const fixturesPath = config.fixturesPath ?? shippedPath;
  const turnOf = (vaspId: string): Promise<void> => {
    const { inTurn } = callers();
    return inTurn ? new Promise(resolve => void inTurn(vaspId, resolve)) : nextTurn();
  };
  const users = createUsers(db, loadUsers(fixturesPath), () => loadedChains(networks));
  const box = createSecretBox(config);
  return {
    config,
    log,
    networks,
    random,
    machineClock,
    db,
    isHosted,
    clock,
    timers: createTimers({ db, clock, log, maxOf: timerLimits(callers), turnOf: isHosted ? turnOf : undefined }),
    exchanges: exchangeStore(db),
    /** Aborts when the program stops. */
    stopping: new AbortController(),
    shippedPath,
    fixturesPath,
    users,
    callers,
    /** Resolves in a later turn of the event loop: of the VASP, where the VASPs take turns. */
    turnOf,
    names: renaming(config.screening.names),
    box,
    vasps: vaspStore(db, box),
    faults: createInjector({
      db,
      now: clock.now,
      max: isHosted ? MAX_FAULTS_HOSTED : MAX_FAULTS,
      isPartyTo(vaspId, uuid) {
        const row = verifications.find(db, uuid);
        return row?.originatingVaspId === vaspId || row?.beneficiaryVaspId === vaspId;
      },
    }),
    timeoutMs: config.timeoutMs,
  };
}

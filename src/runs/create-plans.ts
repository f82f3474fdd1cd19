import { ASSET_SYMBOLS } from '../contract/assets.ts';
import type { RunReport } from '../contract/plans.ts';
import type { Log } from '../kernel/log.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { createRunner, type PlanRunner } from '../plans/runner.ts';
import type { RunsDeps } from './deps.ts';
import { createRunWorld } from './run-world.ts';

interface PlansDeps extends Omit<RunsDeps, 'runs'> {
  log: Log;
  box: SecretBox;
  /** Time of the machine, epoch ms. */
  now(): number;
}

export function createPlans(deps: PlansDeps): PlanRunner {
  const { db, box, log, now, apiOf, random, clock, networks, enclave, version } = deps;
  let chains: RunReport['chains'] = ASSET_SYMBOLS.map(symbol => ({
    symbol,
    network: networks[symbol].publicUrl,
    id: null,
    embedded: networks[symbol].isEmbedded,
  }));
  const nameChains = async () => {
    chains = await Promise.all(
      chains.map(async each => {
        const chain = await networks[each.symbol as 'ETH' | 'XRP'].chain();
        return { ...each, network: chain.label, id: chain.networkId ?? null, finality: chain.finality };
      }),
    );
  };
  return createRunner({
    db,
    box,
    now,
    nowOf: clock.now,
    uuid: random.uuid,
    fraction: random.fraction,
    async worldOf(run, signal, isResumed) {
      const world = await createRunWorld(deps, { api: apiOf(run.vaspId), run, now, signal, isResumed });
      await nameChains().catch(async error => {
        await world.close();
        throw error;
      });
      return world;
    },
    context: () => ({ tool: `robot-vasp ${version}`, vaspName: enclave.vaspName, chains }),
    onError: error => log.error({ err: String(error), stack: (error as Error).stack }, 'a run failed'),
  });
}

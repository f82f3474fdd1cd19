import { isAssetSymbol } from '../contract/assets.ts';
import type { RiskDeps } from '../enclave/deps.ts';
import type { Random } from '../kernel/random.ts';
import type { Users } from '../robot/users/users.ts';
import { DEVELOPMENT_KEYS } from '../screening/development-keys.ts';
import { loadScreening } from '../screening/load.ts';
import { simulatedScreening } from '../screening/simulated.ts';
import type { Config } from './config.ts';

/** The simulated screening providers, with the users of the VASP that asks. */
export function createScreening(
  config: Config,
  folders: { fixturesPath: string; shippedPath: string },
  { users, random }: { users: Users; random: Random },
): RiskDeps {
  const data = loadScreening(folders.fixturesPath, folders.shippedPath);
  const screening = (vaspId: string) =>
    simulatedScreening(data, {
      accepted: DEVELOPMENT_KEYS,
      holderOf: async (asset, address) =>
        isAssetSymbol(asset) ? (await users.of(vaspId)).findIncludingRemoved(asset, address) : undefined,
      newId: random.uuid,
      answerMs: config.screening.answerMs,
    });
  return { screening, keys: config.screening.keys, usdRates: data.usdRates, scenarios: data.scenarios };
}

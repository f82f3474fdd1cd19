import { ChainRefused, ChainUnreachable } from '../chains/port.ts';
import { isAssetSymbol } from '../contract/assets.ts';
import { hasPart } from '../contract/parts.ts';
import type { RiskDeps } from '../enclave/deps.ts';
import type { Random } from '../kernel/random.ts';
import type { RobotDeps } from '../robot/deps.ts';
import type { Users } from '../robot/users/users.ts';
import { loadScreening } from '../screening/load.ts';
import { DEVELOPMENT_KEYS } from '../screening/port.ts';
import { simulatedScreening } from '../screening/simulated.ts';
import type { PaymentOnLedger, ReportedPayment } from '../screening/simulated-provider.ts';
import type { Config } from './config/config.ts';

/** D-42: a ledger that cannot be reached shows nothing. */
async function paymentAt(
  chain: RobotDeps['chain'],
  { asset, txHash, outputAddress }: ReportedPayment,
): Promise<PaymentOnLedger> {
  if (!isAssetSymbol(asset)) return 'NO-LEDGER';
  try {
    const ledger = await chain(asset);
    const wanted = ledger.parseAddress(outputAddress);
    if (!wanted) return 'NOT-FOUND';
    const { at, transfers } = await ledger.lookup(txHash, wanted.account);
    const pays = transfers.some(({ to }) => to.account === wanted.account && to.tag === wanted.tag);
    return at !== undefined && pays ? { at } : 'NOT-FOUND';
  } catch (error) {
    if (error instanceof ChainUnreachable || error instanceof ChainRefused) return 'NOT-FOUND';
    throw error;
  }
}

/** The simulated providers, with the users of the VASP that asks; without a robot no users and no ledger. */
export function createScreening(
  config: Config,
  folders: { fixturesPath: string; shippedPath: string },
  { users, random, chain }: { users: Users; random: Random; chain: RobotDeps['chain'] },
): RiskDeps {
  const hasRobot = hasPart(config.parts, 'robot');
  const data = loadScreening(folders.fixturesPath, folders.shippedPath);
  const screening = (vaspId: string) =>
    simulatedScreening(data, {
      accepted: DEVELOPMENT_KEYS,
      holderOf: async (asset, address) =>
        hasRobot && isAssetSymbol(asset)
          ? (await users.of(vaspId)).findIncludingRemoved(asset, address)
          : undefined,
      paymentAt: async payment => (hasRobot ? paymentAt(chain, payment) : 'NO-LEDGER'),
      newId: random.uuid,
      answerMs: config.screening.answerMs,
    });
  return { screening, keys: config.screening.keys, usdRates: data.usdRates, scenarios: data.scenarios };
}

import { ChainRefused, ChainUnreachable } from '../../chains/port.ts';
import { isAssetSymbol } from '../../contract/assets.ts';
import { asCaller, hasRole } from '../../contract/tenancy.ts';
import { createWaiters } from '../../enclave/callbacks/waiters.ts';
import type { EnclaveDeps, RiskDeps } from '../../enclave/deps.ts';
import { createEnclave } from '../../enclave/enclave.ts';
import { foreignEnclave } from '../../enclave/http-enclave/foreign-enclave.ts';
import { httpEnclave, relayingDirectory } from '../../enclave/http-enclave/http-enclave.ts';
import { signingSecretStore } from '../../enclave/vasps/signing-store.ts';
import type { Random } from '../../kernel/random.ts';
import type { RobotDeps } from '../../robot/deps.ts';
import type { Users } from '../../robot/users/users.ts';
import { loadScreening } from '../../screening/load.ts';
import { DEVELOPMENT_KEYS } from '../../screening/port.ts';
import { simulatedScreening } from '../../screening/simulated.ts';
import type { PaymentOnLedger, ReportedPayment } from '../../screening/simulated-provider.ts';
import { callGuard, noGuard } from '../../vasps/call-guard.ts';
import { directory } from '../../vasps/directory.ts';
import { callbackSigner, type Registration } from '../../vasps/http-client.ts';
import type { Vasp } from '../../vasps/port.ts';
import type { CallRecording } from '../../vasps/recorded-calls.ts';
import type { Config } from '../config/config.ts';
import type { Base } from './base.ts';

/**
 * The enclave. `residents`: the VASPs of this process, by id. `atForeign`: what the robot sends to a foreign enclave, which
 * leads then.
 */
export function enclavePart(
  base: Base,
  residents: ReadonlyMap<string, Vasp>,
  atForeign?: Registration['authorization'],
) {
  const { config, db, clock, random, timers, exchanges, vasps, timeoutMs, networks, machineClock } = base;
  const guard = createGuard(config);
  const secrets = signingSecretStore({ db, box: base.box, random, now: machineClock.now });
  const signing = { secrets, signer: callbackSigner(secrets.of, machineClock.now) };
  const recording: CallRecording = {
    guard,
    now: clock.now,
    position: exchanges.position,
    turnOf: base.turnOf,
    onExchange(exchange) {
      exchanges.record({ direction: 'OUT', ...exchange });
      if (!exchange.isRepeated) vasps.recordHealth(exchange.vaspId, exchange.status !== null);
    },
  };
  const { url = '' } = config.foreignEnclave;
  const foreign = atForeign && foreignEnclave(url, atForeign, recording);
  const http = { ...recording, timeoutMs, names: base.names, signer: signing.signer };
  const deps: EnclaveDeps = {
    db,
    clock,
    random,
    timers,
    directory: foreign ? relayingDirectory(residents, foreign) : directory(residents, vasps.find, http),
    timeoutMs,
    risk: createScreening(config, base, { users: base.users, random, chain: symbol => networks[symbol].chain() }),
    vasps,
    guard,
    signing,
    waiters: createWaiters(),
    faults: base.faults,
    residentVaspId: asCaller(config.robot.vaspId),
    isHosted: base.isHosted,
    beforeVerifying: (...ordered) => base.callers().beforeVerifying(...ordered),
    beforeReporting: (...reported) => base.callers().beforeReporting(...reported),
    thresholds: config.thresholds,
    foreign,
  };
  return { deps, enclave: foreign ? httpEnclave({ ...deps, foreign }) : createEnclave(deps) };
}

/** In the hosted mode strangers choose the addresses that the program calls. */
const createGuard = ({ mode, callbackAllow, allowHttpCallbacks, callbackDns }: Config) =>
  mode === 'hosted'
    ? callGuard({ allowed: callbackAllow, allowHttp: allowHttpCallbacks, dnsServers: callbackDns })
    : noGuard;

/** D-42: a ledger that cannot be reached shows nothing. */
async function paymentAt(
  chain: RobotDeps['chain'],
  { asset, txHash, outputAddress }: ReportedPayment,
  vaspId: string,
): Promise<PaymentOnLedger> {
  if (!isAssetSymbol(asset)) return 'NO-LEDGER';
  try {
    const ledger = await chain(asset);
    const wanted = ledger.parseAddress(outputAddress);
    if (!wanted) return 'NOT-FOUND';
    const look = () => ledger.lookup(txHash, wanted.account);
    const { at, transfers } = await ledger.onBehalfOf(vaspId, look);
    const pays = transfers.some(({ to }) => to.account === wanted.account && to.tag === wanted.tag);
    return at !== undefined && pays ? { at } : 'NOT-FOUND';
  } catch (error) {
    if (error instanceof ChainUnreachable || error instanceof ChainRefused) return 'NOT-FOUND';
    throw error;
  }
}

/** The simulated providers, with the users of the VASP that asks; without a robot no users and no ledger. */
function createScreening(
  config: Config,
  folders: { fixturesPath: string; shippedPath: string },
  { users, random, chain }: { users: Users; random: Random; chain: RobotDeps['chain'] },
): RiskDeps {
  const hasRobot = hasRole(config.roles, 'robot');
  const data = loadScreening(folders.fixturesPath, folders.shippedPath);
  const screening = (vaspId: string) =>
    simulatedScreening(data, {
      accepted: DEVELOPMENT_KEYS,
      holderOf: async (asset, address) =>
        hasRobot && isAssetSymbol(asset) ? (await users.of(vaspId)).findIncludingRemoved(asset, address) : undefined,
      paymentAt: async payment => (hasRobot ? paymentAt(chain, payment, vaspId) : 'NO-LEDGER'),
      newId: random.uuid,
      answerMs: config.screening.answerMs,
    });
  return { screening, keys: config.screening.keys, usdRates: data.usdRates, scenarios: data.scenarios };
}

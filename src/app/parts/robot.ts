import type { AssetSymbol } from '../../contract/assets.ts';
import { asCaller } from '../../contract/tenancy.ts';
import type { Enclave } from '../../enclave/port.ts';
import * as verifications from '../../enclave/verification/store.ts';
import { faultyVasp } from '../../fault-injection/faulty-vasp.ts';
import { limitPerKey, shareNext } from '../../kernel/turns.ts';
import type { RobotDeps } from '../../robot/deps.ts';
import { loadListedOriginators } from '../../robot/users/load.ts';
import { robotVasp } from '../../robot/vasp.ts';
import type { Base } from './base.ts';

export function robotPart(base: Base, enclave: Enclave) {
  const { config, db, networks, faults, timeoutMs, stopping } = base;
  const headOf = (symbol: AssetSymbol) => shareNext(async () => (await networks[symbol].chain()).head());
  const heads = { ETH: headOf('ETH'), XRP: headOf('XRP') };
  const deps: RobotDeps = {
    db,
    clock: base.clock,
    timers: base.timers,
    log: base.log,
    random: base.random,
    vaspId: asCaller(config.robot.vaspId),
    isHosted: base.isHosted,
    enclave,
    chain: symbol => networks[symbol].chain(),
    headOf: symbol => heads[symbol](),
    oneByOne: limitPerKey(1),
    users: base.users,
    listedOriginators: loadListedOriginators(base.fixturesPath),
    walletSettings: symbol => networks[symbol].paying,
    reconcileMs: symbol => networks[symbol].reconcileMs,
    rereadMs: config.chainRereadMs,
    inquiry: config.inquiry,
    userTimeoutMs: timeoutMs.verifyUser,
  };
  const vasp = faultyVasp(robotVasp(deps), {
    faults,
    timeoutMs,
    counterpartyOf: uuid => verifications.find(db, uuid)?.beneficiaryVaspId,
    stopping: stopping.signal,
  });
  return { deps, vasp };
}

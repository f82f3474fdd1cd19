import type { Hono } from 'hono';
import type { AssetSymbol } from '../../contract/assets.ts';
import { parse } from '../../contract/parse.ts';
import { asCaller } from '../../contract/tenancy.ts';
import { type CopyDeps, servedVasp } from '../../enclave/http-enclave/http-enclave.ts';
import type { Enclave } from '../../enclave/port.ts';
import * as verifications from '../../enclave/verification/store.ts';
import { faultyVasp } from '../../fault-injection/faulty-vasp.ts';
import { answerError, send } from '../../http/answer.ts';
import { limitPerKey, shareNext } from '../../kernel/turns.ts';
import type { RobotDeps } from '../../robot/deps.ts';
import { loadListedOriginators } from '../../robot/judge/subject.ts';
import { robotVasp } from '../../robot/vasp.ts';
import { FollowRequest, followEnclave } from '../../sandbox/clock.ts';
import type { SandboxDeps } from '../../sandbox/deps.ts';
import type { Vasp } from '../../vasps/port.ts';
import { requestOf, serveVasp } from '../../vasps/serve-vasp.ts';
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

/** The four endpoints of the robot for a foreign enclave stand under this path, and its clock for an enclave of ours. */
export const ROBOT_PATH = '/vasp';
export const CLOCK_PATH = '/clock';

const authorizationOf = (token: string) => ({ header: 'Authorization', token });

export function servedRobot(base: Base, enclave: CopyDeps, robot: Vasp, token: string): Hono {
  const { config, clock, db } = base;
  return serveVasp(servedVasp(enclave, robot), {
    ...base,
    authorization: authorizationOf(token),
    now: clock.now,
    counterpartyOf(uuid) {
      const row = verifications.find(db, uuid);
      return row?.originatingVaspId === config.robot.vaspId ? row.beneficiaryVaspId : row?.originatingVaspId;
    },
  });
}

/** Adds the address at which the enclave moves the clocks of the robot. */
export const addClock = (app: Hono, base: Base, sandbox: SandboxDeps, token: string): Hono =>
  app.post(CLOCK_PATH, async c => {
    try {
      const { body } = await requestOf(c, authorizationOf(token));
      const { vaspId, ...move } = parse(FollowRequest, body);
      const followed = await followEnclave(sandbox, move, asCaller(vaspId));
      return send({ status: 200, text: JSON.stringify(followed) });
    } catch (error) {
      return send(answerError('sandbox', error, base));
    }
  });

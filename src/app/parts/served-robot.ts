import type { Hono } from 'hono';
import { parse } from '../../contract/parse.ts';
import { asCaller } from '../../contract/tenancy.ts';
import type { CopyDeps } from '../../enclave/http-enclave/http-enclave.ts';
import { servedVasp } from '../../enclave/http-enclave/served-vasp.ts';
import * as verifications from '../../enclave/verification/store.ts';
import { answerError, send } from '../../http/answer.ts';
import { FollowRequest, followEnclave } from '../../sandbox/clock.ts';
import type { SandboxDeps } from '../../sandbox/deps.ts';
import type { Vasp } from '../../vasps/port.ts';
import { requestOf, serveVasp } from '../../vasps/serve-vasp.ts';
import type { Base } from './base.ts';

/** The four addresses of the robot for a foreign enclave stand under this path, and its clock for an enclave of ours. */
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

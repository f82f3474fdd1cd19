import type { CopyDeps } from '../../enclave/http-enclave/copies.ts';
import { servedVasp } from '../../enclave/http-enclave/served-vasp.ts';
import type { Vasp } from '../../vasps/port.ts';
import { serveVasp } from '../../vasps/serve-vasp.ts';
import type { Base } from './base.ts';

/** The four addresses of the robot for a foreign enclave stand under this path. */
export const ROBOT_PATH = '/vasp';

export function servedRobot(base: Base, enclave: CopyDeps, robot: Vasp, token: string) {
  const { config, clock, verifications } = base;
  return serveVasp(servedVasp(enclave, robot), {
    ...base,
    authorization: { header: 'Authorization', token },
    now: clock.now,
    counterpartyOf(uuid) {
      const row = verifications.find(uuid);
      return row?.originatingVaspId === config.robot.vaspId ? row.beneficiaryVaspId : row?.originatingVaspId;
    },
  });
}

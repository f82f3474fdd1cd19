import { refusals } from '../../contract/refusals.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { BEHAVIOUR_CODES, BEHAVIOURS } from '../../robot/control.ts';
import type { SandboxDeps } from '../deps.ts';

/** The robot's users as the calling VASP has them, with every behaviour that a user can have. */
export async function listUsers({ robot }: SandboxDeps, caller: CallerId) {
  const users = await robot.usersOf(caller);
  return {
    users: users.all(),
    behaviours: BEHAVIOUR_CODES.map(behaviour => ({ behaviour, ...BEHAVIOURS[behaviour] })),
  };
}

/** Throws `Refusal` not-found. */
export async function readUser({ robot }: SandboxDeps, id: string, caller: CallerId) {
  const user = (await robot.usersOf(caller)).byId(id);
  if (!user) throw refusals.userNotFound(id);
  return user;
}

import { refusals } from '../../contract/refusals.ts';
import { BEHAVIOUR_CODES, BEHAVIOURS } from '../../robot/users/behaviours.ts';
import type { UserDirectory } from '../../robot/users/directory.ts';
import type { User } from '../../robot/users/user.ts';
import type { SandboxDeps } from '../deps.ts';

/** The robot's users as the calling VASP has them, with every behaviour that there is. */
export async function listUsers(deps: SandboxDeps, caller: string) {
  const users = await deps.robot.users.of(caller);
  return {
    users: users.all().map(user => presentUser(deps, users, user)),
    behaviours: BEHAVIOUR_CODES.map(behaviour => ({ behaviour, ...BEHAVIOURS[behaviour] })),
  };
}

/** Throws `Refusal` not-found. */
export async function oneUser(deps: SandboxDeps, id: string, caller: string) {
  const users = await deps.robot.users.of(caller);
  const user = users.byId(id);
  if (!user) throw refusals.userNotFound(id);
  return presentUser(deps, users, user);
}

export const presentUser = ({ robot }: SandboxDeps, users: UserDirectory, user: User) => ({
  id: user.id,
  kind: user.kind,
  names: user.names,
  kyc: user.kyc,
  behaviour: user.behaviour,
  accounts: users.accounts(user),
  source: robot.users.sourceOf(user),
});

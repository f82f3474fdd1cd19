import * as z from 'zod';
import { parse } from '../../contract/parse.ts';
import { refusals } from '../../contract/refusals.ts';
import { write } from '../../db/transaction.ts';
import { MAX_ADDED_USERS, TooManyUsers } from '../../robot/users/accounts.ts';
import { UserId } from '../../robot/users/user.ts';
import type { SandboxDeps } from '../deps.ts';
import { oneUser } from './list.ts';
import type { UserRequest } from './schema.ts';

const Path = z.object({ id: UserId });

/** Adds or changes; where the user is paid is the robot's to say. Throws `Refusal` invalid-field for the id. */
export function putUser(
  deps: SandboxDeps,
  id: string,
  request: z.output<typeof UserRequest>,
  caller: string,
) {
  parse(Path, { id });
  const change = { ...request, behaviour: request.behaviour ?? 'ORDINARY' };
  try {
    write(deps.db, tx => deps.robot.users.put(tx, caller, id, change));
  } catch (error) {
    if (!(error instanceof TooManyUsers)) throw error;
    throw refusals.invalidField(
      'id',
      `is one more than ${MAX_ADDED_USERS}: take one that you have used before`,
    );
  }
  return oneUser(deps, id, caller);
}

/** Throws `Refusal` not-found. */
export function removeUser(deps: SandboxDeps, id: string, caller: string): { result: true } {
  const isRemoved = write(deps.db, tx => deps.robot.users.remove(tx, caller, id));
  if (!isRemoved) throw refusals.userNotFound(id);
  return { result: true };
}

/** Takes every change back: the users are those of the fixtures. */
export function restoreUsers(deps: SandboxDeps, caller: string): { result: true } {
  write(deps.db, tx => deps.robot.users.restoreFixtures(tx, caller));
  return { result: true };
}

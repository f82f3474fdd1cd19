import * as z from 'zod';
import { parse } from '../../contract/parse.ts';
import { refusals } from '../../contract/refusals.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { UserId } from '../../robot/control.ts';
import type { SandboxDeps } from '../deps.ts';
import { readUser } from './list.ts';
import type { UserRequest } from './schema.ts';

const Path = z.object({ userId: UserId });

/** Adds or changes a user; the robot chooses the addresses. Throws `Refusal` invalid-field for the id. */
export function putUser(
  deps: SandboxDeps,
  id: string,
  request: z.output<typeof UserRequest>,
  caller: CallerId,
) {
  parse(Path, { userId: id });
  deps.robot.putUser(id, { ...request, behaviour: request.behaviour ?? 'ORDINARY' }, caller);
  return readUser(deps, id, caller);
}

/** Throws `Refusal` not-found. */
export function removeUser({ robot }: SandboxDeps, id: string, caller: CallerId): { result: true } {
  if (!robot.removeUser(id, caller)) throw refusals.userNotFound(id);
  return { result: true };
}

/** Drops every change of the calling VASP: the users are those of the fixtures. */
export function restoreUsers({ robot }: SandboxDeps, caller: CallerId): { result: true } {
  robot.restoreUsers(caller);
  return { result: true };
}

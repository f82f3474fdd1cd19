import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { putUser, removeUser, restoreUsers } from './change.ts';
import { listUsers, readUser } from './list.ts';
import { RobotUser, UserRequest, UsersRemoved, UsersResponse } from './schema.ts';

const ALL = { operation: 'sandbox', refusals: [], path: '/sandbox/v1/users' } as const;
const ONE = {
  operation: 'sandbox',
  refusals: ['not-found'],
  path: '/sandbox/v1/users/:id',
  examples: { 'Ethan Cook': { params: { id: 'ethan-cook' } } },
} as const;

/** The robot's users, on top of the fixtures, for the calling VASP alone. */
export const userEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    ...ALL,
    method: 'GET',
    summary: 'The users of the robot as this VASP has them, and every behaviour that there is',
    response: UsersResponse,
    run: (_, caller) => listUsers(deps, caller),
  }),
  endpoint({
    ...ALL,
    method: 'DELETE',
    summary: 'Take back what this VASP has changed: its users are those of the fixtures again',
    response: UsersRemoved,
    run: (_, caller) => restoreUsers(deps, caller),
  }),
  endpoint({
    ...ONE,
    method: 'GET',
    summary: 'One user of the robot',
    response: RobotUser,
    run: ({ params }, caller) => readUser(deps, params.id, caller),
  }),
  endpoint({
    ...ONE,
    method: 'PUT',
    summary: 'Add or change a user, for this VASP alone; the robot says where the user is paid',
    body: UserRequest,
    response: RobotUser,
    run: ({ body, params }, caller) => putUser(deps, params.id, body, caller),
  }),
  endpoint({
    ...ONE,
    method: 'DELETE',
    summary: 'Remove a user, for this VASP alone; what was begun with the user is finished',
    response: UsersRemoved,
    run: ({ params }, caller) => removeUser(deps, params.id, caller),
  }),
];

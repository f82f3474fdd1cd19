import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { putUser, removeUser, restoreUsers } from './change.ts';
import { listUsers, readUser } from './list.ts';
import { RobotUser, UserRequest, UsersRemoved, UsersResponse } from './schema.ts';

const ALL = { operation: 'sandbox', refusals: [], path: '/sandbox/v1/users' } as const;
const ONE = {
  operation: 'sandbox',
  refusals: ['not-found'],
  path: '/sandbox/v1/users/:userId',
  examples: { 'Ethan Cook': { params: { userId: 'ethan-cook' } } },
} as const;

/** The robot's users. Each VASP has the fixtures with its own changes. */
export const userEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    ...ALL,
    method: 'GET',
    summary: 'List the users of the robot and the behaviours that a user can have',
    response: UsersResponse,
    run: (_, caller) => listUsers(deps, caller),
  }),
  endpoint({
    ...ALL,
    method: 'DELETE',
    summary: 'Drop every change of this VASP: its users are those of the fixtures again',
    response: UsersRemoved,
    run: (_, caller) => restoreUsers(deps, caller),
  }),
  endpoint({
    ...ONE,
    method: 'GET',
    summary: 'Read one user of the robot',
    response: RobotUser,
    run: ({ params }, caller) => readUser(deps, params.userId, caller),
  }),
  endpoint({
    ...ONE,
    method: 'PUT',
    summary: 'Add or change a user for this VASP alone; the robot chooses the addresses',
    body: UserRequest,
    response: RobotUser,
    run: ({ body, params }, caller) => putUser(deps, params.userId, body, caller),
  }),
  endpoint({
    ...ONE,
    method: 'DELETE',
    summary: 'Remove a user for this VASP alone; open verifications and payments with the user go on',
    response: UsersRemoved,
    run: ({ params }, caller) => removeUser(deps, params.userId, caller),
  }),
];

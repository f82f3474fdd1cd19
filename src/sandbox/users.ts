import * as z from 'zod';
import { parse } from '../contract/parse.ts';
import { CompanyNames, MAX_REPRESENTATIVES, PersonNames } from '../contract/persons.ts';
import { refusals } from '../contract/refusals.ts';
import type { CallerId } from '../contract/tenancy.ts';
import { NameText, named, optional } from '../contract/text.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import {
  AFFECTED_OPERATIONS,
  BEHAVIOUR_CODES,
  BEHAVIOURS,
  BehaviourCode,
  KINDS,
  Kyc,
  UserId,
} from '../robot/users/user.ts';
import type { SandboxDeps } from './deps.ts';

/** The robot's users. Each VASP has the fixtures with its own changes. */
export const userEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(userCalls.users, {
    summary: 'List the users of the robot and the behaviours that a user can have',
    run: async (_, caller) => ({
      users: (await deps.robot.usersOf(caller)).all(),
      behaviours: BEHAVIOUR_CODES.map(behaviour => ({ behaviour, ...BEHAVIOURS[behaviour] })),
    }),
  }),
  control(userCalls.restoreUsers, {
    summary: 'Drop every change of this VASP: its users are those of the fixtures again',
    run(_, caller) {
      deps.robot.restoreUsers(caller);
      return { result: true as const };
    },
  }),
  control(userCalls.user, {
    refusals: ['not-found'],
    examples: { 'Ethan Cook': { params: { userId: 'ethan-cook' } } },
    summary: 'Read one user of the robot',
    run: ({ params }, caller) => readUser(deps, params.userId, caller),
  }),
  control(userCalls.putUser, {
    refusals: ['not-found'],
    examples: { 'Ethan Cook': { params: { userId: 'ethan-cook' } } },
    summary: 'Add or change a user only for this VASP; the robot chooses the addresses',
    run({ body, params: { userId } }, caller) {
      parse(Path, { userId });
      deps.robot.putUser(userId, { ...body, behaviour: body.behaviour ?? 'ORDINARY' }, caller);
      return readUser(deps, userId, caller);
    },
  }),
  control(userCalls.removeUser, {
    refusals: ['not-found'],
    examples: { 'Ethan Cook': { params: { userId: 'ethan-cook' } } },
    summary: 'Remove a user only for this VASP; open verifications and payments with the user go on',
    run({ params: { userId } }, caller) {
      if (!deps.robot.removeUser(userId, caller)) throw refusals.userNotFound(userId);
      return { result: true as const };
    },
  }),
];

const Path = z.object({ userId: UserId });

/** Throws `Refusal` not-found. */
async function readUser({ robot }: SandboxDeps, id: string, caller: CallerId) {
  const user = (await robot.usersOf(caller)).byId(id);
  if (!user) throw refusals.userNotFound(id);
  return user;
}

/** `/users` */

const common = { kyc: Kyc, behaviour: optional(BehaviourCode).describe('Default: `ORDINARY`.') };
const person = PersonNames.strip();

/** Unknown members are ignored (D-05): a tester can read a user, edit it and send it back. */
export const UserRequest = z
  .discriminatedUnion(
    'kind',
    [
      named('NaturalUserRequest', { kind: z.literal('natural'), names: person, ...common }),
      named('LegalUserRequest', {
        kind: z.literal('legal'),
        names: z.object({ legalName: NameText, representatives: z.array(person).min(1).max(MAX_REPRESENTATIVES) }),
        ...common,
      }),
    ],
    KINDS,
  )
  .meta({ id: 'UserRequest', description: 'Adds or changes a user of the robot.' });

export const RobotUser = named('RobotUser', 'A user of the robot, with the changes of this VASP.', {
  id: z.string(),
  kind: z.enum(['natural', 'legal']),
  names: z.xor([PersonNames, CompanyNames]),
  kyc: z.boolean(),
  behaviour: z.string(),
  accounts: z.object({ ETH: z.string(), XRP: z.string() }).describe('The addresses of the user.'),
  source: z
    .enum(['fixture', 'changed', 'added'])
    .describe('`fixture`: unchanged; `changed` or `added`: this VASP did it, only for itself.'),
});
export const UsersResponse = named('UsersResponse', {
  users: z.array(RobotUser),
  behaviours: z
    .array(
      z.object({
        behaviour: z.string(),
        operation: z.enum(AFFECTED_OPERATIONS).describe('The part that the behaviour affects.'),
        meaning: z.string(),
        clause: z.string(),
      }),
    )
    .describe('The values that `behaviour` of a user can have.'),
});
export const UsersRemoved = named('UsersRemoved', { result: z.literal(true) });

export const userCalls = calls({
  users: { response: UsersResponse },
  restoreUsers: { response: UsersRemoved },
  user: { response: RobotUser },
  putUser: { body: UserRequest, response: RobotUser },
  removeUser: { response: UsersRemoved },
});

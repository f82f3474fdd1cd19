import * as z from 'zod';
import { named } from '../../contract/named.ts';
import { CompanyNames, MAX_REPRESENTATIVES, PersonNames } from '../../contract/person-names.ts';
import { NameText, optional } from '../../contract/text.ts';
import { calls } from '../../http/endpoint.ts';
import { AFFECTED_OPERATIONS } from '../../robot/users/behaviours.ts';
import { Behaviour, KINDS, Kyc } from '../../robot/users/user.ts';

/** `/users` */

const common = { kyc: Kyc, behaviour: optional(Behaviour).describe('Default: `ORDINARY`.') };
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

import * as z from 'zod';
import { optional } from '../../contract/text.ts';
import { AFFECTED_OPERATIONS, Behaviour, KINDS, Kyc, NameText, PersonNames } from '../../robot/control.ts';

/** `/users` */

const attributes = { kyc: Kyc, behaviour: optional(Behaviour).describe('Default: `ORDINARY`.') };
const person = PersonNames.strip();

/** Unknown members are ignored (D-05), so that an answer can be sent back changed. */
export const UserRequest = z
  .discriminatedUnion(
    'kind',
    [
      z.object({ kind: z.literal('natural'), names: person, ...attributes }),
      z.object({
        kind: z.literal('legal'),
        names: z.object({ legalName: NameText, representatives: z.array(person).min(1) }),
        ...attributes,
      }),
    ],
    KINDS,
  )
  .meta({ id: 'UserRequest', description: 'A user of the robot that is added or changed.' });

const name = z.object({ lastName: z.string(), firstName: z.string() });
export const RobotUser = z
  .object({
    id: z.string(),
    kind: z.enum(['natural', 'legal']),
    names: z.union([name, z.object({ legalName: z.string(), representatives: z.array(name) })]),
    kyc: z.boolean(),
    behaviour: z.string(),
    accounts: z.object({ ETH: z.string(), XRP: z.string() }).describe('Where the user is paid.'),
    source: z
      .enum(['fixture', 'changed', 'added'])
      .describe('`fixture`: as the fixtures have it; `changed`, `added`: by this VASP, for itself alone.'),
  })
  .meta({ id: 'RobotUser', description: 'A user of the robot, as this VASP has it.' });
export const UsersResponse = z
  .object({
    users: z.array(RobotUser),
    behaviours: z
      .array(
        z.object({
          behaviour: z.string(),
          operation: z.enum(AFFECTED_OPERATIONS).describe('What it affects.'),
          meaning: z.string(),
          clause: z.string(),
        }),
      )
      .describe('What a user may do, as its `behaviour`.'),
  })
  .meta({ id: 'UsersResponse' });
export const UsersRemoved = z.object({ result: z.literal(true) }).meta({ id: 'UsersRemoved' });

import * as z from 'zod';
import { CompanyNames, PersonNames } from '../../contract/persons.ts';
import { BEHAVIOUR_CODES, BEHAVIOURS } from './behaviours.ts';

/** One user of the robot: its names and its behaviour. Its accounts follow from `walletIndex` and `destinationTag`. */

export const Behaviour = z
  .enum(BEHAVIOUR_CODES)
  .meta({ description: BEHAVIOUR_CODES.map(code => `- \`${code}\`: ${BEHAVIOURS[code].meaning}`).join('\n') });

export const UserId = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'should be kebab-case: a-z, 0-9 and single hyphens between them')
  .max(64);

export const Kyc = z.boolean().describe('false: a verification of this user is DENIED / UNVERIFIED-KYC.');

const common = {
  id: UserId,
  kyc: Kyc,
  behaviour: Behaviour.default('ORDINARY'),
  walletIndex: z.number().int().min(0).max(0x7fff_fffe).describe('Index of the Ethereum account; unique.'),
  destinationTag: z.number().int().min(0).max(0xffff_ffff).describe('Tag at the one XRP account; unique.'),
  published: z
    .strictObject({ ETH: z.string().min(1), XRP: z.string().min(1) })
    .optional()
    .describe(
      'Published addresses, for display only: the robot has no keys for them and never judges them as its own.',
    ),
};

export const KINDS = { error: 'should be `natural` or `legal`' };

export const User = z
  .discriminatedUnion(
    'kind',
    [
      z.strictObject({ kind: z.literal('natural'), names: PersonNames, ...common }),
      z.strictObject({ kind: z.literal('legal'), names: CompanyNames, ...common }),
    ],
    KINDS,
  )
  .meta({ id: 'User', description: 'A user of the robot.' });
export type User = z.infer<typeof User>;
export type NaturalUser = Extract<User, { kind: 'natural' }>;
export type LegalUser = Extract<User, { kind: 'legal' }>;

/** A VASP may change everything of a user but its accounts. */
export type UserChange = Changeable<NaturalUser> | Changeable<LegalUser>;
type Changeable<U extends User> = Pick<U, 'kind' | 'names' | 'kyc' | 'behaviour'>;

const UNIQUE = ['id', 'walletIndex', 'destinationTag'] as const;

/** One text for each value that two users may not share. Accepts rows of any shape: they may have failed the schema. */
export function duplicatesIn(rows: readonly unknown[]): string[] {
  return UNIQUE.flatMap(member => {
    const first = new Map<unknown, number>();
    return rows.flatMap((row, index) => {
      const value = (row as Record<string, unknown> | null)?.[member];
      if (value === undefined) return [];
      const earlier = first.get(value);
      if (earlier === undefined) first.set(value, index);
      return earlier === undefined ? [] : [`${index}.${member} is the same as ${earlier}.${member}`];
    });
  });
}

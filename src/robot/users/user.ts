import * as z from 'zod';
import type { Reason } from '../../contract/clauses.ts';
import { CompanyNames, PersonNames } from '../../contract/persons.ts';

/** PROD-5: the special behaviours of users, one row each. */

export const AFFECTED_OPERATIONS = ['none', 'user-verification', 'transfer', 'screening'] as const;
type AffectedOperation = (typeof AFFECTED_OPERATIONS)[number];

interface BehaviourRow {
  readonly operation: AffectedOperation;
  readonly meaning: string;
  readonly clause: string;
}

const denial = (reason: Reason) =>
  ({
    operation: 'user-verification',
    meaning: `As beneficiary: DENIED / ${reason}, unless an earlier rule decides.`,
    clause: 'REF-2.3',
  }) as const;

export const BEHAVIOURS = {
  ORDINARY: { operation: 'none', meaning: 'Only the rules decide.', clause: 'REF-4.6' },
  'NEVER-ANSWERS': {
    operation: 'user-verification',
    meaning: 'As beneficiary: the robot never answers, the verification ends as ERROR / REQUEST-TIMEOUT.',
    clause: 'REF-2.3, D-12',
  },
  'ANSWERS-LATE': {
    operation: 'user-verification',
    meaning:
      'As beneficiary: the robot answers one second after the time limit, the verification ends as ERROR / REQUEST-TIMEOUT.',
    clause: 'REF-2.3, D-12',
  },
  'ANSWERS-SLOWLY': {
    operation: 'user-verification',
    meaning: 'As beneficiary: the robot answers after 3 seconds, within the time limit.',
    clause: 'REF-4.6.10',
  },
  'CHANGES-ACCOUNT-NUMBER': {
    operation: 'user-verification',
    meaning:
      'As beneficiary: the robot answers with another account number, the verification ends as ERROR / BENEFICIARY-ACCOUNT-NOT-MATCHED.',
    clause: 'REF-2.3, D-12',
  },
  'NOT-ALLOWED': denial('NOT-ALLOWED'),
  'UNDEFINED-ERROR': denial('UNDEFINED-ERROR'),
  BLACKLISTED: denial('BLACKLISTED'),
  'MISMATCHED-NAME': denial('MISMATCHED-NAME'),
  'UNVERIFIED-KYC': denial('UNVERIFIED-KYC'),
  'UNKNOWN-SYMBOL': denial('UNKNOWN-SYMBOL'),
  'UNKNOWN-NETWORK': denial('UNKNOWN-NETWORK'),
  'UNKNOWN-ADDRESS': denial('UNKNOWN-ADDRESS'),
  UNKNOWN: {
    operation: 'user-verification',
    meaning: 'As beneficiary: result UNKNOWN, unless an earlier rule decides.',
    clause: 'REF-2.3',
  },
  'TRANSFER-PENDING': {
    operation: 'transfer',
    meaning: 'As originator: the transfer of the robot stays PENDING and is never broadcast.',
    clause: 'REF-2.4, REF-3',
  },
  'TRANSFER-CANCELED': {
    operation: 'transfer',
    meaning: 'As originator: the transfer of the robot is CANCELED.',
    clause: 'REF-2.4, REF-3',
  },
  'TRANSFER-MISNAMED': {
    operation: 'transfer',
    meaning:
      'As originator: before a transfer is ordered, a status query is answered with CONFIRMED and the transaction that was reported, or else that of another payment; without one, a transaction that does not exist.',
    clause: 'REF-2.4, REF-3',
  },
  'SANCTIONED-ADDRESS': {
    operation: 'screening',
    meaning: 'The addresses of the user are on the sanctions test list: status SANCTION.',
    clause: 'REF-2.5, REF-4.1',
  },
} as const satisfies Record<string, BehaviourRow>;

export type Behaviour = keyof typeof BEHAVIOURS;
export const BEHAVIOUR_CODES = Object.keys(BEHAVIOURS) as [Behaviour, ...Behaviour[]];

const SLOW_MS = 3_000;
const LATE_BY_MS = 1_000;

/**
 * The robot's delay before its answer to a user verification, in ms after the first request. Undefined: no delay.
 * Infinity: it never answers. `limitMs` is the enclave's time limit. A slow answer stays within it.
 */
export function postponementMs(behaviour: Behaviour, limitMs: number): number | undefined {
  switch (behaviour) {
    case 'NEVER-ANSWERS':
      return Number.POSITIVE_INFINITY;
    case 'ANSWERS-LATE':
      return limitMs + LATE_BY_MS;
    case 'ANSWERS-SLOWLY':
      return Math.min(SLOW_MS, Math.floor(limitMs * 0.6));
    default:
      return undefined;
  }
}

/** One user of the robot: its names and its behaviour. Its accounts follow from `walletIndex` and `destinationTag`. */

export const BehaviourCode = z
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
  behaviour: BehaviourCode.default('ORDINARY'),
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
type NaturalUser = Extract<User, { kind: 'natural' }>;
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

import * as z from 'zod';
import { named } from '../text.ts';

/** What a validator of IVMS101 finds. No text repeats a value, because it may be personal data. */

export const SEVERITIES = ['FAILURE', 'WARNING'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** IVMS101 issue 1 (2020): the constraints of section 5.2 and 6.6. Datatypes and components are cited by their names. */
export const IVMS101_CLAUSES = {
  C1: 'An originator who is a natural person has an address, a customer number, a national identification, or date and place of birth.',
  C2: 'A date of birth lies in the past.',
  C3: 'A country is an ISO 3166-1 alpha-2 code or XX.',
  C4: 'An originator that is a legal person has an address of type GEOG, a customer number or a national identification.',
  C5: 'A legal person has a name of type LEGL.',
  C6: 'A natural person has a name of type LEGL.',
  C7: 'The national identification of a legal person is of type RAID, MISC, LEIX or TXID.',
  C8: 'An address has an address line, or a street with a building name or a building number.',
  C9: 'A legal person has no country of issue, and it has a registration authority if and only if the type is not LEIX.',
  C10: 'A registration authority is a code of the list of GLEIF.',
  C11: 'An identifier of type LEIX is an LEI of ISO 17442.',
  C12: 'The VASPs of a transfer path are numbered from 0 without a gap.',
} as const;

export type Ivms101Clause = keyof typeof IVMS101_CLAUSES;

export const Ivms101Problem = named('Ivms101Problem', 'One problem.', {
  path: z.string().describe('Path of the member; empty: the whole payload.'),
  clause: z
    .string()
    .describe(
      `${Object.keys(IVMS101_CLAUSES).join(', ')}, or the datatype or component of the standard, such as Max100Text.`,
    ),
  severity: z
    .enum(SEVERITIES)
    .describe('FAILURE: the standard forbids it. WARNING: the network allows it, or it is probably wrong.'),
  text: z.string().describe('What is wrong. Never holds a value of the payload.'),
  wanted: z.string().describe('What should stand there.'),
});
export type Ivms101Problem = z.infer<typeof Ivms101Problem>;

/** What a check says about a value, before it has a path. */
export type Finding = Omit<Ivms101Problem, 'path'>;

const finding =
  (severity: Severity) =>
  (clause: string, text: string, wanted: string): Finding => ({ clause, severity, text, wanted });
export const failure = finding('FAILURE');
export const warning = finding('WARNING');

/** In one line, without what is wanted. */
export const problemText = ({ path, clause, text }: Ivms101Problem): string => `${path}: ${text} (IVMS101 ${clause})`;

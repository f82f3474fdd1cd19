/** What a validator of IVMS101 finds. No text repeats a value, because it may be personal data. */

export const SEVERITIES = ['FAILURE', 'WARNING'] as const;
export type Severity = (typeof SEVERITIES)[number];

export interface Ivms101Problem {
  /** Path of the member: `originator.originatorPersons[0].naturalPerson.name`. */
  readonly path: string;
  /** C1 to C12, or the datatype or component of the standard, as in `IVMS101_CLAUSES`. */
  readonly clause: string;
  /** FAILURE: the standard forbids it. WARNING: it is allowed on this network, or only probably wrong. */
  readonly severity: Severity;
  /** One sentence. */
  readonly text: string;
  /** What should stand there, in a few words. */
  readonly wanted: string;
}

/** What a check says about a value, before it has a path. */
export type Finding = Omit<Ivms101Problem, 'path'>;

export const failure = (clause: string, text: string, wanted: string): Finding => ({
  clause,
  severity: 'FAILURE',
  text,
  wanted,
});
export const warning = (clause: string, text: string, wanted: string): Finding => ({
  ...failure(clause, text, wanted),
  severity: 'WARNING',
});

/** In one line, without what is wanted. */
export const problemText = ({ path, clause, text }: Ivms101Problem): string => `${path}: ${text} (IVMS101 ${clause})`;

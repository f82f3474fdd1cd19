import { IVMS101_CLAUSES, type Ivms101Clause } from '../../../contract/ivms101-check/clauses.ts';

/** English texts of the page IVMS101. */

const counted = (count: number, one: string): string => (count === 1 ? `1 ${one}` : `${count} ${one}s`);

export const ivms101 = {
  intro:
    'Paste anything that holds IVMS101: a request, its `payload`, an originator, a beneficiary or a person. It is checked against the standard of 2020, clause by clause. Nothing is stored or sent.',
  payload: 'IVMS101 as JSON',
  check: 'Check',
  notJson: (line: number, column: number, message: string) =>
    `The text is not JSON: line ${line}, column ${column}: ${message}.`,
  found: (dialect: string, failures: number, warnings: number) =>
    `Dialect ${dialect}: ${failures + warnings === 0 ? 'no flaw' : `${counted(failures, 'failure')}, ${counted(warnings, 'warning')}`}.`,
  flaws: 'Flaws',
  severity: 'Severity',
  path: 'Path',
  wholePayload: 'the whole payload',
  flaw: 'Flaw',
  wanted: 'Wanted',
  clause: 'Clause',
  clauses: IVMS101_CLAUSES as Readonly<Record<Ivms101Clause, string>>,
};

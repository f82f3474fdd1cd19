import type { Ivms101Flaw } from '../../contract/ivms101-check/flaw.ts';
import type { RemarkFinding } from '../../remarks/store.ts';

/** A message may be wrong everywhere, and a few remarks say what kind of mistake it is. */
const MOST_REMARKS = 10;
/** `nameTypeFindings` tells these with the type that came. */
const NAME_TYPES = ['NaturalPersonNameTypeCode', 'LegalPersonNameTypeCode'];

/** D-27: what IVMS101 forbids. */
export const flawFindings = (flaws: readonly Ivms101Flaw[]): RemarkFinding[] =>
  flaws
    .filter(({ severity, clause }) => severity === 'FAILURE' && !NAME_TYPES.includes(clause))
    .slice(0, MOST_REMARKS)
    .map(({ path, clause, text, wanted }) => ({
      code: 'IVMS101-FLAW',
      field: path,
      expected: wanted,
      got: `${text} (IVMS101 ${clause})`,
    }));

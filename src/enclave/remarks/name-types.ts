import { LEGAL_NAME_TYPES, NATURAL_NAME_TYPES, type Persons } from '../../contract/ivms101.ts';
import type { RemarkFinding } from '../../db/remarks.ts';
import { forEachNameType } from './person-paths.ts';

const TYPES = { natural: NATURAL_NAME_TYPES, legal: LEGAL_NAME_TYPES };

/** D-27: name types that IVMS101 does not know. `root`: the path of the list. */
export function nameTypeFindings(persons: Persons, root: string): RemarkFinding[] {
  const findings: RemarkFinding[] = [];
  forEachNameType(persons, (kind, type, path) => {
    if (type === null || type === undefined || TYPES[kind].includes(type.trim().toUpperCase())) return;
    const expected = TYPES[kind].join(', ');
    findings.push({ code: 'UNKNOWN-NAME-TYPE', field: `${root}${path()}`, expected, got: type });
  });
  return findings;
}

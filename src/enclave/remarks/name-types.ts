import { LEGAL_NAME_TYPES, NAME_LISTS, NATURAL_NAME_TYPES, type Persons } from '../../contract/ivms101.ts';
import type { RemarkFinding } from '../../remarks/store.ts';

type PersonKind = 'natural' | 'legal';

/** Calls `look` for the type of every name of every person. `path` is written only where it is needed. */
function forEachNameType(
  persons: Persons,
  look: (kind: PersonKind, type: string | null | undefined, path: () => string) => void,
): void {
  persons.forEach(({ naturalPerson, legalPerson }, index) => {
    for (const list of NAME_LISTS) {
      naturalPerson?.name?.[list]?.forEach(({ nameIdentifierType }, i) => {
        const path = () => `[${index}].naturalPerson.name.${list}[${i}].nameIdentifierType`;
        look('natural', nameIdentifierType, path);
      });
      legalPerson?.name?.[list]?.forEach(({ legalPersonNameIdentifierType }, i) => {
        const path = () => `[${index}].legalPerson.name.${list}[${i}].legalPersonNameIdentifierType`;
        look('legal', legalPersonNameIdentifierType, path);
      });
    }
  });
}

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

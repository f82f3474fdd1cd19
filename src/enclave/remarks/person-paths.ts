import { NAME_LISTS, type Persons } from '../../contract/ivms101.ts';

type PersonKind = 'natural' | 'legal';

/** Calls `look` for the type of every name of every person. `path` is written only where it is needed. */
export function forEachNameType(
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

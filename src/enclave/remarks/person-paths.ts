import type { NaturalPersonNameIdentifier, Person, Persons } from '../../contract/ivms101.ts';

const NAME_KINDS = ['nameIdentifier', 'localNameIdentifier', 'phoneticNameIdentifier'] as const;

/** One name in a list of persons, with its path. */
export interface NameAt {
  path: string;
  kind: 'natural' | 'legal';
  type: string | null | undefined;
}

/** Every name of every person. `root`: the path of the list. */
export const namesIn = (persons: Persons, root: string): NameAt[] =>
  persons.flatMap((person, index) => [
    ...NAME_KINDS.flatMap(list =>
      (person.naturalPerson?.name?.[list] ?? []).map(({ nameIdentifierType: type }, i) => ({
        path: `${root}[${index}].naturalPerson.name.${list}[${i}].nameIdentifierType`,
        kind: 'natural' as const,
        type,
      })),
    ),
    ...NAME_KINDS.flatMap(list =>
      (person.legalPerson?.name?.[list] ?? []).map(({ legalPersonNameIdentifierType: type }, i) => ({
        path: `${root}[${index}].legalPerson.name.${list}[${i}].legalPersonNameIdentifierType`,
        kind: 'legal' as const,
        type,
      })),
    ),
  ]);

export const naturalNamesOf = ({ naturalPerson }: Person): NaturalPersonNameIdentifier[] =>
  NAME_KINDS.flatMap(list => naturalPerson?.name?.[list] ?? []);

export const legalNamesOf = ({ legalPerson }: Person): string[] =>
  NAME_KINDS.flatMap(list => legalPerson?.name?.[list] ?? []).map(
    ({ legalPersonName }) => legalPersonName ?? '',
  );

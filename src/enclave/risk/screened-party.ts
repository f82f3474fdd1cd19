import type { Person } from '../../contract/ivms101.ts';
import type { AssessWcoPayload } from '../../contract/requests.ts';
import { MAX_LENGTH } from '../../contract/text.ts';
import type { ScreenedParty, ScreenedPerson } from '../../screening/port.ts';
import type { AssessmentContext } from './assessment-context.ts';

/** What was sent, what was answered and what the caller adds, as one party with every name that is known of it. */
export function screenedParty(
  { verification, counterparty: cell, address }: AssessmentContext<'wco'>,
  payload: AssessWcoPayload | undefined,
): ScreenedParty {
  const sources =
    cell.party === 'originator'
      ? [originatorsIn(verification.ivms101Originator), payload?.ivms101.originator?.originatorPersons]
      : [
          beneficiariesIn(verification.ivms101Beneficiary),
          beneficiariesIn(verification.ivms101Answer),
          payload?.ivms101.beneficiary?.beneficiaryPersons,
        ];
  return { persons: merged(sources.map(persons => persons ?? [])), asset: verification.symbol, address };
}

type Persons = readonly Person[] | null | undefined;
const originatorsIn = (json: string): Persons =>
  (JSON.parse(json) as { originatorPersons?: Persons }).originatorPersons;
const beneficiariesIn = (json: string | null): Persons =>
  json === null ? [] : (JSON.parse(json) as { beneficiaryPersons?: Persons }).beneficiaryPersons;

/** The first natural person of one source is the first natural person of the others, and so on. */
function merged(sources: readonly (readonly Person[])[]): ScreenedPerson[] {
  const known = new Map<string, ScreenedPerson>();
  for (const persons of sources) {
    const counts = { INDIVIDUAL: 0, ORGANISATION: 0 };
    for (const person of persons.map(screenedPerson)) {
      const key = `${person.kind} ${counts[person.kind]++}`;
      const before = known.get(key);
      known.set(key, {
        ...before,
        ...person,
        names: [...new Set([...(before?.names ?? []), ...person.names])],
      });
    }
  }
  return [...known.values()];
}

function screenedPerson({ naturalPerson, legalPerson }: Person): ScreenedPerson {
  if (legalPerson)
    return {
      kind: 'ORGANISATION',
      names: namesIn(legalPerson.name, identifier => [identifier.legalPersonName]),
    };
  const { dateOfBirth, placeOfBirth } = naturalPerson?.dateAndPlaceOfBirth ?? {};
  return {
    kind: 'INDIVIDUAL',
    names: namesIn(naturalPerson?.name, ({ secondaryIdentifier, primaryIdentifier }) => [
      secondaryIdentifier,
      primaryIdentifier,
    ]),
    ...(dateOfBirth ? { dateOfBirth } : {}),
    ...(placeOfBirth ? { placeOfBirth } : {}),
  };
}

interface Names<I> {
  nameIdentifier?: I[] | null | undefined;
  localNameIdentifier?: I[] | null | undefined;
  phoneticNameIdentifier?: I[] | null | undefined;
}

const namesIn = <I>(
  name: Names<I> | null | undefined,
  partsOf: (identifier: I) => (string | null | undefined)[],
): string[] =>
  [name?.nameIdentifier, name?.localNameIdentifier, name?.phoneticNameIdentifier]
    .flatMap(identifiers => identifiers ?? [])
    .map(identifier => partsOf(identifier).filter(Boolean).join(' ').slice(0, MAX_LENGTH.name))
    .filter(text => text !== '');

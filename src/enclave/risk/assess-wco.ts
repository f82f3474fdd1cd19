import { identifiersOf, type NameLists, type Person } from '../../contract/ivms101.ts';
import type { AssessWcoPayload, AssessWcoRequest } from '../../contract/requests.ts';
import type { AssessmentRegistered } from '../../contract/risk.ts';
import { MAX_LENGTH } from '../../contract/text.ts';
import type { ScreenedParty, ScreenedPerson } from '../../screening/port.ts';
import type { EnclaveDeps } from '../deps.ts';

import { type AssessmentContext, assessmentContext } from './assessment.ts';
import { registerAssessment } from './async-assessment.ts';

/** REF-4.3: screens the person or organisation on the other side. `payload` adds to what the verification holds. */
export async function assessWco(
  deps: EnclaveDeps,
  { verificationUuid, payload }: AssessWcoRequest,
  caller: string,
): Promise<AssessmentRegistered> {
  const context = assessmentContext(deps, 'wco', verificationUuid, caller);
  return registerAssessment(deps, context, screenedParty(context, payload));
}

/** One party with all its names: those that were sent, those that were answered and those that the caller adds. */
export function screenedParty(
  { verification, counterparty, address }: Pick<AssessmentContext, 'verification' | 'counterparty' | 'address'>,
  payload: AssessWcoPayload | undefined,
): ScreenedParty {
  const sources =
    counterparty.party === 'originator'
      ? [verification.ivms101Originator.originatorPersons, payload?.ivms101.originator?.originatorPersons]
      : [
          verification.ivms101Beneficiary.beneficiaryPersons,
          verification.ivms101Answer?.beneficiaryPersons,
          payload?.ivms101.beneficiary?.beneficiaryPersons,
        ];
  return { persons: mergePersons(sources.map(persons => persons ?? [])), asset: verification.symbol, address };
}

/** Merges by position: the first natural person of each source is one person, and so on. */
function mergePersons(sources: readonly (readonly Person[])[]): ScreenedPerson[] {
  const merged = new Map<string, ScreenedPerson>();
  for (const persons of sources) {
    const counts = { INDIVIDUAL: 0, ORGANISATION: 0 };
    for (const person of persons.map(screenedPerson)) {
      const key = `${person.kind} ${counts[person.kind]++}`;
      const earlier = merged.get(key);
      merged.set(key, { ...earlier, ...person, names: [...new Set([...(earlier?.names ?? []), ...person.names])] });
    }
  }
  return [...merged.values()];
}

function screenedPerson({ naturalPerson, legalPerson }: Person): ScreenedPerson {
  if (legalPerson)
    return { kind: 'ORGANISATION', names: namesIn(legalPerson.name, identifier => [identifier.legalPersonName]) };
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

const namesIn = <I>(
  name: NameLists<I> | null | undefined,
  partsOf: (identifier: I) => (string | null | undefined)[],
): string[] =>
  identifiersOf(name)
    .map(identifier => partsOf(identifier).filter(Boolean).join(' ').slice(0, MAX_LENGTH.name))
    .filter(text => text !== '');

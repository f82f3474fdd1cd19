import type { Beneficiary, NaturalPersonName, Person, Persons } from '../../contract/ivms101.ts';
import { matchingRepresentatives } from '../../contract/names.ts';
import type { PersonNames } from '../../contract/person-names.ts';
import { parseRequiredInfo } from '../../contract/required-info.ts';
import type { LegalUser, User } from '../users/user.ts';

/**
 * The beneficiary of a VERIFIED answer: only the requested personal data, and the account numbers as received. For a
 * user with CHANGES-ACCOUNT-NUMBER the account numbers change, which leads to BENEFICIARY-ACCOUNT-NOT-MATCHED.
 * `requiredBeneficiaryInfo`: the comma list of the request. `received`: its beneficiary.
 */
export function answerBeneficiary(
  user: User,
  requiredBeneficiaryInfo: string,
  received: Beneficiary,
): Beneficiary {
  const requested = new Set(parseRequiredInfo(requiredBeneficiaryInfo));
  return {
    beneficiaryPersons: personsOf(user, requested, received.beneficiaryPersons),
    accountNumber:
      user.behaviour === 'CHANGES-ACCOUNT-NUMBER'
        ? received.accountNumber.map(anotherAccount)
        : [...received.accountNumber],
  };
}

function personsOf(user: User, requested: ReadonlySet<string>, received: Persons): Person[] {
  if (user.kind === 'legal') return legalPersons(user, requested, received);
  return requested.has('NATURAL_PERSON_NAME') ? [{ naturalPerson: { name: nameOf(user.names) } }] : [];
}

/** Element 0 is the legal person, even without its name. The representatives follow it. */
function legalPersons({ names }: LegalUser, requested: ReadonlySet<string>, received: Persons): Person[] {
  const wantsName = requested.has('LEGAL_PERSON_NAME');
  const representatives = requested.has('CORPORATE_REPRESENTATIVE_NAME')
    ? matchingRepresentatives(names.representatives, received.slice(1))
    : [];
  if (!wantsName && representatives.length === 0) return [];
  const name = {
    nameIdentifier: [{ legalPersonName: names.legalName, legalPersonNameIdentifierType: 'LEGL' }],
  };
  return [
    { legalPerson: wantsName ? { name } : {} },
    ...representatives.map(person => ({ naturalPerson: { name: nameOf(person) } })),
  ];
}

const nameOf = ({ lastName, firstName }: PersonNames): NaturalPersonName => ({
  nameIdentifier: [
    { primaryIdentifier: lastName, secondaryIdentifier: firstName, nameIdentifierType: 'LEGL' },
  ],
});

/** Another account of the same form: another tag, or another last hex digit. */
function anotherAccount(account: string): string {
  const [parent, tag] = account.split(':');
  if (tag !== undefined) return `${parent}:${Number(tag) % 2 === 0 ? Number(tag) + 1 : Number(tag) - 1}`;
  const last = Number.parseInt(account.slice(-1), 16);
  return `${account.slice(0, -1)}${(last ^ 1).toString(16)}`.toLowerCase();
}

import { splitAddress } from '../../contract/assets.ts';
import type { Beneficiary } from '../../contract/ivms101.ts';
import { wantedPersons } from '../../contract/persons.ts';
import { parseRequiredInfo } from '../../contract/required-info.ts';
import type { User } from '../users/user.ts';

/**
 * The beneficiary of a VERIFIED answer: only the requested personal data, and the account numbers as received. For a
 * user with CHANGES-ACCOUNT-NUMBER the account numbers change, which leads to BENEFICIARY-ACCOUNT-NOT-MATCHED.
 * `requiredBeneficiaryInfo`: the comma list of the request. `received`: its beneficiary.
 */
export function answerBeneficiary(user: User, requiredBeneficiaryInfo: string, received: Beneficiary): Beneficiary {
  return {
    beneficiaryPersons: wantedPersons(user, parseRequiredInfo(requiredBeneficiaryInfo), received.beneficiaryPersons),
    accountNumber:
      user.behaviour === 'CHANGES-ACCOUNT-NUMBER'
        ? received.accountNumber.map(anotherAccount)
        : [...received.accountNumber],
  };
}

/** Another account of the same form: another tag, or another last hex digit. */
function anotherAccount(account: string): string {
  const [parent, tag] = splitAddress(account);
  if (tag !== undefined) return `${parent}:${Number(tag) % 2 === 0 ? Number(tag) + 1 : Number(tag) - 1}`;
  const last = Number.parseInt(account.slice(-1), 16);
  return `${account.slice(0, -1)}${(last ^ 1).toString(16)}`.toLowerCase();
}

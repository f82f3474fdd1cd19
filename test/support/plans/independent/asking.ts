import { assetOf } from './asset.ts';
import { type Any, personsOf } from './judge.ts';
import type { Originating } from './originating.ts';

/** How the independent VASP asks for a user verification. */
export function asking(vasp: Originating) {
  const { is, post } = vasp;
  const swapped = ({ names, ...user }: Any) =>
    is('swaps the names that it asks for') && user.kind === 'natural'
      ? { ...user, names: { lastName: names.firstName, firstName: names.lastName } }
      : { ...user, names };
  const beneficiaryOf = ({ beneficiary: { user, account }, omit = [] }: Any) => ({
    beneficiaryPersons: personsOf(swapped(user)),
    accountNumber: [accountOnTheWire(account, omit)],
  });
  const accountOnTheWire = (account: string, omit: string[]) =>
    omit.includes('destinationTag') ? account.split(':')[0]! : account;

  async function askUser(order: Any): Promise<string | undefined> {
    const { omit = [], requiredBeneficiaryInfo, beneficiary } = order;
    const customer = is('says that another customer pays') ? vasp.owners[3] : order.customer;
    const placeOfBirth = is('says another place of birth') ? 'Atlantis' : customer.placeOfBirth;
    const birth = omit.includes('dateAndPlaceOfBirth')
      ? {}
      : { dateAndPlaceOfBirth: { dateOfBirth: customer.dateOfBirth, placeOfBirth } };
    const wanted =
      beneficiary.user.kind === 'natural'
        ? 'NATURAL_PERSON_NAME,ACCOUNT_NUMBER'
        : 'LEGAL_PERSON_NAME,CORPORATE_REPRESENTATIVE_NAME,ACCOUNT_NUMBER';
    const payers = personsOf(customer, birth);
    if (is('names no representative of a company that pays')) payers.splice(1);
    const { body } = await post('/v1/verifications', {
      keyType: 'PerVasp',
      beneficiaryVaspId: beneficiary.vaspId,
      requiredBeneficiaryInfo: requiredBeneficiaryInfo ?? wanted,
      assetInfo: assetOf(is, order),
      payload: {
        version: '1.0',
        ivms101: {
          originator: { originatorPersons: payers, accountNumber: [customer.accounts[order.symbol]] },
          beneficiary: beneficiaryOf(order),
        },
      },
    });
    return body?.verificationUuid;
  }

  return { beneficiaryOf, accountOnTheWire, askUser };
}

/** What each generated client of TypeScript sends and waits for. Its own types judge it. */

export async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  throw new Error('it did not happen');
}

const person = (last: string, first: string) => ({
  naturalPerson: {
    name: {
      nameIdentifier: [{ primaryIdentifier: last, secondaryIdentifier: first, nameIdentifierType: 'LEGL' as const }],
    },
    dateAndPlaceOfBirth: { dateOfBirth: '1990-02-28', placeOfBirth: 'Seoul' },
  },
});

export interface Side {
  names: { lastName: string; firstName: string };
  account: string;
}

/** Of `account`. */
export const ourSide = (account: string): Side => ({ names: { lastName: 'Barnes', firstName: 'Robert' }, account });

export const requestOf = (beneficiaryVaspId: string, amount: string, from: Side, to: Side) => ({
  keyType: 'PerVasp' as const,
  beneficiaryVaspId,
  requiredBeneficiaryInfo: 'NATURAL_PERSON_NAME,ACCOUNT_NUMBER',
  assetInfo: {
    symbol: 'ETH' as const,
    amount,
    isExceedingThreshold: true,
    tradePrice: '2439800',
    tradeCurrency: 'KRW',
    tradeISODatetime: '2022-03-03T12:45:34.085Z',
  },
  payload: {
    version: '1.0',
    ivms101: {
      originator: {
        originatorPersons: [person(from.names.lastName, from.names.firstName)],
        accountNumber: [from.account],
      },
      beneficiary: { beneficiaryPersons: [person(to.names.lastName, to.names.firstName)], accountNumber: [to.account] },
    },
  },
});

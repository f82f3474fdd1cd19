/** The body of a user verification that the robot of this server answers with VERIFIED. */
export async function verificationRequest(url: string): Promise<string> {
  const info = (await (await fetch(`${url}/sandbox/v1/info`)).json()) as {
    robot: { vaspId: string };
    users: { id: string; accounts: { ETH: string } }[];
  };
  const beneficiary = info.users.find(user => user.id === 'taylor-robbins')!;
  return verificationBody(info.robot.vaspId, beneficiary.accounts.ETH);
}

export function verificationBody(beneficiaryVaspId: string, account: string): string {
  const name = (primaryIdentifier: string, secondaryIdentifier: string) => ({
    name: { nameIdentifier: [{ primaryIdentifier, secondaryIdentifier, nameIdentifierType: 'LEGL' }] },
  });
  return JSON.stringify({
    keyType: 'PerVasp',
    beneficiaryVaspId,
    requiredBeneficiaryInfo: 'NATURAL_PERSON_NAME,ACCOUNT_NUMBER',
    assetInfo: {
      symbol: 'ETH',
      amount: '0.024',
      isExceedingThreshold: true,
      tradePrice: '2439800',
      tradeCurrency: 'KRW',
      tradeISODatetime: '2026-01-01T00:00:00.000Z',
    },
    payload: {
      version: '1.0',
      ivms101: {
        originator: {
          originatorPersons: [
            {
              naturalPerson: {
                ...name('Din', 'James'),
                dateAndPlaceOfBirth: { dateOfBirth: '1990-01-01', placeOfBirth: 'Seoul' },
              },
            },
          ],
          accountNumber: ['0x5811001506550d8356a215be229c15b6ef371a9b'],
        },
        beneficiary: { beneficiaryPersons: [{ naturalPerson: name('Robbins', 'Taylor') }], accountNumber: [account] },
      },
    },
  });
}

/** Bodies as the documents show them; `set` gives a copy with one member changed. */

export const UUID = '8557f2b2-985e-431f-8d52-75c2e5a01e46';
export const AT = '2022-03-03T12:45:34.085Z';
export const ADDRESS = '0xFa230E9cCAF5e382539147294d7965Eeccbbfa5c';

export const person = (primaryIdentifier: string, secondaryIdentifier: string) => ({
  naturalPerson: { name: { nameIdentifier: [{ primaryIdentifier, secondaryIdentifier, nameIdentifierType: 'LEGL' }] } },
});

export const assetInfo = {
  symbol: 'ETH',
  network: 'Ethereum',
  amount: '0.024',
  isExceedingThreshold: true,
  tradePrice: '2439800',
  tradeCurrency: 'KRW',
  tradeISODatetime: '2022-03-03T12:45:34.000Z',
};

export const ivms101 = {
  originator: { originatorPersons: [person('Din', 'James')], accountNumber: ['0x5811001506550d8356'] },
  beneficiary: { beneficiaryPersons: [person('Robbins', 'Taylor')], accountNumber: [ADDRESS] },
};

export const verifyUser = {
  keyType: 'PerVasp',
  beneficiaryVaspId: '15952089931162060684',
  assetInfo,
  requiredBeneficiaryInfo: 'NATURAL_PERSON_NAME,ACCOUNT_NUMBER',
  payload: { version: '1.0', ivms101 },
};

export const verifyAccount = {
  keyType: 'PerVasp',
  beneficiaryVaspId: '15952089931162060684',
  symbol: 'ETH',
  network: 'Ethereum',
  payload: { version: '1.0', ivms101: { beneficiary: ivms101.beneficiary } },
};

/** Of the robot's users: a legal person and its representative. */
export const legalBeneficiary = JSON.parse(
  '{"beneficiaryPersons":[{"legalPerson":{"name":{"nameIdentifier":[{"legalPersonName":"Garrit Studio","legalPersonNameIdentifierType":"LEGL"}]}}},{"naturalPerson":{"name":{"nameIdentifier":[{"primaryIdentifier":"Clarke","secondaryIdentifier":"Jason","nameIdentifierType":"LEGL"}]}}}],"accountNumber":["rGFFufDwabHuPur9927p1EgBTcCBfsjtEU:234567891"]}',
);

/** A copy of `body` with the member at the dotted `path` replaced; `undefined` removes it. */
export function set<T extends object>(body: T, path: string, value: unknown): T {
  const copy = structuredClone(body);
  const steps = path.split('.');
  const leaf = steps.pop()!;
  let at = copy as Record<string, unknown>;
  for (const step of steps) at = at[step] as Record<string, unknown>;
  if (value === undefined) delete at[leaf];
  else at[leaf] = value;
  return copy;
}

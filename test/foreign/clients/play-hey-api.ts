import { client } from './hey/client.gen.ts';
import {
  getSandboxInfo,
  getSandboxVerifications,
  getVerification,
  postSandboxFaucet,
  reportTransaction,
  verifyUser,
} from './hey/sdk.gen.ts';
import type { Person, VerifyUserRequest } from './hey/types.gen.ts';

/** A withdrawal, played with the client that `@hey-api/openapi-ts` makes of the document. */

const [baseUrl = '', account = ''] = process.argv.slice(2);
client.setConfig({ baseUrl, throwOnError: true });
const throwOnError = true;

async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  throw new Error('it did not happen');
}

const person = (last: string, first: string): Person => ({
  naturalPerson: {
    name: {
      nameIdentifier: [{ primaryIdentifier: last, secondaryIdentifier: first, nameIdentifierType: 'LEGL' }],
    },
    dateAndPlaceOfBirth: { dateOfBirth: '1990-02-28', placeOfBirth: 'Seoul' },
  },
});

const { robot, users } = (await getSandboxInfo({ throwOnError })).data;
const user = users.find(({ id }) => id === 'taylor-robbins')!;
if (!('lastName' in user.names)) throw new Error('the user is a company');
const request: VerifyUserRequest = {
  keyType: 'PerVasp',
  beneficiaryVaspId: robot.vaspId,
  requiredBeneficiaryInfo: 'NATURAL_PERSON_NAME,ACCOUNT_NUMBER',
  assetInfo: {
    symbol: 'ETH',
    amount: '0.5',
    isExceedingThreshold: true,
    tradePrice: '2439800',
    tradeCurrency: 'KRW',
    tradeISODatetime: '2022-03-03T12:45:34.085Z',
  },
  payload: {
    version: '1.0',
    ivms101: {
      originator: { originatorPersons: [person('Barnes', 'Robert')], accountNumber: [account] },
      beneficiary: {
        beneficiaryPersons: [person(user.names.lastName, user.names.firstName)],
        accountNumber: [user.accounts.ETH],
      },
    },
  },
};

const { verificationUuid } = (await verifyUser({ body: request, throwOnError })).data;
const path = { uuid: verificationUuid };
const result = await until(async () => (await getVerification({ path, throwOnError })).data.result);
if (result !== 'VERIFIED') throw new Error(result);
const body = { symbol: 'ETH', address: user.accounts.ETH, amount: '0.5' } as const;
const { txHash } = (await postSandboxFaucet({ body, throwOnError })).data;
await reportTransaction({ body: { verificationUuid, txHash }, throwOnError });
const money = await until(async () => {
  const query = { search: verificationUuid };
  const { verifications } = (await getSandboxVerifications({ query, throwOnError })).data;
  return verifications.find(({ report }) => report?.verdict === 'CREDITED')?.money ?? undefined;
});
process.stdout.write(`withdrawal ${money.status}\n`);

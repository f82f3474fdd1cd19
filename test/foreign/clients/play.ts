import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

/** A withdrawal and a deposit, played with the client that `openapi-typescript` makes of the document. */

type Schemas = components['schemas'];

const [url = '', account = ''] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl: url });

async function data<T>(
  asked: Promise<{ data?: T; error?: Schemas['ErrorBody']; response: Response }>,
): Promise<T> {
  const { data: answer, error, response } = await asked;
  if (answer === undefined) throw new Error(`${response.url}: ${error?.code} ${error?.message}`);
  return answer;
}

async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  throw new Error('it did not happen');
}

const person = (last: string, first: string): Schemas['Person'] => ({
  naturalPerson: {
    name: {
      nameIdentifier: [{ primaryIdentifier: last, secondaryIdentifier: first, nameIdentifierType: 'LEGL' }],
    },
    dateAndPlaceOfBirth: { dateOfBirth: '1990-02-28', placeOfBirth: 'Seoul' },
  },
});

interface Side {
  person: Schemas['Person'];
  account: string;
}

const request = (
  beneficiaryVaspId: string,
  amount: string,
  from: Side,
  to: Side,
): Schemas['VerifyUserRequest'] => ({
  keyType: 'PerVasp',
  beneficiaryVaspId,
  requiredBeneficiaryInfo: 'NATURAL_PERSON_NAME,ACCOUNT_NUMBER',
  assetInfo: {
    symbol: 'ETH',
    amount,
    isExceedingThreshold: true,
    tradePrice: '2439800',
    tradeCurrency: 'KRW',
    tradeISODatetime: '2022-03-03T12:45:34.085Z',
  },
  payload: {
    version: '1.0',
    ivms101: {
      originator: { originatorPersons: [from.person], accountNumber: [from.account] },
      beneficiary: { beneficiaryPersons: [to.person], accountNumber: [to.account] },
    },
  },
});

async function verified(verificationUuid: string): Promise<string> {
  const params = { path: { uuid: verificationUuid } };
  const result = await until(
    async () => (await data(api.GET('/v1/verifications/{uuid}', { params }))).result,
  );
  if (result !== 'VERIFIED') throw new Error(result);
  return verificationUuid;
}

const { robot, vasp, users } = await data(api.GET('/sandbox/v1/info'));
const user = users.find(({ id }) => id === 'taylor-robbins')!;
if (!('lastName' in user.names)) throw new Error('the user is a company');
const theirs: Side = {
  person: person(user.names.lastName, user.names.firstName),
  account: user.accounts.ETH,
};
const ours: Side = { person: person('Barnes', 'Robert'), account };

const paid = await data(api.POST('/v1/verifications', { body: request(robot.vaspId, '0.5', ours, theirs) }));
const withdrawal = await verified(paid.verificationUuid);
const { txHash } = await data(
  api.POST('/sandbox/v1/faucet', { body: { symbol: 'ETH', address: theirs.account, amount: '0.5' } }),
);
const reported = await data(
  api.POST('/v1/verifications/tx', { body: { verificationUuid: withdrawal, txHash } }),
);
if (!reported.result) throw new Error('the report was not taken');
const money = await until(async () => {
  const { verifications } = await data(
    api.GET('/sandbox/v1/verifications', { params: { query: { search: withdrawal } } }),
  );
  return verifications.find(({ report }) => report?.verdict === 'CREDITED')?.money ?? undefined;
});

const asked = await data(
  api.POST('/vega/robot/v1.0/action/verifications', { body: request(vasp.vaspId, '0.25', theirs, ours) }),
);
const deposit = { verificationUuid: await verified(asked.verificationUuid) };
await data(api.POST('/vega/robot/v1.0/action/withdrawal', { body: deposit }));
const { transactionStatus } = await until(async () => {
  const status = await data(api.POST('/v1/verifications/tx/inquiry', { body: deposit }));
  return status.transactionStatus === 'CONFIRMED' ? status : undefined;
});

process.stdout.write(`withdrawal ${money.status}, deposit ${transactionStatus}\n`);

import {
  getSandboxInfo,
  getSandboxVerifications,
  getVerification,
  type Person,
  postSandboxFaucet,
  reportTransaction,
  type VerifyUserRequest,
  verifyUser,
} from './orval.ts';

/** A withdrawal, played with the client that `orval` makes of the document. */

const [url = '', account = ''] = process.argv.slice(2);
/** The client knows only paths: in a browser the page has the address. */
const { fetch: send } = globalThis;
globalThis.fetch = (path, init) => send(`${url}${path}`, init);

/** The answer of a status that tells success. */
function data<T extends { status: number; data: unknown }>(answer: T): Extract<T, { status: 200 }>['data'] {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.data));
  return answer.data;
}

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

const { robot, users } = data(await getSandboxInfo());
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

const { verificationUuid } = data(await verifyUser(request));
const result = await until(async () => data(await getVerification(verificationUuid)).result);
if (result !== 'VERIFIED') throw new Error(result);
const body = { symbol: 'ETH', address: user.accounts.ETH, amount: '0.5' } as const;
const { txHash } = data(await postSandboxFaucet(body));
data(await reportTransaction({ verificationUuid, txHash }));
const money = await until(async () => {
  const { verifications } = data(await getSandboxVerifications({ search: verificationUuid }));
  return verifications.find(({ report }) => report?.verdict === 'CREDITED')?.money ?? undefined;
});
process.stdout.write(`withdrawal ${money.status}\n`);

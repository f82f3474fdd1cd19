import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';
import { ourSide, requestOf, type Side, until } from './withdrawal.ts';

/** A withdrawal and a deposit, played with the client that `openapi-typescript` makes of the document. */

type Schemas = components['schemas'];

const [url = '', account = ''] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl: url });

async function data<T>(asked: Promise<{ data?: T; error?: Schemas['ErrorBody']; response: Response }>): Promise<T> {
  const { data: answer, error, response } = await asked;
  if (answer === undefined) throw new Error(`${response.url}: ${error?.code} ${error?.message}`);
  return answer;
}

async function verified(verificationUuid: string): Promise<string> {
  const params = { path: { uuid: verificationUuid } };
  const result = await until(async () => (await data(api.GET('/v1/verifications/{uuid}', { params }))).result);
  if (result !== 'VERIFIED') throw new Error(result);
  return verificationUuid;
}

const { robot, vasp, users } = await data(api.GET('/sandbox/v1/info'));
const user = users.find(({ id }) => id === 'taylor-robbins')!;
if (!('lastName' in user.names)) throw new Error('the user is a company');
const theirs: Side = { names: user.names, account: user.accounts.ETH };
const ours = ourSide(account);

const paid = await data(api.POST('/v1/verifications', { body: requestOf(robot.vaspId, '0.5', ours, theirs) }));
const withdrawal = await verified(paid.verificationUuid);
const { txHash } = await data(
  api.POST('/sandbox/v1/faucet', { body: { symbol: 'ETH', address: theirs.account, amount: '0.5' } }),
);
const reported = await data(api.POST('/v1/verifications/tx', { body: { verificationUuid: withdrawal, txHash } }));
if (!reported.result) throw new Error('the report was not taken');
const money = await until(async () => {
  const { verifications } = await data(
    api.GET('/sandbox/v1/verifications', { params: { query: { search: withdrawal } } }),
  );
  return verifications.find(({ report }) => report?.verdict === 'CREDITED')?.money ?? undefined;
});

const asked = await data(
  api.POST('/vega/robot/v1.0/action/verifications', { body: requestOf(vasp.vaspId, '0.25', theirs, ours) }),
);
const deposit = { verificationUuid: await verified(asked.verificationUuid) };
await data(api.POST('/vega/robot/v1.0/action/withdrawal', { body: deposit }));
const { transactionStatus } = await until(async () => {
  const status = await data(api.POST('/v1/verifications/tx/inquiry', { body: deposit }));
  return status.transactionStatus === 'CONFIRMED' ? status : undefined;
});

process.stdout.write(`withdrawal ${money.status}, deposit ${transactionStatus}\n`);

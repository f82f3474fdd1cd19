import { client } from './hey/client.gen.ts';
import {
  getSandboxInfo,
  getSandboxVerifications,
  getVerification,
  postSandboxFaucet,
  reportTransaction,
  verifyUser,
} from './hey/sdk.gen.ts';
import type { VerifyUserRequest } from './hey/types.gen.ts';
import { ourSide, requestOf, until } from './withdrawal.ts';

/** A withdrawal, played with the client that `@hey-api/openapi-ts` makes of the document. */

const [baseUrl = '', account = ''] = process.argv.slice(2);
client.setConfig({ baseUrl, throwOnError: true });
const throwOnError = true;

const { robot, users } = (await getSandboxInfo({ throwOnError })).data;
const user = users.find(({ id }) => id === 'taylor-robbins')!;
if (!('lastName' in user.names)) throw new Error('the user is a company');
const theirs = { names: user.names, account: user.accounts.ETH };
const request: VerifyUserRequest = requestOf(robot.vaspId, '0.5', ourSide(account), theirs);

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

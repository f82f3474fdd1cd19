import {
  getSandboxInfo,
  getSandboxVerifications,
  getVerification,
  postSandboxFaucet,
  reportTransaction,
  type VerifyUserRequest,
  verifyUser,
} from './orval.ts';
import { ourSide, requestOf, until } from './withdrawal.ts';

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

const { robot, users } = data(await getSandboxInfo());
const user = users.find(({ id }) => id === 'taylor-robbins')!;
if (!('lastName' in user.names)) throw new Error('the user is a company');
const theirs = { names: user.names, account: user.accounts.ETH };
const request: VerifyUserRequest = requestOf(robot.vaspId, '0.5', ourSide(account), theirs);

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

import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Wallet as EthersWallet, keccak256, parseEther } from 'ethers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Wallet as XrplWallet } from 'xrpl';
import type { AssetSymbol } from '../../src/contract/assets.ts';
import { userRequest } from '../../src/contract/sample-requests.ts';
import { nodesOf, type Program, program } from '../support/process/program.ts';
import { until } from '../support/until.ts';
import { HOSTED, type HostedTenant, hostedMembers, OPERATOR_KEY } from '../support/world/hosted-world.ts';

/** Whose a transaction is, is on disk before it is broadcast: a kill -9 between the two does not lose it. */

let built: Program;
let payer: HostedTenant;
let thief: HostedTenant;
beforeAll(async () => {
  built = await program(HOSTED);
  await built.start();
  const { register } = hostedMembers(built.url);
  [payer, thief] = [await register(), await register()];
});
afterAll(() => built.close());

async function rpc(path: string, body: object, apiKey: string) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` };
  const answer = await fetch(built.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return ((await answer.json()) as { result: Record<string, unknown> | null }).result;
}
const eth = (apiKey: string, method: string, ...params: unknown[]) =>
  rpc('/devnet/ethereum', { jsonrpc: '2.0', id: 1, method, params }, apiKey);
const xrp = (apiKey: string, method: string, params: object) =>
  rpc('/devnet/xrpl', { method, params: [params] }, apiKey);

const AMOUNT = '0.125';
const FROM = { ETH: `0x58${'11'.repeat(19)}`, XRP: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh:1' };

/** The address that the thief may pay. */
async function verified(symbol: AssetSymbol): Promise<{ uuid: string; to: string }> {
  const { users, robot } = await thief.api.info();
  const user = users.find(({ id }) => id === 'taylor-robbins')!;
  const request = userRequest({ robotVaspId: robot.vaspId, user, symbol, amount: AMOUNT, from: FROM[symbol] });
  const { verificationUuid: uuid } = await thief.api.verifyUser(request);
  await until(async () => (await thief.api.verification(uuid)).result === 'VERIFIED');
  return { uuid, to: user.accounts[symbol] };
}

async function expectNoCredit(uuid: string, txHash: string): Promise<void> {
  const reported = await thief.api.call('POST', '/v1/verifications/tx', { verificationUuid: uuid, txHash });
  expect(reported.body).toEqual({ result: true });
  const verdict = async () => (await thief.api.verifications({ search: uuid })).verifications[0]?.report?.verdict;
  await until(async () => (await verdict()) !== undefined);
  expect(await verdict()).toBe('OF-ANOTHER-VASP');
}

const submitted = (): string[] => {
  const copy = new Sqlite(join(built.folder, 'robot.sqlite'), { readonly: true });
  const rows = copy.prepare('SELECT tx_hash FROM robot_submissions').all() as { tx_hash: string }[];
  copy.close();
  return rows.map(row => row.tx_hash);
};

test('ETH: killed while the node does not take the transaction', async () => {
  const wallet = EthersWallet.createRandom();
  await payer.api.faucet('ETH', wallet.address, '1');
  const { uuid, to } = await verified('ETH');
  const raw = await wallet.signTransaction({
    chainId: 31_337,
    nonce: 0,
    to,
    value: parseEther(AMOUNT),
    gasLimit: 21_000,
    gasPrice: 3_000_000_000n,
  });
  const txHash = keccak256(raw);
  for (const pid of nodesOf(built.folder)) process.kill(pid, 'SIGSTOP');
  const sent = eth(payer.apiKey, 'eth_sendRawTransaction', raw).catch(() => undefined);
  await until(() => submitted().includes(txHash));
  await built.kill();
  await sent;
  await built.start();
  expect(await eth(OPERATOR_KEY, 'eth_getTransactionByHash', txHash)).toBeNull();
  // The chain may have lost its last second. What the broadcast would have done a moment later:
  await hostedMembers(built.url).operator.faucet('ETH', wallet.address, '1');
  expect(await eth(OPERATOR_KEY, 'eth_sendRawTransaction', raw)).toBe(txHash);
  await expectNoCredit(uuid, txHash);
});

test('XRP: killed right after the answer', async () => {
  const wallet = XrplWallet.generate();
  await payer.api.faucet('XRP', wallet.address, '20');
  const { uuid, to } = await verified('XRP');
  const [Destination = '', tag] = to.split(':');
  const account = await xrp(payer.apiKey, 'account_info', { account: wallet.address });
  const { Sequence } = account!.account_data as { Sequence: number };
  const { tx_blob, hash } = wallet.sign({
    TransactionType: 'Payment',
    Account: wallet.address,
    Sequence,
    Fee: '10',
    NetworkID: 21_117,
    Destination,
    DestinationTag: Number(tag),
    Amount: String(Number(AMOUNT) * 1_000_000),
  });
  expect(await xrp(payer.apiKey, 'submit', { tx_blob })).toMatchObject({ engine_result: 'tesSUCCESS' });
  await built.kill();
  expect(submitted()).toContain(hash);
  await built.start();
  await xrp(OPERATOR_KEY, 'submit', { tx_blob });
  await expectNoCredit(uuid, hash);
});

const rowsOf = ({ vaspId }: HostedTenant): unknown[] => {
  const copy = new Sqlite(join(built.folder, 'robot.sqlite'), { readonly: true });
  const rows = copy.prepare('SELECT * FROM robot_submissions WHERE vasp_id = ?').all(vaspId);
  copy.close();
  return rows;
};

test('an export holds them, and forgetting the VASP deletes them', async () => {
  const { operator, register } = hostedMembers(built.url);
  const other = await register();
  const { txHash } = await other.api.faucet('ETH', EthersWallet.createRandom().address, '0.1');
  expect(rowsOf(other)).toMatchObject([{ tx_hash: txHash }]);
  const path = `/sandbox/v1/tenants/${other.vaspId}`;
  const { body } = await operator.call('GET', `${path}/export`);
  expect(body).toMatchObject({ submissions: [{ symbol: 'ETH', txHash, vaspId: other.vaspId }] });
  await operator.call('DELETE', path);
  expect(rowsOf(other)).toEqual([]);
});

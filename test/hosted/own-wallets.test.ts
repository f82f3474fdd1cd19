import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEVELOPMENT_SEED } from '../../src/app/config/config.ts';
import { xrplWallet } from '../../src/chains/xrpl/wallet.ts';
import { GENESIS_ADDRESS } from '../../src/devnet/xrpl/genesis.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { createHostedWorld, type HostedTenant, type HostedWorld } from '../support/world/hosted-world.ts';

/** First account of the phrase that every development node has. */
const PUBLIC_ACCOUNT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const SOMEBODY = '0x00000000000000000000000000000000000abcde';

const at = scratchDatabase();
const env = { DATABASE_PATH: at('own-wallets.sqlite') };
let world: HostedWorld;
let tenant: HostedTenant;
beforeAll(async () => {
  world = await createHostedWorld(env);
  tenant = await world.register();
});
afterAll(() => world.close());

const eth = async (method: string, ...params: unknown[]) =>
  (await tenant.api.call<{ result: string }>('POST', '/devnet/ethereum', { jsonrpc: '2.0', id: 1, method, params }))
    .body.result;
const xrp = async (account: string) =>
  (
    await tenant.api.call<{ result: { error?: string } }>('POST', '/devnet/xrpl', {
      method: 'account_info',
      params: [{ account }],
    })
  ).body.result.error;
const robotUser = async () => {
  const { users } = (await tenant.api.call<{ users: { accounts: object }[] }>('GET', '/sandbox/v1/info')).body;
  return users[0]!.accounts;
};

test('keys that are public own nothing on the embedded chains', async () => {
  expect(await eth('eth_getBalance', PUBLIC_ACCOUNT, 'latest')).toBe('0x0');
  expect(await xrp(GENESIS_ADDRESS)).toBe('actNotFound');
  expect(await xrp(xrplWallet(DEVELOPMENT_SEED).address)).toBe('actNotFound');
});

test('the wallets stay the same after a restart', async () => {
  const before = await robotUser();
  await world.close();
  world = await createHostedWorld(env);
  tenant = await world.register();
  expect(await robotUser()).toEqual(before);
  const request = { symbol: 'ETH', address: SOMEBODY, amount: '1' };
  expect((await tenant.api.call('POST', '/sandbox/v1/faucet', request)).status).toBe(200);
});

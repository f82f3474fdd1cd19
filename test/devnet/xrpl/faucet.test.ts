import { classicAddressToXAddress } from 'ripple-address-codec';
import { expect, test } from 'vitest';
import { Client, Wallet } from 'xrpl';
import { forFile } from '../../support/world/for-file.ts';
import { accountOf, testLedger, XRP } from '../../support/xrpl-ledger/test-ledger.ts';

const ledger = await forFile(testLedger({ listen: { host: '127.0.0.1', port: 0 } }));

const ask = async (body: unknown, path = '/devnet/xrpl/accounts') => {
  const request = new Request(`http://ledger${path}`, { method: 'POST', body: JSON.stringify(body) });
  const response = await ledger.handleRequest(request, { remoteAddress: '127.0.0.1' });
  return { status: response.status, type: response.headers.get('content-type'), body: await response.json() };
};

test('an unmodified client funds its wallet through fundWallet', async () => {
  const client = new Client(String(ledger.url));
  await client.connect();
  const faucet = { faucetHost: String(ledger.url).slice(5), faucetPath: '/accounts', faucetProtocol: 'http' as const };
  const { balance, wallet } = await client.fundWallet(Wallet.generate(), { ...faucet, amount: '25' });
  expect(balance).toBe(25);
  expect(await client.getXrpBalance(wallet.address)).toBe(25);
  await client.disconnect();
});

test('the faucet pays what was asked for, under any path that ends in /accounts', async () => {
  const { address } = accountOf('wanting');
  const answer = await ask({ destination: address, xrpAmount: '12.5' });
  const xAddress = classicAddressToXAddress(address, false, true);
  expect(answer).toMatchObject({
    status: 200,
    body: { account: { address, classicAddress: address, xAddress }, amount: 12.5 },
  });
  expect(answer.type).toMatch(/^application\/json/);
  expect(await ledger.balance(address)).toBe(12_500_000n);
});

test('without a destination the faucet makes an account and hands out its seed', async () => {
  const { body } = (await ask({})) as { body: { account: { address: string }; seed: string } };
  expect(Wallet.fromSeed(body.seed).address).toBe(body.account.address);
  expect(await ledger.balance(body.account.address)).toBe(1_000n * XRP);
});

test.each([
  [{ destination: 'nobody' }, 400],
  [{ destination: accountOf('x').address, xrpAmount: '-1' }, 400],
  [{ destination: accountOf('x').address, xrpAmount: '0' }, 400],
  [{ destination: accountOf('x').address, xrpAmount: '0.5' }, 400],
  [[], 400],
])('a wish that cannot be met is refused: %j', async (wish, status) => {
  expect((await ask(wish)).status).toBe(status);
});

test('many wishes at once are all met, each by a payment of its own', async () => {
  const accounts = Array.from({ length: 20 }, (_, n) => accountOf(`crowd ${n}`));
  const paid = await Promise.all(accounts.map(({ address }) => ledger.fund(address, 5n * XRP, 7)));
  expect(new Set(paid.map(({ hash }) => hash)).size).toBe(20);
  for (const { address } of accounts) expect(await ledger.balance(address)).toBe(5n * XRP);
});

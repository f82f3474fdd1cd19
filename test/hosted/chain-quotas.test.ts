import { Wallet as EthereumWallet } from 'ethers';
import { describe, expect, test } from 'vitest';
import { Wallet as XrplWallet } from 'xrpl';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld, type HostedTenant, OPERATOR_KEY } from '../support/world/hosted-world.ts';

/** What a VASP may cost the embedded chains, which all share. */

const ENDLESS = '0x5b600056';
const MAX_GAS = 10_000_000;

const world = await forFile(createHostedWorld({ ETH_BLOCK_TIME: '1s', XRPL_CLOSE_INTERVAL: '200ms' }));

interface Answered {
  result?: Record<string, unknown> | string;
  error?: { code: number; message: string };
}
async function call(path: string, body: object, key: string): Promise<Answered> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const answer = await fetch(world.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as Answered;
}
const eth = (key: string, method: string, ...params: unknown[]) =>
  call('/devnet/ethereum', { jsonrpc: '2.0', id: 1, method, params }, key);
const baseFee = async () => {
  const { result } = await eth(OPERATOR_KEY, 'eth_getBlockByNumber', 'latest', false);
  return Number((result as { baseFeePerGas: string }).baseFeePerGas);
};

async function withEther({ api }: HostedTenant) {
  const wallet = EthereumWallet.createRandom();
  await api.faucet('ETH', wallet.address, '10');
  await until(async () => Number((await eth(OPERATOR_KEY, 'eth_getBalance', wallet.address, 'latest')).result) > 0);
  return wallet;
}

const price = { gasPrice: 3_000_000_000n };
const bid = { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
const KINDS: [string, object][] = [
  ['before EIP-2718', { type: 0, ...price }],
  ['with an access list', { type: 1, ...price, accessList: [{ address: `0x${'11'.repeat(20)}`, storageKeys: [] }] }],
  ['by EIP-1559', { type: 2, ...bid }],
];

describe('a transaction of a stranger', () => {
  const signed = (wallet: { signTransaction: EthereumWallet['signTransaction'] }, more: object) =>
    wallet.signTransaction({ chainId: 31_337, nonce: 0, to: `0x${'22'.repeat(20)}`, value: 1n, ...more });

  test.each(KINDS)('%s: has at most 10,000,000 gas, which count for the quota', async (_, kind) => {
    const tenant = await world.register();
    const wallet = await withEther(tenant);
    const before = (await tenant.api.usage()).quotas;
    const large = await eth(
      tenant.apiKey,
      'eth_sendRawTransaction',
      await signed(wallet, { ...kind, gasLimit: MAX_GAS + 1 }),
    );
    expect(large.error?.message).toBe('Several VASPs share this chain: a transaction has at most 10000000 gas.');
    const raw = await signed(wallet, { ...kind, gasLimit: MAX_GAS });
    expect((await eth(tenant.apiKey, 'eth_sendRawTransaction', raw)).result).toMatch(/^0x/);
    const after = (await tenant.api.usage()).quotas;
    expect(after.chainGasPerDay.used).toBe(before.chainGasPerDay.used! + MAX_GAS);
    expect(after.chainBytesPerDay.used).toBe(before.chainBytesPerDay.used! + raw.length / 2 - 1);
  });

  const NONE = { code: -32005, message: 'The parameter is no signed transaction.' };
  const asGeth = (message: string) => ({ code: -32000, message });
  test.each([
    [undefined, NONE],
    [7, NONE],
    [['0x02'], NONE],
    [[2, 195, 1, 2, 3], NONE],
    ['0x', asGeth('typed transaction too short')],
    ['0x02', asGeth('typed transaction too short')],
    ['0xc0', asGeth('rlp: too few elements for types.LegacyTx')],
    ['0x02c3010203', asGeth('rlp: too few elements for types.DynamicFeeTx')],
    ['0x7f00', asGeth('transaction type not supported')],
    ['zz', { code: -32602, message: expect.stringContaining('without 0x prefix') }],
  ])('is refused when it is none, in the words of geth where it has some: %j', async (raw, error) => {
    const { apiKey, api } = await world.register();
    expect((await eth(apiKey, 'eth_sendRawTransaction', raw)).error).toEqual(error);
    expect((await api.usage()).quotas.chainBytesPerDay.used).toBe(0);
  });

  test('that is too much for today is refused, in a batch and over a WebSocket too, and not that of others', async () => {
    const tenant = await world.register();
    const wallet = await withEther(tenant);
    await world.operator.changeTenant(tenant.vaspId, { quotas: { chainGasPerDay: 50_000 } });
    const raw = await signed(wallet, { ...bid, gasLimit: 30_000 });
    const [answer] = (await call(
      '/devnet/ethereum',
      [{ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] }],
      tenant.apiKey,
    )) as unknown as Answered[];
    expect(answer?.error).toMatchObject({
      code: -32005,
      message: expect.stringMatching(/chainGasPerDay \(50000 gas per day .*, 26250 used\).*frees at/i),
    });
    expect((await eth(OPERATOR_KEY, 'eth_sendRawTransaction', raw)).result).toMatch(/^0x/);
  });
});

test('endless transactions of two VASPs, up to their quotas, do not raise the base fee', async () => {
  const before = await baseFee();
  for (const tenant of [await world.register(), await world.register()]) {
    const wallet = await withEther(tenant);
    const sent: Answered[] = [];
    for (let nonce = 0; nonce < 30; nonce++) {
      const endless = { chainId: 31_337, nonce, data: ENDLESS, gasLimit: MAX_GAS, ...bid };
      sent.push(await eth(tenant.apiKey, 'eth_sendRawTransaction', await wallet.signTransaction(endless)));
    }
    // The payment of the faucet was counted.
    expect(sent.map(({ error }) => error?.code)).toEqual([...Array(29).fill(undefined), -32005]);
    await until(
      async () => Number((await eth(OPERATOR_KEY, 'eth_getTransactionCount', wallet.address, 'latest')).result) === 29,
    );
  }
  expect(await baseFee()).toBeLessThan(before * 2);
});

describe('on the XRP Ledger', () => {
  const submit = (key: string, tx_blob: string) =>
    call('/devnet/xrpl', { method: 'submit', params: [{ tx_blob }] }, key);

  test('the bytes of a transaction count, and too many for today are refused', async () => {
    const tenant = await world.register();
    const wallet = XrplWallet.generate();
    await tenant.api.faucet('XRP', wallet.address, '20');
    const used = (await tenant.api.usage()).quotas.chainBytesPerDay.used!;
    const { result } = await call(
      '/devnet/xrpl',
      { method: 'account_info', params: [{ account: wallet.address }] },
      tenant.apiKey,
    );
    const { Sequence } = (result as { account_data: { Sequence: number } }).account_data;
    const payment = {
      TransactionType: 'AccountSet',
      Account: wallet.address,
      Sequence,
      Fee: '10',
      NetworkID: 21_117,
    } as const;
    const { tx_blob: blob } = wallet.sign(payment);
    const bytes = blob.length / 2;
    await world.operator.changeTenant(tenant.vaspId, { quotas: { chainBytesPerDay: used + bytes } });
    expect((await submit(tenant.apiKey, blob)).result).toMatchObject({ engine_result: 'tesSUCCESS' });
    expect((await tenant.api.usage()).quotas.chainBytesPerDay.used).toBe(used + bytes);
    expect((await submit(tenant.apiKey, blob)).result).toMatchObject({
      error: 'slowDown',
      error_message: expect.stringContaining(`chainBytesPerDay (${used + bytes} bytes per day`),
    });
    expect((await submit(OPERATOR_KEY, blob)).result).toMatchObject({ engine_result: 'tefPAST_SEQ' });
  });
});

test('small payments of the faucet count too', async () => {
  const tenant = await world.register();
  await world.operator.changeTenant(tenant.vaspId, { quotas: { chainGasPerDay: 52_500 } });
  const { address } = EthereumWallet.createRandom();
  for (let paid = 0; paid < 2; paid++) await tenant.api.faucet('ETH', address, '0.000001');
  await expect(tenant.api.faucet('ETH', address, '0.000001')).rejects.toThrow(/chainGasPerDay/);
});

test('every payment of one transaction of the faucet counts, by the gas limit of the transaction', async () => {
  const tenant = await world.register();
  const payments = Array.from({ length: 3 }, () => ({
    address: EthereumWallet.createRandom().address,
    amount: '0.000001',
  }));
  const [first, ...others] = payments;
  await tenant.api.call('POST', '/sandbox/v1/faucet', { symbol: 'ETH', ...first, others });
  expect((await tenant.api.usage()).quotas.chainGasPerDay.used).toBe(500_000);
});

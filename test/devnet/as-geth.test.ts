import { concat, decodeRlp, encodeRlp, keccak256, Transaction, toBeHex, Wallet } from 'ethers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { BY_URL, createWorld, type World } from '../support/world/world.ts';

/** What a wallet meets at `/devnet/ethereum` as at geth, each tried on geth 1.17.10. */

describe.skipIf(BY_URL)('/devnet/ethereum refuses what geth refuses', () => {
  let world: World;
  /** Has money. */
  const rich = Wallet.fromPhrase('test test test test test test test test test test test junk');
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  interface Answer {
    id: unknown;
    result?: string;
    error?: { code: number; message: string };
  }
  async function post(body: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(`${world.url}/devnet/ethereum`, request)).json() as Promise<Answer>;
  }
  const call = (method: string, ...params: unknown[]) => post({ jsonrpc: '2.0', id: 1, method, params });
  const send = (raw: string) => call('eth_sendRawTransaction', raw);
  const GWEI = 10n ** 9n;
  const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  type Fields = Parameters<Wallet['signTransaction']>[0];
  const signed = (fields: Fields, wallet: Pick<Wallet, 'signTransaction'> = rich) =>
    wallet.signTransaction({
      type: 2,
      chainId: 31337,
      gasLimit: 21_000n,
      maxFeePerGas: 50n * GWEI,
      maxPriorityFeePerGas: GWEI,
      to: `0x${'7e'.repeat(20)}`,
      ...fields,
    });
  const nextNonce = async () => Number((await call('eth_getTransactionCount', rich.address, 'pending')).result);

  test.each<[string, Fields, string]>([
    ['a gas limit above EIP-7825', { gasLimit: 2n ** 24n + 1n }, 'transaction gas limit too high (cap: 16777216'],
    [
      'less gas than the data takes by EIP-7623',
      { gasLimit: 60_999n, data: `0x${'11'.repeat(1_000)}` },
      'insufficient gas for floor data gas cost: gas 60999, minimum needed 61000',
    ],
    [
      'less gas than its code takes',
      { to: null, gasLimit: 53_407n, data: `0x${'00'.repeat(100)}` },
      'intrinsic gas too low: gas 53407, minimum needed 53408',
    ],
    [
      'less gas than its access list takes',
      { gasLimit: 25_299n, accessList: [{ address: rich.address, storageKeys: [`0x${'00'.repeat(32)}`] }] },
      'intrinsic gas too low: gas 25299, minimum needed 25300',
    ],
    ['more than 128 KiB', { gasLimit: 16_000_000n, data: `0x${'00'.repeat(140_000)}` }, 'oversized data'],
    ['a used nonce', { nonce: 0 }, 'nonce too low'],
    ['no tip', { maxPriorityFeePerGas: 0n }, 'transaction gas price below minimum: gas tip cap 0'],
    [
      'a price in another unit',
      { maxFeePerGas: 50_000n * GWEI },
      'tx fee (1.05 ether) exceeds the configured cap (1.00 ether)',
    ],
  ])('%s', async (_, fields, words) => {
    await send(await signed({ nonce: await nextNonce() }));
    const { error } = await send(await signed({ nonce: await nextNonce(), ...fields }));
    expect(error?.code).toBe(-32000);
    expect(error?.message).toContain(words);
  });

  test.each<[string, (raw: string) => string, string]>([
    ['nothing', () => '0x', 'typed transaction too short'],
    ['only a type', () => '0x02', 'typed transaction too short'],
    ['a type that nobody knows', raw => `0x05${raw.slice(4)}`, 'transaction type not supported'],
    ['no fields', () => '0x02c0', 'rlp: too few elements for types.DynamicFeeTx'],
    ['no fields and no type', () => '0xc0', 'rlp: too few elements for types.LegacyTx'],
    ['a text in place of the fields', () => '0x0180', 'rlp: expected input list for types.AccessListTx'],
    ['the last byte missing', raw => raw.slice(0, -2), 'rlp: value size exceeds available input length'],
    ['one byte more', raw => `${raw}00`, 'rlp: input contains more than one value'],
  ])('a transaction that cannot be read: %s', async (_, change, message) => {
    const raw = change(await signed({ nonce: await nextNonce() }));
    expect((await send(raw)).error).toEqual({ code: -32000, message });
  });

  test.each([
    ['a high s', (s: bigint) => ORDER - s],
    ['a large s', () => ORDER + 1n],
    ['no s', () => 0n],
  ])('a signature with %s: no hash for a transaction that no account pays', async (_, change) => {
    const fields = decodeRlp(`0x${(await signed({ nonce: await nextNonce() })).slice(4)}`) as string[];
    const s = change(BigInt(fields.at(-1)!));
    const raw = concat(['0x02', encodeRlp([...fields.slice(0, -1), s === 0n ? '0x' : toBeHex(s)])]);
    expect((await send(raw)).error).toEqual({
      code: -32000,
      message: 'invalid sender: invalid transaction v, r, s values',
    });
  });

  test.each([
    [0, 'invalid sender: invalid chain id for signer: have 15651 want 31337'],
    [2, 'rlp: too few elements for types.DynamicFeeTx'],
  ])('a transaction of type %d that nobody has signed', async (type, message) => {
    const fields = { type, chainId: 31337, nonce: await nextNonce(), gasLimit: 21_000n, to: `0x${'7e'.repeat(20)}` };
    const price = type === 0 ? { gasPrice: GWEI } : { maxFeePerGas: GWEI, maxPriorityFeePerGas: GWEI };
    const raw = Transaction.from({ ...fields, ...price }).unsignedSerialized;
    expect((await send(raw)).error).toEqual({ code: -32000, message });
  });

  test.each([
    ['a tip above its fee', 2, toBeHex(60n * GWEI), 'max priority fee per gas higher than max fee per gas'],
    ['a recipient of 19 bytes', 5, `0x${'7e'.repeat(19)}`, 'rlp: a field of types.DynamicFeeTx cannot be decoded'],
    ['a parity of two', 9, '0x02', 'rlp: a field of types.DynamicFeeTx cannot be decoded'],
  ])('a transaction with %s', async (_, at, value, message) => {
    const fields = decodeRlp(`0x${(await signed({ nonce: await nextNonce() })).slice(4)}`) as string[];
    const raw = concat(['0x02', encodeRlp(fields.map((each, i) => (i === at ? value : each)))]);
    expect((await send(raw)).error).toEqual({ code: -32000, message });
  });

  test('a transaction of EIP-7702 that authorizes nobody', async () => {
    const nonce = await nextNonce();
    expect((await send(await signed({ nonce, type: 4, authorizationList: [] }))).error).toEqual({
      code: -32000,
      message: 'set code tx must have at least one authorization tuple',
    });
    expect((await send(await signed({ nonce }))).error).toBeUndefined();
  });

  test.each([
    ['with a type', { type: 2 }],
    ['without a type', { type: 0, gasPrice: 50n * GWEI, maxFeePerGas: null, maxPriorityFeePerGas: null }],
  ])('a transaction of another chain, %s', async (_, fields) => {
    const raw = await signed({ nonce: await nextNonce(), chainId: 1, ...fields });
    expect((await send(raw)).error).toEqual({
      code: -32000,
      message: 'invalid sender: invalid chain id for signer: have 1 want 31337',
    });
  });

  test('a transaction without a chain id, one without 0x, and one of an empty account', async () => {
    const legacy = { type: 0, gasPrice: 50n * GWEI, gasLimit: 21_000n, to: rich.address, nonce: 0 };
    expect((await send(await rich.signTransaction(legacy))).error).toEqual({
      code: -32000,
      message: 'only replay-protected (EIP-155) transactions allowed over RPC',
    });
    const raw = await signed({ nonce: 0 }, Wallet.createRandom());
    expect((await send(raw.slice(2))).error?.code).toBe(-32602);
    expect((await send(raw)).error).toEqual({ code: -32000, message: 'insufficient funds for gas * price + value' });
  });

  test('what waits is known already, and a replacement bids 10 % more in both parts', async () => {
    await world.api.call('POST', '/sandbox/v1/chains/ETH/hold', { on: true });
    const nonce = await nextNonce();
    const bid = (fee: bigint, tip: bigint) =>
      signed({ nonce, value: fee, maxFeePerGas: fee * GWEI, maxPriorityFeePerGas: tip * (GWEI / 100n) });
    const first = await bid(50n, 100n);
    expect((await send(first)).result).toBe(keccak256(first));
    expect((await send(first)).error).toEqual({ code: -32000, message: 'already known' });
    const underpriced = { code: -32000, message: 'replacement transaction underpriced' };
    for (const [fee, tip] of [
      [52n, 105n],
      [60n, 100n],
      [50n, 200n],
    ] as const)
      expect((await send(await bid(fee, tip))).error).toEqual(underpriced);
    const higher = await bid(55n, 110n);
    expect((await send(higher)).result).toBe(keccak256(higher));
    expect((await call('eth_getTransactionByHash', keccak256(first))).result).toBeNull();
    await world.api.call('POST', '/sandbox/v1/chains/ETH/hold', { on: false });
  });

  test('what waits is paid from the same balance', async () => {
    const poor = Wallet.createRandom();
    const ether = 10n ** 18n;
    await send(await signed({ nonce: await nextNonce(), to: poor.address, value: ether }));
    await until(async () => (await call('eth_getBalance', poor.address)).result !== '0x0');
    await world.api.call('POST', '/sandbox/v1/chains/ETH/hold', { on: true });
    const pay = async (nonce: number, value: bigint) => send(await signed({ nonce, value }, poor));
    expect(await pay(0, (ether * 6n) / 10n)).toHaveProperty('result');
    expect((await pay(1, (ether * 6n) / 10n)).error).toEqual({
      code: -32000,
      message:
        'insufficient funds for gas * price + value: balance 1000000000000000000, queued cost 601050000000000000, tx cost 601050000000000000, overshot 202100000000000000',
    });
    const { result: paid } = await pay(1, (ether * 3n) / 10n);
    await world.api.call('POST', '/sandbox/v1/chains/ETH/hold', { on: false });
    expect((await call('eth_getTransactionReceipt', paid)).result).toMatchObject({ status: '0x1' });
  });

  test.each([
    ['upside down', { fromBlock: '0x2', toBlock: '0x1' }],
    ['from the head to the beginning', { fromBlock: 'latest', toBlock: 'earliest' }],
    ['beyond the head', { fromBlock: '0x0', toBlock: '0xffffff' }],
    ['of pending blocks', { fromBlock: 'pending' }],
  ])('logs of a range %s', async (_, filter) => {
    expect((await call('eth_getLogs', filter)).error?.code).toBe(-32602);
  });

  test('a balance beyond the head', async () => {
    const { error } = await call('eth_getBalance', rich.address, '0xffffff');
    expect(error).toEqual({ code: -32000, message: 'header not found' });
  });

  test('fees beyond the head, and a hash without 0x', async () => {
    expect((await call('eth_feeHistory', '0x1', '0xffffff', [])).error).toMatchObject({
      code: -32000,
      message: expect.stringContaining('request beyond head block'),
    });
    const { error } = await call('eth_getTransactionReceipt', '7e'.repeat(32));
    expect(error?.code).toBe(-32602);
  });

  test.each([0, -1, 1.5, true, '', 'x', null])('an id as %j comes back', async id => {
    const request = { jsonrpc: '2.0', id, method: 'eth_chainId', params: [] };
    expect(await post(request)).toEqual({ jsonrpc: '2.0', id, result: '0x7a69' });
    expect(await post({ ...request, method: 'eth_getBalance', params: ['0x12'] })).toMatchObject({
      id,
      error: { code: -32602 },
    });
  });

  test.each(['9007199254740993', '-123456789012345678901234567890', '1.0', '1e3', '-0'])(
    'the id %s comes back as it came, alone and in a batch',
    async id => {
      const text = async (body: string) => {
        const headers = { 'content-type': 'application/json' };
        return (await fetch(`${world.url}/devnet/ethereum`, { method: 'POST', headers, body })).text();
      };
      const request = `{"jsonrpc":"2.0","id": ${id},"method":"eth_chainId","params":[]}`;
      const answer = `{"jsonrpc":"2.0","id":${id},"result":"0x7a69"}`;
      expect(await text(request)).toBe(answer);
      expect(await text(`[${request},${request}]`)).toBe(`[${answer},${answer}]`);
      expect(await text(request.replace('eth_chainId', 'eth_nothing'))).toContain(`"id":${id},"error":{`);
    },
  );

  test('a wallet that waits for the receipt, and one that lets the node fill in', async () => {
    const nonce = await nextNonce();
    const sent = await call('eth_sendRawTransactionSync', await signed({ nonce }));
    expect(sent).toMatchObject({ result: { status: '0x1', type: '0x2' } });
    const again = await call('eth_sendRawTransactionSync', await signed({ nonce, gasLimit: 20_000n }));
    expect(again.error?.message).toContain('intrinsic gas too low');
    const filled = await call('eth_fillTransaction', { from: rich.address, to: rich.address });
    expect(filled).toMatchObject({ result: { tx: { chainId: '0x7a69', gas: '0x5208' } } });
  });

  test('a proof of a short key of storage', async () => {
    const { result } = await call('eth_getProof', rich.address, ['0x0'], 'latest');
    expect(result).toMatchObject({ storageProof: [{ value: '0x0' }] });
  });

  test('a balance without a block is the newest one', async () => {
    expect(await call('eth_getBalance', rich.address)).toEqual(await call('eth_getBalance', rich.address, 'latest'));
  });
});

import { type Authorization, concat, decodeRlp, encodeRlp, toBeHex, Wallet, ZeroHash } from 'ethers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findGeth } from '../support/foreign/find-nodes.ts';
import { type ForeignNode, startForeignNode } from '../support/foreign/foreign-node.ts';
import { until } from '../support/until.ts';
import { createWorld, type World } from '../support/world/world.ts';

/** What the embedded chain refuses, side by side with a geth of the same rules. */

const ETHER = 10n ** 18n;
const GWEI = 10n ** 9n;
const geth = await findGeth('Osaka');
const wallet = Wallet.createRandom();

type Fields = Parameters<Wallet['signTransaction']>[0];
interface Chain {
  url: string;
  chainId: number;
  /** The number of the next transaction of the wallet. */
  nonce: number;
}
interface Refused {
  code: number;
  message: string;
}

let node: ForeignNode;
let world: World;
let chains: [Chain, Chain];
beforeAll(async () => {
  if (geth.missing !== undefined) return;
  [node, world] = await Promise.all([startForeignNode(geth.kind), createWorld()]);
  await node.fund(wallet.address, 10n * ETHER);
  await world.api.call('POST', '/sandbox/v1/faucet', { symbol: 'ETH', address: wallet.address, amount: '10' });
  const url = `${world.url}/devnet/ethereum`;
  chains = [
    { url: node.url, chainId: 1337, nonce: 0 },
    { url, chainId: 31337, nonce: 0 },
  ];
  for (const chain of chains) {
    expect(await send(chain.url, await signed(chain))).toBeUndefined();
    chain.nonce = 1;
    await until(async () => (await counted(chain)) === 1);
  }
});
afterAll(async () => {
  await node?.close();
  await world?.close();
});

const signed = (
  { chainId, nonce }: Chain,
  fields: Fields = {},
  by: { signTransaction(f: Fields): Promise<string> } = wallet,
) =>
  by.signTransaction({
    type: 2,
    chainId,
    nonce,
    gasLimit: 21_000n,
    maxFeePerGas: 50n * GWEI,
    maxPriorityFeePerGas: GWEI,
    to: `0x${'7e'.repeat(20)}`,
    ...fields,
  });

interface Answer {
  result?: string;
  error?: Refused;
}
async function call(url: string, method: string, ...params: unknown[]): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return (await fetch(url, { method: 'POST', headers, body })).json() as Promise<Answer>;
}
/** The error of the chain. Undefined: it has taken the transaction. */
const send = async (url: string, raw: string) => (await call(url, 'eth_sendRawTransaction', raw)).error;
const counted = async ({ url }: Chain) =>
  Number((await call(url, 'eth_getTransactionCount', wallet.address, 'latest')).result);

const legacy = { type: 0, gasPrice: 50n * GWEI, maxFeePerGas: null, maxPriorityFeePerGas: null };
const cut = (bytes: number) => async (chain: Chain) => (await signed(chain)).slice(0, -2 * bytes);

const ACCESS_LIST = [{ address: `0x${'7e'.repeat(20)}`, storageKeys: [ZeroHash, ZeroHash] }];
const authorizing = async ({ chainId }: Chain, gasLimit: bigint): Promise<Fields> => ({
  type: 4,
  gasLimit,
  authorizationList: [await wallet.authorize({ address: wallet.address, chainId, nonce: 9 })],
});
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const withSignature = (raw: string, change: (s: bigint) => bigint): string => {
  const type = raw.startsWith('0x02') ? '0x02' : '0x';
  const fields = decodeRlp(`0x${raw.slice(type.length)}`) as string[];
  const s = change(BigInt(fields.at(-1)!));
  return concat([type, encodeRlp([...fields.slice(0, -1), s === 0n ? '0x' : toBeHex(s)])]);
};

const withFields = (raw: string, change: (fields: string[]) => string[]): string => {
  const type = raw.slice(0, 4);
  return concat([type, encodeRlp(change(decodeRlp(`0x${raw.slice(4)}`) as string[]))]);
};
const respell = async (raw: Promise<string>, at: number, value: string): Promise<string> =>
  withFields(await raw, fields => fields.map((each, i) => (i === at ? value : each)));

const CASES: readonly [name: string, raw: (chain: Chain) => Promise<string> | string][] = [
  ['a used number', chain => signed(chain, { nonce: 0, value: 1n })],
  ['an empty account', chain => signed(chain, { nonce: 0 }, Wallet.createRandom())],
  ['more than the account has', chain => signed(chain, { value: 11n * ETHER })],
  ['another chain', chain => signed(chain, { chainId: 1 })],
  ['another chain, without a type', chain => signed(chain, { ...legacy, chainId: 1 })],
  [
    'no chain',
    chain => wallet.signTransaction({ ...legacy, nonce: chain.nonce, gasLimit: 21_000n, to: wallet.address }),
  ],
  ['too little gas', chain => signed(chain, { gasLimit: 20_999n })],
  ['too little gas for its data', chain => signed(chain, { gasLimit: 30_000n, data: `0x${'11'.repeat(1_000)}` })],
  ['too little gas for a contract', chain => signed(chain, { to: null, gasLimit: 50_000n, data: '0x00' })],
  [
    'too little gas for the words of its code',
    chain => signed(chain, { to: null, gasLimit: 53_000n + 100n * 4n + 7n, data: `0x${'00'.repeat(100)}` }),
  ],
  ['too little gas for its access list', chain => signed(chain, { gasLimit: 27_199n, accessList: ACCESS_LIST })],
  ['too little gas for who is authorized', async chain => signed(chain, await authorizing(chain, 45_999n))],
  [
    'too little gas for the floor of its data',
    chain => signed(chain, { gasLimit: 60_999n, data: `0x${'11'.repeat(1_000)}` }),
  ],
  ['too much gas', chain => signed(chain, { gasLimit: 2n ** 24n + 1n })],
  ['too many bytes', chain => signed(chain, { gasLimit: 10_000_000n, data: `0x${'00'.repeat(140_000)}` })],
  [
    'too much code of a contract',
    chain => signed(chain, { to: null, gasLimit: 10_000_000n, data: `0x${'00'.repeat(50_000)}` }),
  ],
  ['no tip', chain => signed(chain, { maxPriorityFeePerGas: 0n })],
  ['no price', chain => signed(chain, { ...legacy, gasPrice: 0n })],
  ['more than an ether of fees', chain => signed(chain, { maxFeePerGas: 50_000n * GWEI })],
  ['nobody who is authorized', chain => signed(chain, { type: 4, authorizationList: [] as Authorization[] })],
  ['a signature with a high s', async chain => withSignature(await signed(chain), s => ORDER - s)],
  ['a signature with a large s', async chain => withSignature(await signed(chain), () => ORDER + 1n)],
  ['a signature without an s', async chain => withSignature(await signed(chain), () => 0n)],
  ['a signature with a high s and no type', async chain => withSignature(await signed(chain, legacy), s => ORDER - s)],
  ['a tip above its fee', chain => respell(signed(chain), 2, toBeHex(60n * GWEI))],
  ['a field too many', async chain => withFields(await signed(chain), fields => [...fields, '0x01'])],
  ['a field too few', async chain => withFields(await signed(chain), fields => fields.slice(0, -1))],
  ['no r', chain => respell(signed(chain), 10, '0x')],
  ['nothing', () => '0x'],
  ['only a type', () => '0x02'],
  ['a type that nobody knows', async chain => `0x05${(await signed(chain)).slice(4)}`],
  ['no fields', () => '0x02c0'],
  ['no fields and no type', () => '0xc0'],
  ['a text in place of the fields', () => '0x0180'],
  ['the last byte missing', cut(1)],
  ['forty bytes missing', cut(40)],
  ['one byte more', async chain => `${await signed(chain)}00`],
  ['no 0x', async chain => (await signed(chain)).slice(2)],
  ['half a byte', async chain => (await signed(chain)).slice(0, -1)],
];

/** Only geth names the field, so that the code is compared. */
const BROKEN_FIELDS: readonly [name: string, raw: (chain: Chain) => Promise<string>][] = [
  ['a fee of more than 256 bits', chain => respell(signed(chain), 3, `0x${'ff'.repeat(33)}`)],
  ['a recipient of 19 bytes', chain => respell(signed(chain), 5, `0x${'7e'.repeat(19)}`)],
  ['the highest number of all', chain => respell(signed(chain), 1, `0x${'ff'.repeat(8)}`)],
  ['a parity of two', chain => respell(signed(chain), 9, '0x02')],
];

/** Without the figures of the account, which only geth tells. */
const shown = ({ chainId }: Chain, error: Refused | undefined): Refused | undefined =>
  error && {
    code: error.code,
    message: error.message
      .replaceAll(`${chainId}`, '<chain>')
      .replace(/^(insufficient funds for gas \* price \+ value|nonce too low):.*/, '$1'),
  };
const onBoth = (sent: (chain: Chain) => Promise<string> | string) =>
  Promise.all(chains.map(async chain => shown(chain, await send(chain.url, await sent(chain)))));

describe.skipIf(geth.missing !== undefined)('beside geth', () => {
  test.each(CASES)('the embedded chain refuses with its code and words: %s', async (_, raw) => {
    const [ofGeth, ours] = await onBoth(raw);
    expect(ofGeth).toBeDefined();
    expect(ours).toEqual(ofGeth);
  });

  test.each(BROKEN_FIELDS)('the embedded chain refuses with its code: %s', async (_, raw) => {
    const [ofGeth, ours] = await onBoth(raw);
    expect(ofGeth).toBeDefined();
    expect(ours?.code).toBe(ofGeth?.code);
  });

  test('what waits is known, and its replacement bids 10 % more', async () => {
    const bid = (fee: bigint, tip: bigint) => (chain: Chain) =>
      signed(chain, { nonce: chain.nonce + 5, maxFeePerGas: fee * GWEI, maxPriorityFeePerGas: tip * (GWEI / 100n) });
    expect(await onBoth(bid(50n, 100n))).toEqual([undefined, undefined]);
    for (const [fee, tip] of [
      [50n, 100n],
      [54n, 120n],
      [60n, 109n],
      [55n, 110n],
      [55n, 110n],
    ] as const) {
      const [ofGeth, ours] = await onBoth(bid(fee, tip));
      expect([fee, tip, ours]).toEqual([fee, tip, ofGeth]);
    }
  });

  test('exactly the least gas is taken, and mined', async () => {
    for (const fields of [
      { to: null, gasLimit: 53_000n + 100n * 4n + 8n, data: `0x${'00'.repeat(100)}` },
      { gasLimit: 27_200n, accessList: ACCESS_LIST },
      { gasLimit: 61_000n, data: `0x${'11'.repeat(1_000)}` },
    ]) {
      expect(await onBoth(chain => signed(chain, fields))).toEqual([undefined, undefined]);
      for (const chain of chains) {
        chain.nonce += 1;
        await until(async () => (await counted(chain)) === chain.nonce);
      }
    }
  });

  test('a price below the base fee: geth keeps it, and the embedded chain refuses it', async () => {
    const [ofGeth, ours] = await onBoth(chain => signed(chain, { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }));
    expect(ofGeth).toBeUndefined();
    expect(ours).toMatchObject({ code: -32000, message: expect.stringContaining('base fee') });
  });
});

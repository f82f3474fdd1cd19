import { Transaction, Wallet } from 'ethers';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { Client, Wallet as XrpWallet } from 'xrpl';
import type { Order } from '../../../src/client/calls.ts';
import { countsOf, seenBy } from '../../support/http/observed-call.ts';
import { until } from '../../support/until.ts';
import { forFile } from '../../support/world/for-file.ts';
import { createWorld } from '../../support/world/world.ts';

/** PROD-4: the embedded ledgers fail on order for the calls of the tested VASP, and for nobody else. */

const world = await forFile(createWorld());
afterEach(() => world.api.removeFaults());

const CALLS = {
  ETH: {
    path: '/devnet/ethereum',
    body: { jsonrpc: '2.0', id: 7, method: 'eth_chainId', params: [] },
    frame: { jsonrpc: '2.0', id: 7, method: 'eth_chainId', params: [] },
    good: '"result":"0x7a69"',
    error: '"code":-32000',
    named: '{"jsonrpc":"2.0","id":7,"error":{"code":3,"message":"execution reverted"}}',
    code: '3',
  },
  XRP: {
    path: '/devnet/xrpl',
    body: { method: 'fee', params: [{}] },
    frame: { id: 7, command: 'fee' },
    good: '"status":"success"',
    error: '"error":"tooBusy"',
    named: '"error":"slowDown","error_code":10,"error_message":"execution reverted"',
    code: 'slowDown',
  },
} as const;
const SYMBOLS = ['ETH', 'XRP'] as const;

const ordered = (order: object) => world.api.addFault({ times: 1, ...order } as Order<'addFault'>);
const ask = async (symbol: 'ETH' | 'XRP', patienceMs?: number) => {
  const { path, body } = CALLS[symbol];
  const seen = await seenBy(world, { method: 'POST', path, body }, patienceMs);
  return typeof seen === 'string' ? { text: seen, tookMs: 0 } : seen;
};

/** The answer to a frame; `closed`: the connection ended. */
async function askBySocket(symbol: 'ETH' | 'XRP', frame: object = CALLS[symbol].frame): Promise<string> {
  const client = new WebSocket(world.url.replace('http', 'ws') + CALLS[symbol].path);
  onTestFinished(() => client.terminate());
  let seen: string | undefined;
  client.on('open', () => client.send(JSON.stringify(frame)));
  client.on('message', data => {
    seen = String(data);
  });
  client.on('close', () => {
    seen ??= 'closed';
  });
  await until(() => seen !== undefined);
  return seen!;
}

describe.each(SYMBOLS)('PROD-4: %s', symbol => {
  const { good, error, named, code } = CALLS[symbol];

  test.each([
    [{ mode: 'delay', delay: '80ms' }, good, good],
    [{ mode: 'drop' }, 'closed', 'closed'],
    [{ mode: 'error' }, error, error],
    [{ mode: 'error', code, message: 'execution reverted' }, named, undefined],
  ])('%j hits one call, by HTTP and by WebSocket, and the next one succeeds', async (mode, byHttp, bySocket) => {
    for (const target of ['devnet', `devnet.${symbol}`]) {
      await ordered({ target, ...mode });
      const { text, tookMs } = await ask(symbol);
      expect(text).toContain(byHttp);
      if (mode.mode === 'delay') expect(tookMs).toBeGreaterThanOrEqual(78);
      expect((await ask(symbol)).text).toContain(good);
    }
    await ordered({ target: 'devnet', ...mode });
    const answer = await askBySocket(symbol);
    if (bySocket !== undefined) expect(answer).toContain(bySocket);
    expect(await askBySocket(symbol)).toContain(good);
    expect(await countsOf(world)).toEqual([]);
  });

  test('never-answer is silent', async () => {
    await ordered({ target: 'devnet', mode: 'never-answer' });
    expect((await ask(symbol, 300)).text).toBe('silent');
    expect((await ask(symbol)).text).toContain(good);
  });

  test('the other ledger goes on, and without `times` the fault stays', async () => {
    const other = symbol === 'ETH' ? 'XRP' : 'ETH';
    await ordered({ target: `devnet.${symbol}`, mode: 'error', times: undefined });
    for (let n = 0; n < 3; n++) {
      expect((await ask(symbol)).text).toContain(error);
      expect((await ask(other)).text).toContain(CALLS[other].good);
    }
    expect(await countsOf(world)).toEqual([`devnet.${symbol} error 3 null`]);
  });
});

test('PROD-4: devnet.eth_estimateGas hits only that call, also in a batch', async () => {
  await ordered({ target: 'devnet.eth_estimateGas', mode: 'error', code: '3', message: 'no' });
  const to = `0x${'1'.repeat(40)}`;
  const body = [
    { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] },
    { jsonrpc: '2.0', id: 2, method: 'eth_estimateGas', params: [{ to }] },
    { jsonrpc: '2.0', id: 3, method: 'eth_estimateGas', params: [{ to }] },
  ];
  const seen = await seenBy(world, { method: 'POST', path: '/devnet/ethereum', body });
  const answers = JSON.parse((seen as { text: string }).text);
  expect(answers.map(({ id, error }: { id: number; error?: object }) => [id, error])).toEqual([
    [1, undefined],
    [2, { code: 3, message: 'no' }],
    [3, undefined],
  ]);
});

test('PROD-4: devnet.eth_sendRawTransaction loses the answer, and the node has taken the transaction', async () => {
  const wallet = Wallet.createRandom();
  await world.api.faucet('ETH', wallet.address, '1');
  const gas = { gasLimit: 21_000, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n };
  const payment = { to: wallet.address, value: 1n, nonce: 0, chainId: 31337, type: 2, ...gas };
  const signed = await wallet.signTransaction(payment);
  const call = (method: string, param: string) =>
    seenBy(world, {
      method: 'POST',
      path: '/devnet/ethereum',
      body: { jsonrpc: '2.0', id: 1, method, params: [param] },
    });
  await ordered({ target: 'devnet.eth_sendRawTransaction', mode: 'drop' });
  expect(await call('eth_sendRawTransaction', signed)).toBe('closed');
  const { hash } = Transaction.from(signed);
  const { text } = (await call('eth_getTransactionByHash', hash!)) as { text: string };
  expect(JSON.parse(text).result).toMatchObject({ hash, nonce: '0x0' });
  expect(await countsOf(world)).toEqual([]);
});

/** A payment that is signed, and its hash. */
async function signedXrp(): Promise<{ blob: string; hash: string }> {
  const wallet = XrpWallet.generate();
  await world.api.faucet('XRP', wallet.address, '100');
  const client = new Client(world.url.replace('http', 'ws') + CALLS.XRP.path);
  await client.connect();
  const [Account, Destination] = [wallet.address, XrpWallet.generate().address];
  const payment = { TransactionType: 'Payment', Account, Destination, Amount: '20000000' } as const;
  const { tx_blob: blob, hash } = wallet.sign(await client.autofill(payment));
  await client.disconnect();
  return { blob, hash };
}
const xrp = async (method: string, params: object) => {
  const seen = await seenBy(world, { method: 'POST', path: CALLS.XRP.path, body: { method, params: [params] } });
  return typeof seen === 'string' ? seen : seen.text;
};

test.each([
  ['by WebSocket', (blob: string) => askBySocket('XRP', { id: 1, command: 'submit', tx_blob: blob })],
  ['by HTTP', (blob: string) => xrp('submit', { tx_blob: blob })],
])('PROD-4: devnet.submit loses the answer %s, and the server has taken the transaction', async (_, send) => {
  const { blob, hash } = await signedXrp();
  await ordered({ target: 'devnet.submit', mode: 'drop' });
  expect(await askBySocket('XRP')).toContain(CALLS.XRP.good);
  expect(await send(blob)).toBe('closed');
  expect(await countsOf(world)).toEqual([]);
  expect(await xrp('tx', { transaction: hash })).toContain(`"hash":"${hash}"`);
});

test('PROD-4: devnet.submit refuses what it carries, and nothing else', async () => {
  const { blob, hash } = await signedXrp();
  await ordered({ target: 'devnet.submit', mode: 'error', code: 'tooBusy' });
  expect(await xrp('fee', {})).toContain('"status":"success"');
  expect(await xrp('submit', { tx_blob: blob })).toContain('"error":"tooBusy"');
  expect(await xrp('tx', { transaction: hash })).toContain('txnNotFound');
});

test('PROD-4: only the calls of the VASP that has ordered it fail', async () => {
  const vaspId = '27372039731950991';
  const { body } = await world.api.call<{ apiKey: string }>('PUT', `/sandbox/v1/vasps/${vaspId}`, { name: 'B' });
  await ordered({ target: 'devnet', mode: 'error', times: undefined });
  const path = `${CALLS.ETH.path}?key=${body.apiKey}`;
  const other = await seenBy(world, { method: 'POST', path, body: CALLS.ETH.body });
  expect((other as { text: string }).text).toContain(CALLS.ETH.good);
  expect((await ask('ETH')).text).toContain(CALLS.ETH.error);
});

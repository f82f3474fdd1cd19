import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { JsonRpcProvider, WebSocketProvider } from 'ethers';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { handshake, maskedFrame } from '../../support/http/raw-socket.ts';
import { processesWith } from '../../support/process/processes.ts';
import { type Program, program } from '../../support/process/program.ts';
import { until } from '../../support/until.ts';

/** `/devnet/ethereum`: who calls it steers nothing but the chain, and nobody stops the node. */

const ENDLESS = '0x5b600056';
const CONTRACT = `0x${'aa'.repeat(20)}`;
const NODE_PORT = / --host (\S+) .*--port (\d+)/;

let sandbox: Program;
let path: string;
beforeAll(async () => {
  sandbox = await program();
  await sandbox.start();
  path = `${sandbox.url}/devnet/ethereum`;
});
afterEach(async () => expect((await fetch(`${sandbox.url}/healthcheck`)).status).toBe(200));
afterAll(() => sandbox.close());

type Answer = { id: unknown; result?: unknown; error?: { code: number; message: string } };
const post = async (body: unknown): Promise<{ status: number; answer: Answer & Answer[] }> => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(path, { method: 'POST', body: text });
  return { status: answer.status, answer: (await answer.json()) as Answer & Answer[] };
};
const rpc = (method: string, ...params: unknown[]) => post({ jsonrpc: '2.0', id: 1, method, params });
const result = async <T>(method: string, ...params: unknown[]): Promise<T> =>
  (await rpc(method, ...params)).answer.result as T;

describe('a method that could steer the sandbox', () => {
  test.each([
    'anvil_reset',
    'anvil_setRpcUrl',
    'anvil_setChainId',
    'anvil_setCode',
    'hardhat_setCode',
    'anvil_setNonce',
    'anvil_setStorageAt',
    'anvil_impersonateAccount',
    'anvil_dumpState',
    'anvil_loadState',
    'anvil_rollback',
    'ots_getBlockDetails',
    'eth_sendUnsignedTransaction',
    'eth_subscribe',
  ])('%s: its name and the reason, with status 200', async method => {
    const { status, answer } = await rpc(method);
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      id: 1,
      error: { code: -32004, message: expect.stringMatching(`${method} is not allowed here: .`) },
    });
  });

  test.each(['constructor', '__proto__', 'eth_foo', 'foo', 'foo_setCode', ''])(
    '%j: it does not exist',
    async method => {
      const { status, answer } = await rpc(method);
      expect([status, answer.error]).toMatchObject([200, { code: -32601 }]);
    },
  );

  test('in a batch it is an error in its own entry', async () => {
    const { status, answer } = await post([
      { jsonrpc: '2.0', id: 1, method: 'eth_chainId' },
      { jsonrpc: '2.0', id: 'two', method: 'anvil_reset', params: [{ forking: { jsonRpcUrl: sandbox.url } }] },
      7,
      { jsonrpc: '2.0', id: 4, method: 'net_version', params: [] },
    ]);
    expect(status).toBe(200);
    expect(answer).toMatchObject([
      { id: 1, result: '0x7a69' },
      { id: 'two', error: { message: expect.stringContaining('anvil_reset') } },
      { id: null, error: { code: -32600 } },
      { id: 4, result: '31337' },
    ]);
  });

  test.each([
    ['evm_increaseTime', [1e12]],
    ['evm_increaseTime', ['0x7fffffffffffffff']],
    ['evm_setNextBlockTimestamp', [9_007_199_254_740_991]],
    ['evm_mine', [{ timestamp: 1e15 }]],
    ['evm_mine', [{ blocks: 1e9 }]],
    ['anvil_setNextBlockBaseFeePerGas', ['0x10000000000000000']],
    ['anvil_mine', ['0xffffffff']],
    ['hardhat_mine', [1e18]],
    ['anvil_mine', [2, '0xfffffffffffffff']],
  ])('%s %j: too much', async (method, params) => {
    expect((await rpc(method, ...params)).answer).toMatchObject({ error: { code: -32602 } });
  });

  test.each([
    ['{', -32700],
    ['[]', -32600],
    ['7', -32600],
    [`{"method":"eth_chainId","params":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, -32700],
  ])('%s is no call', async (body, code) => {
    expect((await post(body)).answer).toMatchObject({ error: { code } });
  });
});

test('controls that test suites need: snapshot, revert, time, miner, balances', async () => {
  const snapshot = await result('evm_snapshot');
  await result('anvil_setBalance', CONTRACT, '0x7');
  expect(await result('eth_getBalance', CONTRACT, 'latest')).toBe('0x7');
  const before = Number(await result('eth_blockNumber'));
  await result('anvil_mine', '0x5');
  await result('evm_increaseTime', 60);
  await result('evm_mine');
  expect(Number(await result('eth_blockNumber'))).toBe(before + 6);
  await result('anvil_setNextBlockBaseFeePerGas', '0x77359400');
  await result('evm_setAutomine', false);
  await result('evm_setAutomine', true);
  expect(await result('evm_revert', snapshot)).toBe(true);
  expect(Number(await result('eth_blockNumber'))).toBe(before);
});

describe('an endless call', () => {
  const call = { to: CONTRACT };
  const code = { [CONTRACT]: { code: ENDLESS } };
  const huge = '0xffffffffffffff';

  test('is answered with an error, and others are served meanwhile', async () => {
    const calls = [
      rpc('eth_call', { ...call, gas: huge }, 'latest', code),
      rpc('eth_estimateGas', { ...call, gas: huge }, 'latest', code),
      rpc('eth_call', call, 'latest', code, { gasLimit: huge }),
    ];
    for (let n = 0; n < 5; n++) expect((await rpc('anvil_mine', '0x1')).status).toBe(200);
    for (const { answer } of await Promise.all(calls)) expect(answer.error?.message).toMatch(/./);
  });
});

/** Megabytes of the program. */
const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${sandbox.pid()}/status`, 'utf8'))![1]) / 1024;

/** The embedded node of the sandbox, as the processes of this machine show it. */
const nodePid = () => processesWith(sandbox.folder).find(pid => NODE_PORT.test(commandOf(pid)))!;
const commandOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');

test('no web page finds the node, and none may read its answers', async () => {
  const [, host, port] = NODE_PORT.exec(commandOf(nodePid()))!;
  expect(host).not.toBe('127.0.0.1');
  // Another program may use the port there.
  const nodeAt = async (at: string) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'web3_clientVersion', params: [] });
    const headers = { 'content-type': 'application/json' };
    const asked = fetch(`http://${at}:${port}`, { method: 'POST', body, headers });
    return asked.then(answer => answer.text()).catch(() => 'nobody');
  };
  expect(await nodeAt(host!)).toContain('anvil');
  expect(await nodeAt('127.0.0.1')).not.toContain('anvil');
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  const simple = await fetch(`http://${host}:${port}`, { method: 'POST', body });
  expect(await simple.text()).not.toContain('0x7a69');
  const headers = { 'content-type': 'application/json', origin: 'http://elsewhere.example' };
  const asked = await fetch(`http://${host}:${port}`, { method: 'POST', body, headers });
  expect(asked.headers.get('access-control-allow-origin')).toBeNull();
});

describe('over a WebSocket', () => {
  test('a sender of calls without an end fills no memory, and its calls are answered', async () => {
    const { port, host } = new URL(sandbox.url);
    const attacker = connect(Number(port), '127.0.0.1');
    onTestFinished(() => void attacker.destroy());
    attacker.write(handshake('/devnet/ethereum', host));
    await new Promise(resolve => attacker.once('data', resolve));
    let answered = 0;
    attacker.on('data', data => {
      answered += data.length;
    });
    const before = memory();
    const frames = Buffer.concat(Array(5_000).fill(maskedFrame('{"id":1,"method":"eth_chainId"}')));
    const send = () => {
      while (attacker.write(frames));
      attacker.once('drain', send);
    };
    send();
    let most = 0;
    await until(() => {
      most = Math.max(most, memory() - before);
      return answered > 500_000;
    });
    expect(most).toBeLessThan(150);
  });

  test('ethers: calls, new blocks and logs', async () => {
    const provider = new WebSocketProvider(path.replace('http', 'ws'));
    onTestFinished(() => provider.destroy());
    expect((await provider.getNetwork()).chainId).toBe(31_337n);
    const before = await provider.getBlockNumber();
    let newest = before;
    await provider.on('block', block => {
      newest = block;
    });
    // The client subscribes after it has answered.
    await until(async () => {
      await result('anvil_mine', '0x1');
      return newest > before;
    }, 100);
    await expect(provider.send('anvil_setChainId', [1])).rejects.toThrow(/not allowed here/);
    const socket = provider.websocket as WebSocket;
    let isUnsubscribed = false;
    socket.on('message', data => {
      isUnsubscribed ||= JSON.parse(String(data)).result === true;
    });
    await provider.removeAllListeners();
    await until(() => isUnsubscribed);
  });

  test('a subscription ends by eth_unsubscribe; a restarted node closes the connection', async () => {
    const socket = new WebSocket(path.replace('http', 'ws'));
    onTestFinished(() => socket.terminate());
    const frames: Answer[] = [];
    socket.on('message', data => void frames.push(JSON.parse(String(data))));
    await new Promise(resolve => socket.once('open', resolve));
    const ask = async (id: string, method: string, ...params: unknown[]) => {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      await until(() => frames.some(each => each.id === id));
      return frames.find(each => each.id === id)!;
    };
    let subscription: unknown;
    // The connection of another test may be closing still, and counts.
    await until(async () => {
      subscription = (await ask(randomUUID(), 'eth_subscribe', 'newHeads')).result;
      return subscription !== undefined;
    });
    await ask('b', 'anvil_mine', '0x1');
    await until(() => frames.some(each => 'method' in each));
    expect((await ask('c', 'eth_unsubscribe', subscription)).result).toBe(true);
    const closed = new Promise(resolve => socket.once('close', resolve));
    process.kill(nodePid(), 'SIGKILL');
    expect(await closed).toBe(1012);
  });
});

/** The watchdog looks every 5 s, and waits twice for 7 s: 19 s at most until the node is replaced. */
const REPLACED_WITHIN_MS = 60_000;
test(
  'a node that does not answer is replaced, with every mined transaction',
  async () => {
    const provider = new JsonRpcProvider(path, 31_337, { staticNetwork: true });
    onTestFinished(() => provider.destroy());
    await until(async () => (await result('eth_chainId')) === '0x7a69');
    const [from] = await result<string[]>('eth_accounts');
    const hashes: string[] = [];
    for (let n = 0; n < 20; n++) hashes.push(await result('eth_sendTransaction', { from, to: CONTRACT, value: '0x1' }));
    await until(async () => (await result('eth_getTransactionReceipt', hashes.at(-1))) !== null);
    const before = nodePid();
    process.kill(before, 'SIGSTOP');
    await until(() => ![undefined, before].includes(nodePid()), REPLACED_WITHIN_MS);
    await until(async () => (await result('eth_chainId')) === '0x7a69');
    for (const hash of hashes) expect(await result('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
  },
  REPLACED_WITHIN_MS,
);

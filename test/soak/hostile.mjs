import http from 'node:http';
import net from 'node:net';
import { WebSocket } from 'ws';
import { api, sleep } from './api.mjs';
import { deployments, endlessLoops, expensiveCalls } from './hostile-ethereum.mjs';
import { hostileAnswers } from './hostile-vasp.mjs';
import { SEQUENCES } from './sequences.mjs';

const { manyReports, refusedBodies, unreadBatches, unreadAssets, subscriptions } = SEQUENCES;
const { endlessPayees, endlessFaucet, longAnswers, oddCalls, tinyChunks, manyMembers } = SEQUENCES;
const { floodedVasp, keptCalls, costlyHandshakes } = SEQUENCES;

/** Each takes `{ url, trial, over, note }` and goes on until `over()`. `note(what, how)` counts what it has got. */

const repeated = (text, length) => text.repeat(Math.ceil(length / text.length)).slice(0, length);

/** As many persons and letters as a body may hold, and more. */
const longLists = async ({ url, trial, over, note }) => {
  const { send } = api(url, trial.apiKey);
  const { body: ready } = await send('GET', '/sandbox/v1/requests/verify-user');
  const bodyOf = (persons, letters) => {
    const body = structuredClone(ready.body);
    const { beneficiary } = body.payload.ivms101;
    const [first] = beneficiary.beneficiaryPersons;
    beneficiary.beneficiaryPersons = Array.from({ length: persons }, (_, n) => {
      const person = structuredClone(first);
      person.naturalPerson.name.nameIdentifier[0].primaryIdentifier = repeated('Ａb ', letters) + n;
      return person;
    });
    return JSON.stringify(body);
  };
  const accounts = structuredClone(ready.body);
  accounts.payload.ivms101.beneficiary.accountNumber = Array.from({ length: 60_000 }, (_, n) => `a${n}`);
  const bodies = [bodyOf(100, 900), bodyOf(100, 90), bodyOf(2_000, 9), JSON.stringify(accounts)];
  const sender = async () => {
    while (!over())
      for (const text of bodies) {
        const { status } = await send('POST', ready.path, text);
        note('long lists', status);
        if (status === 429) await sleep(20);
      }
  };
  await Promise.all(Array.from({ length: 10 }, sender));
};

/** Without a key. */
const pipelining = async ({ url, over, note }) => {
  const { hostname, port, host } = new URL(url);
  const head = path => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: 10.8.1.1\r\n\r\n`;
  const requests = ['/guide/codes', '/openapi.json', '/nowhere'].map(path => head(path).repeat(1_000)).join('');
  while (!over())
    await new Promise(resolve => {
      const socket = net.connect(port, hostname);
      let read = 0;
      socket.on('data', chunk => {
        read += chunk.length;
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        note('pipelining', `closed, ${read > 1e6 ? 'over' : 'under'} 1 MB read`);
        setTimeout(resolve, 100);
      });
      socket.write(requests);
      setTimeout(() => socket.destroy(), 5_000);
    });
};

/** Requests that never end. Without a key. */
const slowHeads = async ({ url, over, note }) => {
  const { hostname, port } = new URL(url);
  const one = async () => {
    while (!over())
      await new Promise(resolve => {
        const socket = net.connect(port, hostname, () => socket.write('GET / HTTP/1.1\r\nHost: a\r\n'));
        const timer = setInterval(() => socket.write('x: y\r\n'), 1_000);
        socket.on('error', () => {});
        socket.on('close', () => {
          clearInterval(timer);
          note('slow heads', 'closed');
          setTimeout(resolve, 100);
        });
      });
  };
  await Promise.all(Array.from({ length: 100 }, one));
};

const streams = async ({ url, trial, over, note }) => {
  const one = async () => {
    while (!over()) {
      await new Promise(resolve => {
        const headers = { authorization: `Bearer ${trial.apiKey}` };
        const request = http.get(`${url}/sandbox/v1/events`, { headers, agent: false }, answer => {
          note('streams', answer.statusCode);
          answer.resume().on('close', resolve);
          setTimeout(() => request.destroy(), 5_000);
        });
        request.on('error', resolve);
      });
      await sleep(100);
    }
  };
  await Promise.all(Array.from({ length: 30 }, one));
};

const webSockets = async ({ url, trial, over, note }) => {
  const genesis = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
  const calls = [
    { command: 'subscribe', streams: ['ledger', 'transactions', 'transactions_proposed'], accounts: [genesis] },
    { command: 'path_find', subcommand: 'create', source_account: genesis, destination_account: genesis },
    { command: 'ledger_data', ledger_index: 'validated' },
    { command: 'account_tx', account: genesis, ledger_index_min: -1, limit: 400 },
  ];
  const one = async () => {
    while (!over()) {
      await new Promise(resolve => {
        const socket = new WebSocket(`${url.replace('http', 'ws')}/devnet/xrpl?key=${trial.apiKey}`);
        socket.on('open', () => {
          note('WebSockets', 'open');
          for (let id = 0; id < 200; id++) socket.send(JSON.stringify({ id, ...calls[id % calls.length] }));
          setTimeout(() => socket.terminate(), 4_000);
        });
        socket.on('error', () => note('WebSockets', 'refused'));
        socket.on('close', resolve);
      });
      await sleep(100);
    }
  };
  await Promise.all(Array.from({ length: 15 }, one));
};

const steering = async ({ url, trial, over, note }) => {
  const { send } = api(url, trial.apiKey);
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'soak', version: '1' } };
  for (let n = 0; !over(); n++)
    for (const [method, path, body] of [
      ['PUT', '/sandbox/v1/faults', { target: 'callback', mode: 'delay', delay: '1s' }],
      ['PUT', `/sandbox/v1/users/u${n}`, { kind: 'natural', names: { firstName: 'A', lastName: 'B' } }],
      ['POST', '/sandbox/v1/clock/advance', { duration: '300h' }],
      ['POST', '/sandbox/v1/chains/ETH/hold', { on: true }],
      ['POST', '/sandbox/v1/reset'],
      ['GET', `/sandbox/v1/verifications?search=${'a'.repeat(200)}`],
      ['GET', '/sandbox/v1/exchanges?limit=500'],
      ['POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize }],
      ['POST', '/sandbox/v1/runs', { plan: 'complete', unattended: true }],
    ])
      note('steering', (await send(method, path, body)).status);
};

export const HOSTILE = [
  [longLists],
  [pipelining, slowHeads],
  [streams, webSockets],
  [endlessLoops, deployments, expensiveCalls],
  [steering, hostileAnswers],
  [manyReports, refusedBodies],
  [unreadBatches, unreadAssets, subscriptions, costlyHandshakes],
  [endlessPayees],
  // Of another VASP: its refused payments use up the gas of the day.
  [longAnswers, oddCalls, endlessFaucet],
  [tinyChunks, manyMembers, floodedVasp, keptCalls],
];

import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { forFile } from '../../support/world/for-file.ts';
import { accountOf, genesis, type Json, payment, testLedger, XRP } from '../../support/xrpl-ledger/test-ledger.ts';

const alice = accountOf('alice');
const bob = accountOf('bob');
const PAYMENTS = 25;
const ledger = await forFile(testLedger({ listen: { host: '127.0.0.1', port: 0 } }));
await ledger.fund(alice.address, 100n * XRP);
await ledger.fund(bob.address, 10n * XRP);
const first = Number((await ledger.rpc('ledger_closed')).ledger_index) + 1;
for (let n = 0; n < PAYMENTS; n++) {
  await ledger.submit(payment(alice, bob, n + 1, { DestinationTag: n }), alice);
  if (n % 2) ledger.controls.close();
}
const last = ledger.controls.close().index;

const history = (params: Json = {}) => ledger.rpc('account_tx', { account: bob.address, ...params });
const tags = (page: Json) =>
  (page.transactions as Json[]).map(({ tx_json, tx }) => ((tx_json ?? tx) as Json).DestinationTag);

/** All pages, the marker handed back as it came. */
async function pages(params: Json): Promise<Json[]> {
  const all = [await history(params)];
  while (all.at(-1)?.marker) all.push(await history({ ...params, marker: all.at(-1)?.marker }));
  return all;
}

test.each([
  [true, 1],
  [true, 2],
  [false, 1],
  [false, 25],
])('XRPL-1.4 account_tx: pages (forward %s, limit %i) give every entry once and in order', async (forward, limit) => {
  const range = { ledger_index_min: first, ledger_index_max: last };
  const all = await pages({ ...range, forward, limit });
  const expected = Array.from({ length: PAYMENTS }, (_, n) => (forward ? n : PAYMENTS - 1 - n));
  expect(all.flatMap(tags)).toEqual(expected);
  expect(all).toHaveLength(Math.ceil(PAYMENTS / limit));
  for (const page of all)
    expect(page).toMatchObject({ ledger_index_min: first, ledger_index_max: last, limit, validated: true });
});

test('XRPL-1.4 account_tx: a page stays the same while new ledgers close', async () => {
  const range = { ledger_index_min: first, ledger_index_max: last, forward: true, limit: 10 };
  const page = await history(range);
  await ledger.submit(payment(genesis, bob, 1), genesis);
  ledger.controls.close();
  expect(tags(await history({ ...range, marker: page.marker }))).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
});

test.each([
  [{ limit: -1 }, 2, 'invalidParams', 31],
  [{ marker: {} }, 2, 'invalidParams', 31],
  [{ ledger_index: 'current' }, 2, 'lgrNotValidated', 22],
])('XRPL-1.4 account_tx %j in API %i: %s', async (params, api_version, error, error_code) => {
  expect(await history({ ...params, api_version })).toMatchObject({ error, error_code, status: 'error' });
});

test('XRPL-1.3 tx with a range says whether the server has all of it', async () => {
  const transaction = 'AB'.repeat(32);
  const ask = (min_ledger: number, max_ledger: number) => ledger.rpc('tx', { transaction, min_ledger, max_ledger });
  expect(await ask(first, last)).toMatchObject({ error: 'txnNotFound', searched_all: true });
  expect(await ask(1, last)).toMatchObject({ error: 'txnNotFound', searched_all: false });
  expect(await ask(first, last + 900)).toMatchObject({ error: 'txnNotFound', searched_all: false });
});

test('XRPL-1.3 selectors: the open ledger by word, by number, and beside the closed one', async () => {
  const head = Number((await ledger.rpc('ledger_closed')).ledger_index);
  const open = { ledger_current_index: head + 1, validated: false };
  for (const selector of [{ ledger_index: 'current' }, { ledger_index: head + 1 }])
    expect(await ledger.rpc('ledger', selector)).toMatchObject(open);
  expect(await ledger.rpc('account_info', { account: bob.address })).toMatchObject(open);
  expect(await ledger.rpc('ledger')).toEqual({
    closed: { ledger: (await ledger.rpc('ledger', { ledger_index: 'closed' })).ledger },
    open: { ledger: (await ledger.rpc('ledger', { ledger_index: 'current' })).ledger },
    status: 'success',
  });
});

test.each([
  [{ ledger_hash: 'x' }, 'invalidParams', "Invalid field 'ledger_hash', not hex string."],
  [
    { ledger_hash: 'AB'.repeat(32), ledger_index: 3 },
    'invalidParams',
    "Exactly one of 'ledger_hash' or 'ledger_index' can be specified.",
  ],
])('XRPL-1.3 selector %j: %s', async (selector, error, error_message) => {
  for (const command of ['ledger', 'account_info', 'ledger_entry'])
    expect(await ledger.rpc(command, { account: bob.address, account_root: bob.address, ...selector })).toMatchObject({
      error,
      error_message,
    });
});

test('XRPL-1.3 account_info: errors name the ledger that was looked at', async () => {
  const { address } = accountOf('nobody');
  expect(await ledger.rpc('account_info', { account: address, ledger_index: first })).toMatchObject({
    error: 'actNotFound',
    error_code: 19,
    error_message: 'Account not found.',
    account: address,
    ledger_index: first,
    validated: true,
  });
  const wish = { account: bob.address, signer_lists: true };
  expect(await ledger.rpc('account_info', wish)).toMatchObject({ signer_lists: [] });
  expect(await ledger.rpc('account_info', { ...wish, api_version: 1 })).toMatchObject({
    account_data: { signer_lists: [] },
  });
  expect(await ledger.rpc('account_info', { ...wish, signer_lists: 'yes' })).toMatchObject({ error: 'invalidParams' });
});

test('XRPL-1.1 envelopes: result or unwrapped error, the id, and api_version only where it was asked for', async () => {
  const socket = new WebSocket(String(ledger.url));
  await once(socket, 'open');
  const ask = async (request: Json): Promise<Json> => {
    const answer = once(socket, 'message');
    socket.send(JSON.stringify(request));
    return JSON.parse(String((await answer)[0]));
  };
  expect(Object.keys(await ask({ id: 7, command: 'ping' })).toSorted()).toEqual(['id', 'result', 'status', 'type']);
  expect(await ask({ id: 7, command: 'ping', api_version: 2 })).toMatchObject({
    id: 7,
    api_version: 2,
    status: 'success',
    type: 'response',
  });
  const request = { id: 8, command: 'account_info', account: accountOf('nobody').address, secret: 'sEd' };
  const failed = await ask(request);
  expect(failed).toMatchObject({
    id: 8,
    type: 'response',
    status: 'error',
    error: 'actNotFound',
    error_code: 19,
    validated: false,
  });
  expect(failed.request).toEqual({ ...request, secret: '<masked>' });
  expect(failed).not.toHaveProperty('result');
  expect(failed).not.toHaveProperty('api_version');
  socket.close();
});

test('XRPL-1.3 nobody owes anything here', async () => {
  const currencies = { receive_currencies: [], send_currencies: [] };
  expect(await ledger.rpc('account_currencies', { account: bob.address })).toMatchObject(currencies);
});

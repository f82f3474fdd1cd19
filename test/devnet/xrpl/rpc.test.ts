import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  accountOf,
  genesis,
  type Json,
  payment,
  type TestLedger,
  testLedger,
  XRP,
} from '../../support/xrpl-ledger/test-ledger.ts';

const alice = accountOf('alice');
const bob = accountOf('bob');
const PAYMENTS = 25;
let ledger: TestLedger;
let first: number;
let last: number;
let paid: Json;
beforeAll(async () => {
  ledger = await testLedger({ listen: { host: '127.0.0.1', port: 0 } });
  await ledger.fund(alice.address, 100n * XRP);
  await ledger.fund(bob.address, 10n * XRP);
  first = Number((await ledger.rpc('ledger_closed')).ledger_index) + 1;
  for (let n = 0; n < PAYMENTS; n++) {
    const submitted = await ledger.submit(payment(alice, bob, n + 1, { DestinationTag: n }), alice);
    paid = submitted.tx_json as Json;
    if (n % 2) ledger.controls.close();
  }
  last = ledger.controls.close().index;
});
afterAll(() => ledger.close());

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
  [true, 7],
  [false, 1],
  [false, 4],
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
  [{ ledger_index_min: 1, ledger_index_max: -1 }, 2, 'lgrIdxMalformed', 58],
  [{ ledger_index_min: -1, ledger_index_max: 999_999 }, 2, 'lgrIdxMalformed', 58],
  [{ ledger_index_min: 4, ledger_index_max: 3 }, 2, 'invalidLgrRange', 79],
  [{ ledger_index_min: 4, ledger_index_max: 3 }, 1, 'lgrIdxsInvalid', 57],
  [{ ledger_index_min: 3, ledger_index: 3 }, 2, 'invalidParams', 31],
  [{ binary: 'yes' }, 2, 'invalidParams', 31],
  [{ forward: 1 }, 2, 'invalidParams', 31],
  [{ limit: -1 }, 2, 'invalidParams', 31],
  [{ marker: {} }, 2, 'invalidParams', 31],
  [{ ledger_index: 'current' }, 2, 'lgrNotValidated', 22],
  [{ account: 'nobody' }, 2, 'actMalformed', 35],
])('XRPL-1.4 account_tx %j in API %i: %s', async (params, api_version, error, error_code) => {
  expect(await history({ ...params, api_version })).toMatchObject({ error, error_code, status: 'error' });
});

test('XRPL-1.4 account_tx in API 1 clamps a range instead of refusing it', async () => {
  const page = await history({ ledger_index_min: 0, ledger_index_max: 999_999, api_version: 1 });
  const head = (await ledger.rpc('ledger_closed')).ledger_index;
  expect(page).toMatchObject({ ledger_index_min: 2, ledger_index_max: head });
});

test('XRPL-1.4 account_tx of an address that does not exist is an empty success', async () => {
  expect(await history({ account: accountOf('nobody').address })).toMatchObject({
    status: 'success',
    transactions: [],
  });
});

test('XRPL-1.4 tx: the shapes of API 1 and 2, plain and binary, and by ctid', async () => {
  const transaction = paid.hash;
  const v2 = await ledger.rpc('tx', { transaction });
  expect(v2).toMatchObject({
    hash: transaction,
    validated: true,
    tx_json: { DeliverMax: '25', ledger_index: v2.ledger_index },
  });
  expect(v2.tx_json).not.toHaveProperty('Amount');
  const v1 = await ledger.rpc('tx', { transaction, api_version: 1 });
  expect(v1).toMatchObject({
    hash: transaction,
    Amount: '25',
    DeliverMax: '25',
    inLedger: v2.ledger_index,
    meta: { delivered_amount: '25' },
  });
  const binary2 = await ledger.rpc('tx', { transaction, binary: true });
  expect(binary2).toMatchObject({
    tx_blob: expect.stringMatching(/^[0-9A-F]+$/),
    meta_blob: expect.stringMatching(/^[0-9A-F]+$/),
  });
  const binary1 = await ledger.rpc('tx', { transaction, binary: true, api_version: 1 });
  expect(binary1).toMatchObject({ tx: binary2.tx_blob, meta: binary2.meta_blob });
  expect(v2.ctid).toMatch(/^C[0-9A-F]{15}$/);
  expect(await ledger.rpc('tx', { ctid: v2.ctid })).toMatchObject({ hash: transaction });
});

test.each([
  [{}, 'invalidParams', 31],
  [{ transaction: 'AB'.repeat(32), ctid: 'C000000000000001' }, 'invalidParams', 31],
  [{ transaction: 'xyz' }, 'notImpl', 74],
  [{ transaction: 'AB'.repeat(32) }, 'txnNotFound', 29],
  [{ transaction: 'AB'.repeat(32), min_ledger: 1, max_ledger: 1_002 }, 'excessiveLgrRange', 78],
  [{ transaction: 'AB'.repeat(32), min_ledger: 9, max_ledger: 8 }, 'invalidLgrRange', 79],
  [{ ctid: 'C000000300000001' }, 'wrongNetwork', 4],
])('XRPL-1.3 tx %j: %s', async (params, error, error_code) => {
  const answer = await ledger.rpc('tx', params);
  expect(answer).toMatchObject({ error, error_code });
  expect(answer).not.toHaveProperty('searched_all');
});

test('XRPL-1.3 tx with a range says whether the server has all of it', async () => {
  const transaction = 'AB'.repeat(32);
  const ask = (min_ledger: number, max_ledger: number) => ledger.rpc('tx', { transaction, min_ledger, max_ledger });
  expect(await ask(first, last)).toMatchObject({ error: 'txnNotFound', searched_all: true });
  expect(await ask(1, last)).toMatchObject({ error: 'txnNotFound', searched_all: false });
  expect(await ask(first, last + 900)).toMatchObject({ error: 'txnNotFound', searched_all: false });
});

test('XRPL-1.3 selectors: by word, number, numeric text and hash; the open ledger is not validated', async () => {
  const { ledger_hash } = await ledger.rpc('ledger', { ledger_index: first });
  for (const selector of [{ ledger_index: first }, { ledger_index: String(first) }, { ledger_hash }])
    expect(await ledger.rpc('ledger', selector)).toMatchObject({ ledger_index: first, ledger_hash, validated: true });
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
  expect((await ledger.rpc('ledger', { ledger_index: first, api_version: 1 })).ledger).toMatchObject({
    ledger_index: String(first),
  });
});

test.each([
  [{ ledger_index: 'yesterday' }, 'invalidParams', "Invalid field 'ledger_index', not string or number."],
  [{ ledger_index: 999_999 }, 'lgrNotFound', 'ledgerNotFound'],
  [{ ledger_hash: 'AB'.repeat(32) }, 'lgrNotFound', 'ledgerNotFound'],
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
  expect(await ledger.rpc('account_info', { account: 'x' })).toMatchObject({ error: 'actMalformed', error_code: 35 });
  expect(await ledger.rpc('account_info')).toMatchObject({
    error: 'invalidParams',
    error_message: "Missing field 'account'.",
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

test('XRPL-1.3 what others own is empty here, and the lists are there', async () => {
  const of = (command: string) => ledger.rpc(command, { account: bob.address });
  expect(await of('account_lines')).toMatchObject({ account: bob.address, lines: [] });
  expect(await of('account_offers')).toMatchObject({ offers: [] });
  expect(await of('account_currencies')).toMatchObject({ receive_currencies: [], send_currencies: [] });
  expect(await ledger.rpc('account_lines', { account: accountOf('nobody').address })).toMatchObject({
    error: 'actNotFound',
  });
});

test('ledger_accept closes one ledger and names the new open one', async () => {
  const { ledger_current_index: before } = await ledger.rpc('ledger_current');
  expect(await ledger.rpc('ledger_accept')).toMatchObject({ ledger_current_index: Number(before) + 1 });
});

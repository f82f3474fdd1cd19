import { encodeAccountID } from 'ripple-address-codec';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Client } from 'xrpl';
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
let ledger: TestLedger;
let client: Client;
let heard: Json[];
beforeEach(async () => {
  ledger = await testLedger({ listen: { host: '127.0.0.1', port: 0 } });
  await ledger.fund(alice.address, 100n * XRP);
  client = new Client(String(ledger.url));
  await client.connect();
  heard = [];
  for (const event of ['ledgerClosed', 'transaction'] as const)
    client.on(event, (message: unknown) => heard.push(message as Json));
});
afterEach(async () => {
  await client.disconnect();
  await ledger.close();
});

/** Frames are in order: once the answer to a ping is here, so is everything before it. */
const settled = () => client.request({ command: 'ping' });
const subscribe = (wish: Json) => client.request({ command: 'subscribe', ...wish });

test("XRPL-1.4: ledgerClosed comes first, then that ledger's transactions by their position, each once", async () => {
  const { result } = await subscribe({ streams: ['ledger', 'transactions'] });
  expect(result).toMatchObject({ fee_base: 10, reserve_base: 1_000_000, reserve_inc: 200_000, network_id: 21_117 });
  for (let n = 0; n < 3; n++) await ledger.submit(payment(alice, bob, XRP), alice);
  await ledger.submit(payment(genesis, bob, XRP), genesis);
  const { index } = ledger.controls.close();
  await settled();
  expect(heard.map(({ type }) => type)).toEqual(['ledgerClosed', ...Array(4).fill('transaction')]);
  expect(heard[0]).toMatchObject({
    ledger_index: index,
    txn_count: 4,
    validated_ledgers: `2-${index}`,
    network_id: 21_117,
  });
  const positions = heard.slice(1).map(({ meta }) => (meta as Json).TransactionIndex);
  expect(positions).toEqual([0, 1, 2, 3]);
  expect(new Set(heard.slice(1).map(({ hash }) => hash)).size).toBe(4);
});

test('XRPL-1.4: a validated transaction in API 2: tx_json without Amount, hash, meta with delivered_amount', async () => {
  await subscribe({ accounts: [bob.address] });
  await ledger.submit(payment(alice, bob, 5n * XRP, { DestinationTag: 0 }), alice);
  const { index, hash } = ledger.controls.close();
  await settled();
  expect(heard).toHaveLength(1);
  const [message = {}] = heard;
  expect(message).toMatchObject({
    type: 'transaction',
    validated: true,
    status: 'closed',
    engine_result: 'tesSUCCESS',
    engine_result_code: 0,
    ledger_index: index,
    ledger_hash: hash,
    tx_json: { DeliverMax: '5000000', DestinationTag: 0 },
    meta: { delivered_amount: '5000000' },
  });
  expect(message.tx_json).not.toHaveProperty('Amount');
  expect(message.close_time_iso).toMatch(/^2026-07-01T\d\d:\d\d:\d\dZ$/);
});

test('XRPL-1.4: in API 1 the transaction stands under `transaction`, with its hash, Amount and DeliverMax', async () => {
  await subscribe({ accounts: [bob.address], api_version: 1 });
  await ledger.submit(payment(alice, bob, 5n * XRP), alice);
  ledger.controls.close();
  await settled();
  expect(heard[0]).toMatchObject({
    transaction: { Amount: '5000000', DeliverMax: '5000000', hash: expect.any(String) },
  });
  expect(heard[0]).not.toHaveProperty('tx_json');
});

test('proposed transactions come when they enter the open ledger, without meta; accounts hear only validated ones', async () => {
  await subscribe({ streams: ['transactions_proposed'], accounts: [alice.address] });
  await ledger.submit(payment(alice, bob, 5n * XRP), alice);
  await settled();
  expect(heard).toHaveLength(1);
  expect(heard[0]).toMatchObject({ status: 'proposed', validated: false, ledger_current_index: 4 });
  expect(heard[0]).not.toHaveProperty('meta');
  ledger.controls.close();
  await settled();
  expect(heard.slice(1).map(({ status }) => status)).toEqual(['closed', 'closed']);
});

test('who watches both sides of a payment hears it once; who also takes all transactions hears it twice', async () => {
  await subscribe({ accounts: [alice.address, bob.address], accounts_proposed: [bob.address] });
  await ledger.submit(payment(alice, bob, 5n * XRP), alice);
  ledger.controls.close();
  await settled();
  expect(heard.map(({ status }) => status)).toEqual(['proposed', 'closed']);
  await subscribe({ streams: ['transactions'] });
  await ledger.submit(payment(alice, bob, 5n * XRP), alice);
  ledger.controls.close();
  await settled();
  expect(heard.slice(2).map(({ status }) => status)).toEqual(['proposed', 'closed', 'closed']);
});

test('after unsubscribe nothing is heard', async () => {
  await subscribe({ streams: ['ledger', 'transactions'], accounts: [bob.address] });
  await client.request({ command: 'unsubscribe', streams: ['ledger', 'transactions'], accounts: [bob.address] });
  await ledger.submit(payment(alice, bob, 5n * XRP), alice);
  ledger.controls.close();
  await settled();
  expect(heard).toEqual([]);
});

test.each([
  [{ streams: 'ledger' }, 'invalidParams', 31],
  [{ streams: ['no such'] }, 'malformedStream', 71],
  [{ streams: [7] }, 'malformedStream', 71],
  [{ accounts: [] }, 'actMalformed', 35],
  [{ accounts: ['nobody'] }, 'actMalformed', 35],
  [{ accounts: 'nobody' }, 'invalidParams', 31],
])('XRPL-1.3: subscribe %j -> %s', async (wish, error, error_code) => {
  await expect(subscribe(wish as Json)).rejects.toMatchObject({ data: { error, error_code } });
});

test('a subscription of the stream `server` tells the load, one of a book is refused', async () => {
  expect((await subscribe({ streams: ['server'] })).result).toMatchObject({
    server_status: 'full',
    stand_alone: true,
    load_base: 256,
    load_factor: 256,
  });
  await expect(subscribe({ books: [] })).rejects.toMatchObject({ data: { error: 'notSupported' } });
});

test('XRPL-1.3: subscribe over JSON-RPC has nowhere to send to: invalidParams', async () => {
  expect(await ledger.rpc('subscribe', { streams: ['ledger'] })).toMatchObject({ error: 'invalidParams' });
});

test('at most 10,000 accounts are watched, those that are left make room, and more are refused unread', async () => {
  const many = (first: number, count: number) =>
    Array.from({ length: count }, (_, n) => {
      const id = Buffer.alloc(20);
      id.writeUInt32BE(first + n);
      return encodeAccountID(id);
    });
  const busy = { data: { error: 'tooBusy' } };
  await subscribe({ accounts: many(0, 6_000) });
  await expect(subscribe({ accounts: many(6_000, 6_000) })).rejects.toMatchObject(busy);
  await client.request({ command: 'unsubscribe', accounts: many(0, 6_000) });
  await subscribe({ accounts: many(6_000, 6_000), accounts_proposed: many(0, 4_000) });
  await expect(subscribe({ accounts: Array(20_000).fill('no address') })).rejects.toMatchObject(busy);
});

import { encodeAccountID } from 'ripple-address-codec';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Client } from 'xrpl';
import {
  accountOf,
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

test.each([
  [{ streams: [7] }, 'malformedStream', 71],
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

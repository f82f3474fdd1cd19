import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { Client, type Wallet } from 'xrpl';
import { connect, type Json, leaveOut, payment, XRP } from '../support/xrpl-network/network.ts';

let listener: Client;
let heard: Json[];
const network = await connect();
const [alice, bob] = (await network.fund(200, 10)) as [Wallet, Wallet];
afterAll(() => network?.disconnect());
beforeEach(async () => {
  listener = new Client(network.server.url);
  await listener.connect();
  heard = [];
  for (const event of ['ledgerClosed', 'transaction'] as const)
    listener.on(event, (message: unknown) => heard.push(message as Json));
});
afterEach(() => listener.disconnect());

const ask = async (command: string, params: Json = {}): Promise<Json> =>
  (await listener.request({ command, ...params } as unknown as { command: 'ping' })).result as Json;
/** Frames keep their order: once this answer is here, so is everything that was sent before it. */
const settled = () => ask('ping');
const pay = (drops = XRP, more: Json = {}) => network.apply(payment(alice, bob.classicAddress, drops, more), alice);
const transactions = (status = 'closed') =>
  heard.filter(({ type, status: is }) => type === 'transaction' && is === status);
const hashOf = (message: Json): string => String(message.hash ?? (message.transaction as Json).hash);
const indexes = (messages: Json[]) => messages.map(({ ledger_index }) => Number(ledger_index));

test('XRPL-1.4: ledgerClosed comes before the transactions of its ledger, each of them once, in their order', async () => {
  const current = await ask('subscribe', { streams: ['ledger', 'transactions'] });
  const { networkId, baseFee, reserveBase, reserveIncrement } = network.facts;
  const told = {
    fee_base: Number(baseFee),
    reserve_base: Number(reserveBase),
    reserve_inc: Number(reserveIncrement),
    network_id: networkId,
  };
  expect(current).toMatchObject({ ...told, ledger_index: expect.any(Number), validated_ledgers: expect.any(String) });
  const sent: string[] = [];
  for (let n = 0; n < 9; n++) {
    sent.push(await pay());
    if (n % 3 === 2) await network.close();
  }
  await settled();
  expect(
    transactions()
      .map(hashOf)
      .filter(hash => sent.includes(hash)),
  ).toEqual(sent);
  expect(new Set(transactions().map(hashOf)).size).toBe(transactions().length);
  let ledger: Json = current;
  let position = 0;
  for (const message of heard) {
    if (message.type === 'ledgerClosed') {
      expect(message).toMatchObject({
        ...told,
        ledger_index: Number(ledger.ledger_index) + 1,
        txn_count: expect.any(Number),
      });
      ledger = message;
      position = 0;
    } else {
      expect(message).toMatchObject({
        ledger_index: ledger.ledger_index,
        ledger_hash: ledger.ledger_hash,
        validated: true,
      });
      expect((message.meta as Json).TransactionIndex).toBe(position++);
    }
  }
});

test('every ledgerClosed says how many transactions the ledger has, and its hash', async () => {
  await ask('subscribe', { streams: ['ledger'] });
  await pay();
  await pay();
  await network.close();
  await settled();
  const closed = heard.filter(({ type }) => type === 'ledgerClosed');
  expect(closed).toEqual(heard);
  for (const { ledger_index, ledger_hash, txn_count, ledger_time } of closed) {
    const { ledger } = (await ask('ledger', { ledger_index, transactions: true })) as { ledger: Json };
    expect(ledger).toMatchObject({ ledger_hash, close_time: ledger_time });
    expect(ledger.transactions).toHaveLength(Number(txn_count));
  }
});

test.each([1, 2])('XRPL-1.4: a transaction of a stream in API %i', async api_version => {
  await ask('subscribe', { accounts: [bob.classicAddress], api_version });
  const hash = await pay(5n, { DestinationTag: 0 });
  await network.close();
  await settled();
  expect(heard).toHaveLength(1);
  const [message = {}] = heard;
  expect(message).toMatchObject({
    type: 'transaction',
    status: 'closed',
    validated: true,
    engine_result: 'tesSUCCESS',
    engine_result_code: 0,
    engine_result_message: 'The transaction was applied. Only final in a validated ledger.',
    close_time_iso: expect.stringMatching(/^20\d\d-.*Z$/),
    meta: { TransactionResult: 'tesSUCCESS', delivered_amount: '5' },
  });
  const payment = { TransactionType: 'Payment', Destination: bob.classicAddress, DestinationTag: 0, DeliverMax: '5' };
  if (api_version === 1) {
    expect(message.transaction).toMatchObject({ ...payment, Amount: '5', hash });
    expect(message).not.toHaveProperty('tx_json');
  } else {
    expect(message).toMatchObject({ tx_json: payment, hash });
    expect(message.tx_json).not.toHaveProperty('Amount');
    expect(message).not.toHaveProperty('transaction');
  }
});

test('XRPL-3: an account hears each of its validated transactions once, and no others', async () => {
  await ask('subscribe', { accounts: [bob.classicAddress, alice.classicAddress] });
  const [stranger] = (await network.fund(20)) as [Wallet];
  heard = [];
  const sent = [await pay(), await pay()];
  await network.apply({ TransactionType: 'AccountSet', Account: stranger.classicAddress, Domain: 'AB' }, stranger);
  await network.close();
  await settled();
  expect(heard.map(hashOf)).toEqual(sent);
});

test('XRPL-1.4: who asked for all transactions and for an account of one hears it twice', async () => {
  await ask('subscribe', { streams: ['transactions'], accounts: [bob.classicAddress] });
  const hash = await pay();
  await network.close();
  await settled();
  expect(transactions().filter(message => hashOf(message) === hash)).toHaveLength(2);
});

test.each([
  ['transactions_proposed', { streams: ['transactions_proposed'] }],
  ['accounts_proposed', () => ({ accounts_proposed: [bob.classicAddress] })],
])(
  'XRPL-1.4: %s tells of a transaction at once, without its metadata, and again when it is validated',
  async (_name, wish) => {
    await ask('subscribe', typeof wish === 'function' ? wish() : wish);
    const hash = await pay();
    await settled();
    const ours = (messages: Json[]) => messages.filter(message => hashOf(message) === hash);
    const [proposed = {}] = ours(transactions('proposed'));
    expect(proposed).toMatchObject({
      engine_result: 'tesSUCCESS',
      validated: false,
      ledger_current_index: expect.any(Number),
    });
    expect(proposed).not.toHaveProperty('meta');
    await network.close();
    await settled();
    expect(ours(transactions('proposed'))).toHaveLength(1);
    expect(ours(transactions())).toHaveLength(1);
    expect(heard.filter(message => hashOf(message) === hash).map(({ status }) => status)).toEqual([
      'proposed',
      'closed',
    ]);
  },
);

test('a failed transaction (tec) is heard, too', async () => {
  await ask('subscribe', { accounts: [alice.classicAddress] });
  await network.submit(payment(alice, bob.classicAddress, 100_000n * XRP), alice);
  await network.close();
  await settled();
  expect(transactions()).toMatchObject([
    { engine_result: 'tecUNFUNDED_PAYMENT', engine_result_code: 104, validated: true },
  ]);
  expect(transactions()[0]!.meta).not.toHaveProperty('delivered_amount');
});

test('after unsubscribe there is silence, and ledgers of the other subscription go on', async context => {
  if (!network.facts.closesOnDemand) leaveOut(context, 'a network closes when it likes');
  await ask('subscribe', { streams: ['ledger', 'transactions'], accounts: [bob.classicAddress] });
  await ask('unsubscribe', { streams: ['transactions'], accounts: [bob.classicAddress] });
  heard = [];
  await pay();
  await network.close();
  await settled();
  expect(heard.every(({ type }) => type === 'ledgerClosed')).toBe(true);
  expect(indexes(heard)).toContain(await network.validatedIndex());
});

test.each<[Json, Json]>([
  [{ streams: 'ledger' }, { error: 'invalidParams', error_code: 31 }],
  [{ streams: ['ledgers'] }, { error: 'malformedStream', error_code: 71, error_message: 'Stream malformed.' }],
  [{ accounts: [] }, { error: 'actMalformed', error_code: 35 }],
  [{ accounts: ['rNobody'] }, { error: 'actMalformed', error_code: 35 }],
  [{ accounts_proposed: [7] }, { error: 'actMalformed', error_code: 35 }],
])('subscribe %j is refused', async (params, refusal) => {
  expect(await network.refusal('subscribe', params)).toMatchObject({ status: 'error', ...refusal });
});

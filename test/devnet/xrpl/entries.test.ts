import { afterEach, beforeEach, expect, test } from 'vitest';
import { accountOf, fundedLedger, type Json, type TestLedger } from '../../support/xrpl-ledger/test-ledger.ts';

const alice = accountOf('alice');
const bob = accountOf('bob', 'ecdsa-secp256k1');
let ledger: TestLedger;
beforeEach(async () => {
  ledger = await fundedLedger(alice, bob);
});
afterEach(() => ledger.close());
const v1 = { api_version: 1 };

test('deposit_authorized answers before and after a preauthorisation', async () => {
  const params = { source_account: bob.address, destination_account: alice.address };
  const answer = async () => (await ledger.rpc('deposit_authorized', params)).deposit_authorized;
  expect(await answer()).toBe(true);
  await ledger.submit({ TransactionType: 'AccountSet', Account: alice.address, SetFlag: 9 }, alice);
  expect(await answer()).toBe(false);
  await ledger.submit({ TransactionType: 'DepositPreauth', Account: alice.address, Authorize: bob.address }, alice);
  expect(await answer()).toBe(true);
  const { address } = accountOf('nobody');
  const errorOf = async (change: Json) => (await ledger.rpc('deposit_authorized', { ...params, ...change })).error;
  expect(await errorOf({ source_account: address })).toBe('srcActNotFound');
  expect(await errorOf({ destination_account: address })).toBe('dstActNotFound');
  expect(await errorOf({ destination_account: 'x' })).toBe('actMalformed');
  expect(await errorOf({ source_account: undefined })).toBe('invalidParams');
  expect(await errorOf({ credentials: ['AB'.repeat(32)] })).toBe('badCredentials');
});

test('ledger_entry finds every kind of entry by its fields', async () => {
  await ledger.submit({ TransactionType: 'TicketCreate', Account: alice.address, TicketCount: 1 }, alice);
  await ledger.submit({ TransactionType: 'DepositPreauth', Account: alice.address, Authorize: bob.address }, alice);
  ledger.controls.close();
  const { account_objects } = await ledger.rpc('account_objects', { account: alice.address });
  const ticket = (account_objects as Json[]).find(entry => entry.LedgerEntryType === 'Ticket');
  const find = (params: Json) => ledger.rpc('ledger_entry', { ledger_index: 'validated', ...params });
  const typeOf = async (params: Json) => ((await find(params)).node as Json | undefined)?.LedgerEntryType;
  expect(await typeOf({ deposit_preauth: { owner: alice.address, authorized: bob.address } })).toBe('DepositPreauth');
  expect(await typeOf({ directory: { owner: alice.address } })).toBe('DirectoryNode');
  expect(await typeOf({ directory: { owner: alice.address, sub_index: 0 } })).toBe('DirectoryNode');
  expect(await typeOf({ ticket: { account: alice.address, ticket_seq: ticket?.TicketSequence } })).toBe('Ticket');
  expect(await typeOf({ index: ticket?.index })).toBe('Ticket');
  expect(await typeOf({ account_root: alice.address })).toBe('AccountRoot');
  expect(await find({ signer_list: ticket?.index })).toMatchObject({ error: 'unexpectedLedgerType' });
  expect(await find({ directory: { owner: bob.address } })).toMatchObject({ error: 'entryNotFound', error_code: 98 });
  expect(await find({})).toMatchObject({ error_message: 'No ledger_entry params provided.' });
  expect(await find(v1)).toMatchObject({ error: 'unknownOption' });
  expect(await find({ index: 'x', account_root: 'y' })).toMatchObject({ error_message: 'Too many fields provided.' });
  expect(await find({ deposit_preauth: { owner: 'x', authorized: bob.address } })).toMatchObject({
    error: 'malformedOwner',
  });
});

test.each([
  ['account_lines', { account: alice.address, peer: bob.address }, { lines: [] }],
  ['gateway_balances', { account: alice.address, hotwallet: [bob.address] }, { account: alice.address }],
  [
    'noripple_check',
    { account: alice.address, role: 'gateway', transactions: true },
    { problems: [expect.any(String)], transactions: [{ TransactionType: 'AccountSet', SetFlag: 8 }] },
  ],
  ['noripple_check', { account: alice.address, role: 'user' }, { problems: [] }],
  [
    'book_offers',
    { taker_pays: { currency: 'XRP' }, taker_gets: { currency: 'USD', issuer: bob.address } },
    { offers: [] },
  ],
])('%s is well-formed and empty', async (method, params, expected) => {
  const answer = await ledger.rpc(method, { ledger_index: 'validated', ...params });
  expect(answer).toMatchObject({ status: 'success', validated: true, ...expected });
});

const usd = { currency: 'USD', issuer: bob.address };
test.each([
  ['account_lines', { peer: 'x' }, 'actMalformed'],
  ['account_lines', { marker: 1 }, 'invalidParams'],
  ['account_lines', { marker: 'x,1' }, 'invalidParams'],
  ['account_objects', { type: 'x' }, 'invalidParams'],
  ['account_objects', { type: 'directory' }, 'invalidParams'],
  ['account_objects', { type: 'ripple_state' }, 'invalidParams'],
  ['ledger_data', { type: 'account_root' }, 'invalidParams'],
  ['ledger_data', { type: 'common' }, 'invalidParams'],
  ['ledger_data', { type: 'constructor' }, 'invalidParams'],
  ['gateway_balances', { hotwallet: 'x' }, 'invalidParams'],
  ['gateway_balances', { hotwallet: 'x', ...v1 }, 'invalidHotWallet'],
  ['noripple_check', {}, 'invalidParams'],
  ['noripple_check', { role: 'x' }, 'invalidParams'],
  ['book_offers', { taker_pays: usd, taker_gets: usd }, 'badMarket'],
  ['book_offers', { taker_pays: { currency: '?' }, taker_gets: usd }, 'srcCurMalformed'],
  ['book_offers', { taker_pays: { currency: 'USD' }, taker_gets: usd }, 'srcIsrMalformed'],
])('%s refuses %j with %s', async (method, params, error) => {
  expect(await ledger.rpc(method, { account: alice.address, ...params })).toMatchObject({ error });
});

test('an account that does not exist has no lists, and the error has no ledger', async () => {
  const { address } = accountOf('nobody');
  for (const method of ['account_lines', 'account_objects', 'account_offers']) {
    const answer = await ledger.rpc(method, { account: address });
    expect(answer).toMatchObject({ error: 'actNotFound', error_code: 19 });
    expect(answer).not.toHaveProperty('ledger_current_index');
  }
});

test('account_objects: no blockers, and a limit only beside a marker', async () => {
  await ledger.submit({ TransactionType: 'TicketCreate', Account: alice.address, TicketCount: 40 }, alice);
  const blockers = await ledger.rpc('account_objects', { account: alice.address, deletion_blockers_only: true });
  expect(blockers.account_objects).toEqual([]);
  expect(blockers).not.toHaveProperty('limit');
  const page = await ledger.rpc('account_objects', { account: alice.address, limit: 10 });
  expect(page).toMatchObject({ limit: 10, marker: expect.stringMatching(/^[0-9A-F]{64},[0-9A-F]{64}$/) });
});

test('account_info takes `ident` in place of `account`', async () => {
  const { account_data } = await ledger.rpc('account_info', { ident: alice.address });
  expect(account_data).toMatchObject({ Account: alice.address });
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  accountOf,
  fundedLedger,
  type Json,
  NETWORK_ID,
  payment,
  signed,
  type TestLedger,
  XRP,
} from '../../support/xrpl-ledger/test-ledger.ts';

/** Answers of real servers, field by field. */

const alice = accountOf('alice');
const bob = accountOf('bob', 'ecdsa-secp256k1');
let ledger: TestLedger;
beforeEach(async () => {
  ledger = await fundedLedger(alice, bob);
});
afterEach(() => ledger.close());

/** The names of all fields, with those of the objects inside. */
function fieldsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value[0] === undefined ? [path] : fieldsOf(value[0], `${path}[]`);
  if (value === null || typeof value !== 'object') return [`${path}: ${typeof value}`];
  return Object.entries(value)
    .flatMap(([name, inner]) => fieldsOf(inner, path ? `${path}.${name}` : name))
    .sort();
}

const duration = { duration_us: '0', transitions: '0' };
const COMMON = {
  build_version: '2.0.0',
  complete_ledgers: '2-5',
  initial_sync_duration_us: '266894',
  io_latency_ms: 1,
  jq_trans_overflow: '0',
  load: { job_types: [], threads: 1 },
  load_factor: 1,
  network_id: 15755,
  node_size: 'huge',
  peer_disconnects: '0',
  peer_disconnects_resources: '0',
  peers: 0,
  // This one listens nowhere.
  ports: [],
  pubkey_node: 'n9…',
  pubkey_validator: 'none',
  server_state: 'full',
  server_state_duration_us: '14403358',
  state_accounting: {
    connected: duration,
    disconnected: duration,
    full: duration,
    syncing: duration,
    tracking: duration,
  },
  time: '2023-Nov-07 01:51:56.559629 UTC',
  uptime: 14,
  validation_quorum: 0,
};
/** Of a server that stands alone, asked by an administrator. */
const SERVER_INFO = {
  ...COMMON,
  hostid: 'server',
  last_close: { converge_time_s: 0.1, proposers: 0 },
  validated_ledger: { age: 4, base_fee_xrp: 0.00001, hash: '', reserve_base_xrp: 10, reserve_inc_xrp: 2, seq: 5 },
  validator_list: { count: 0, expiration: 'unknown', status: 'unknown' },
};
const SERVER_STATE = {
  ...COMMON,
  last_close: { converge_time: 100, proposers: 0 },
  load_base: 256,
  load_factor_fee_escalation: 256,
  load_factor_fee_queue: 256,
  load_factor_fee_reference: 256,
  load_factor_server: 256,
  validated_ledger: { base_fee: 10, close_time: 1, hash: '', reserve_base: 1_000_000, reserve_inc: 200_000, seq: 5 },
  validator_list_expires: 0,
};
const FEE = {
  current_ledger_size: '14',
  current_queue_size: '0',
  drops: { base_fee: '10', median_fee: '11000', minimum_fee: '10', open_ledger_fee: '10' },
  expected_ledger_size: '24',
  ledger_current_index: 26_575_101,
  levels: { median_level: '281600', minimum_level: '256', open_ledger_level: '256', reference_level: '256' },
  max_queue_size: '480',
  status: 'success',
};
const LEDGER = {
  ledger: {
    account_hash: '',
    close_flags: 0,
    close_time: 638_329_271,
    close_time_human: '',
    close_time_iso: '',
    close_time_resolution: 10,
    closed: true,
    ledger_hash: '',
    ledger_index: 54_300_940,
    parent_close_time: 638_329_270,
    parent_hash: '',
    total_coins: '99991024049618156',
    transaction_hash: '',
  },
  ledger_hash: '',
  ledger_index: 54_300_940,
  status: 'success',
  validated: true,
};

test.each([
  ['server_info', {}, { info: SERVER_INFO, status: 'success' }],
  ['server_state', {}, { state: SERVER_STATE, status: 'success' }],
  ['fee', {}, FEE],
  ['ledger', { ledger_index: 'validated' }, LEDGER],
])('XRPL-1.3 %s has the fields of a real answer, each of its type', async (command, params, real) => {
  expect(fieldsOf(await ledger.rpc(command, params))).toEqual(fieldsOf(real));
});

test('the time of the server has six digits after the second, a close time has nine', async () => {
  ledger.clock.time += 559;
  const { info } = (await ledger.rpc('server_info')) as { info: Json };
  expect(info.time).toBe('2026-Jul-01 00:00:00.559000 UTC');
  const { state } = (await ledger.rpc('server_state')) as { state: Json };
  expect(state.time).toBe(info.time);
  const answer = (await ledger.rpc('ledger', { ledger_index: 'validated' })) as { ledger: Json };
  expect(answer.ledger.close_time_human).toMatch(/:\d\d\.000000000 UTC$/);
});

async function set(json: Json): Promise<Json> {
  const answer = await ledger.submit({ TransactionType: 'AccountSet', Account: alice.address, ...json }, alice);
  ledger.controls.close();
  return answer;
}

test.each([
  ['TickSize', 3, [0, 16]],
  ['TickSize', 15, [0, 16]],
  ['TransferRate', 1_200_000_000, [0, 1_000_000_000]],
  ['EmailHash', 'C1'.repeat(16), ['0'.repeat(32)]],
  ['WalletLocator', 'C1'.repeat(32), ['0'.repeat(64)]],
  ['MessageKey', alice.publicKey, ['']],
  ['Domain', '6578616D706C65', ['']],
])('XRPL-4.3 AccountSet: %s %s is stored, and %j remove it', async (field, value, removing) => {
  for (const removed of removing) {
    await set({ [field]: value });
    expect(await ledger.account(alice.address)).toHaveProperty(field, value);
    expect(await set({ [field]: removed })).toMatchObject({
      engine_result: 'tesSUCCESS',
      tx_json: { [field]: removed },
    });
    expect(await ledger.account(alice.address)).not.toHaveProperty(field);
  }
});

test.each([1, 2, 17])('XRPL-4.2 AccountSet: TickSize %i is temBAD_TICK_SIZE', async TickSize => {
  expect(await set({ TickSize })).toMatchObject({ engine_result: 'temBAD_TICK_SIZE' });
});

test('XRPL-4.3 an EmailHash of zeros keeps its 32 digits, also beside a memo, and in every answer', async () => {
  const EmailHash = '0'.repeat(32);
  const Memos = [{ Memo: { MemoData: 'AB' } }];
  for (const more of [{}, { Memos }]) {
    const { tx_json } = (await set({ EmailHash, ...more })) as { tx_json: Json };
    expect(tx_json.EmailHash).toBe(EmailHash);
    const found = await ledger.rpc('tx', { transaction: tx_json.hash });
    expect(found.tx_json).toMatchObject({ EmailHash });
  }
});

test('XRPL-1.3 account_info of an account with an EmailHash names its picture', async () => {
  await set({ EmailHash: '98B4375E1D753E5B91627516F6D70977' });
  expect((await ledger.account(alice.address))?.urlgravatar).toBe(
    'http://www.gravatar.com/avatar/98b4375e1d753e5b91627516f6d70977',
  );
  expect(await ledger.account(bob.address)).not.toHaveProperty('urlgravatar');
});

test('noripple_check proposes a transaction whose Fee is a number', async () => {
  const answer = await ledger.rpc('noripple_check', { account: alice.address, role: 'gateway', transactions: true });
  expect(answer.transactions).toMatchObject([{ Fee: 10, SetFlag: 8, TransactionType: 'AccountSet' }]);
});

test('XRPL-4.3 a deleted signer list: what did not change is not among its previous fields', async () => {
  const SignerEntries = [{ SignerEntry: { Account: bob.address, SignerWeight: 1 } }];
  const list = { TransactionType: 'SignerListSet', Account: alice.address };
  await ledger.submit({ ...list, SignerQuorum: 1, SignerEntries }, alice);
  ledger.controls.close();
  const answer = await ledger.submit({ ...list, SignerQuorum: 0 }, alice);
  ledger.controls.close();
  const found = await ledger.rpc('tx', { transaction: (answer.tx_json as Json).hash });
  const nodes = (found.meta as { AffectedNodes: Record<string, Json>[] }).AffectedNodes;
  const deleted = nodes.map(node => node.DeletedNode).find(node => node?.LedgerEntryType === 'SignerList');
  expect(deleted).toMatchObject({ FinalFields: { SignerEntries } });
  expect(deleted).not.toHaveProperty('PreviousFields');
});

const blob = signed(payment(alice, bob, XRP, { Fee: '10', Sequence: 3, NetworkID: NETWORK_ID }), alice);

test.each([
  ['ABC', 'Transaction length invalid'],
  ['00'.repeat(40), 'type_code 0 out of range'],
  ['FF'.repeat(40), 'Unknown field'],
  [`12${'00'.repeat(40)}`, 'type_code 0 out of range'],
  [blob.slice(0, 70), 'bytes but only'],
  [blob.slice(0, 130), 'bytes but only'],
  [blob.slice(0, 60), 'Transaction length invalid'],
  [`${blob}20`, 'requested 1 bytes but only 0 available'],
  [`${blob}2001`, 'field_code 1 out of range'],
  [blob.slice(1), undefined],
])('XRPL-1.3 submit of %s: invalidTransaction with the reason of the decoder', async (tx_blob, reason) => {
  const answer = await ledger.rpc('submit', { tx_blob });
  expect(answer).toMatchObject({ error: 'invalidTransaction', error_exception: expect.any(String) });
  if (reason) expect(answer.error_exception).toContain(reason);
  expect(answer.error_exception).not.toMatch(/undefined|of null|is not a function/);
});

import { afterAll, describe, expect, test } from 'vitest';
import { hashes, type Wallet } from 'xrpl';
import { connect, type Json, leaveOut, newWallet, XRP } from '../support/xrpl-network/network.ts';

const network = await connect();
const [alice] = (await network.fund(50)) as [Wallet];
const newest = await network.close();
afterAll(() => network?.disconnect());

const ledger = async (params: Json) => (await network.ask('ledger', params)) as Json & { ledger: Json };

describe('ledgers', () => {
  test('XRPL-1.3: a closed ledger by index, text and hash is the same one; its index is text in API 1', async () => {
    const byIndex = await ledger({ ledger_index: newest });
    const { ledger_hash } = byIndex;
    expect(byIndex).toMatchObject({
      ledger_index: newest,
      validated: true,
      ledger: { closed: true, ledger_hash, ledger_index: newest },
    });
    expect(await ledger({ ledger_index: String(newest) })).toEqual(byIndex);
    expect(await ledger({ ledger_hash })).toEqual(byIndex);
    const v1 = await ledger({ ledger_index: newest, api_version: 1 });
    expect(v1.ledger).toEqual({ ...byIndex.ledger, ledger_index: String(newest) });
    expect(hashes.hashLedgerHeader(v1.ledger as never)).toBe(ledger_hash);
  });

  test('the open ledger follows the validated one, and has no hash', async () => {
    const open = await ledger({ ledger_index: 'current' });
    expect(open).toMatchObject({ validated: false, ledger: { closed: false } });
    expect(open).not.toHaveProperty('ledger_hash');
    expect(open.ledger_current_index).toBeGreaterThan(newest);
  });

  test('closing times rise, and hang on each other', async () => {
    await network.close();
    const later = (await ledger({ ledger_index: newest + 1 })).ledger;
    const before = (await ledger({ ledger_index: newest })).ledger;
    expect(later).toMatchObject({ parent_close_time: before.close_time, parent_hash: before.ledger_hash });
    expect(Number(later.close_time)).toBeGreaterThan(Number(before.close_time));
    const iso = new Date((Number(later.close_time) + 946_684_800) * 1000).toISOString().replace('.000', '');
    expect(later.close_time_iso).toBe(iso);
  });

  test.each<[string, Json, Json]>([
    [
      'one to come',
      { ledger_index: 900_000_000 },
      { error: 'lgrNotFound', error_code: 21, error_message: 'ledgerNotFound' },
    ],
    ['an unknown hash', { ledger_hash: 'AB'.repeat(32) }, { error: 'lgrNotFound', error_code: 21 }],
    [
      'a word',
      { ledger_index: 'newest' },
      { error: 'invalidParams', error_code: 31, error_message: "Invalid field 'ledger_index', not string or number." },
    ],
    [
      'index and hash',
      { ledger_index: 2, ledger_hash: 'AB'.repeat(32) },
      { error: 'invalidParams', error_message: "Exactly one of 'ledger_hash' or 'ledger_index' can be specified." },
    ],
  ])('%s is refused', async (_what, params, refusal) => {
    expect(await network.refusal('ledger', params)).toMatchObject({ status: 'error', type: 'response', ...refusal });
  });

  test('ledger_accept closes exactly the open ledger', async context => {
    if (!network.facts.closesOnDemand) leaveOut(context, 'not an admin of a standalone server');
    const { ledger_current_index: open } = await network.ask('ledger_current');
    const { ledger_current_index: next } = await network.ask('ledger_accept');
    expect(Number(next)).toBeGreaterThan(Number(open));
    expect(await ledger({ ledger_index: Number(open) })).toMatchObject({ validated: true });
  });
});

describe('accounts', () => {
  test('XRPL-1.3: account_info names its ledger, its flags, and the key of its entry', async () => {
    const answer = await network.ask('account_info', { account: alice.classicAddress, ledger_index: newest });
    expect(answer).toMatchObject({
      ledger_index: newest,
      ledger_hash: expect.any(String),
      validated: true,
      account_data: {
        Account: alice.classicAddress,
        Balance: String(50n * XRP),
        Flags: 0,
        OwnerCount: 0,
        LedgerEntryType: 'AccountRoot',
        index: hashes.hashAccountRoot(alice.classicAddress),
      },
      account_flags: { requireDestinationTag: false, disableMasterKey: false, depositAuth: false },
    });
  });

  test('the open ledger shows what was submitted, the validated one does not yet', async context => {
    if (!network.facts.closesOnDemand) leaveOut(context, 'a network closes when it likes');
    await network.close();
    const before = (await network.account(alice.classicAddress))!;
    await network.apply({ TransactionType: 'AccountSet', Account: alice.classicAddress, SetFlag: 1 }, alice);
    expect((await network.account(alice.classicAddress, 'current'))?.Sequence).toBe(before.Sequence + 1);
    await network.close();
    expect((await network.account(alice.classicAddress))?.Flags).toBe(0x0002_0000);
    const { account_flags } = await network.ask('account_info', { account: alice.classicAddress });
    expect(account_flags).toMatchObject({ requireDestinationTag: true });
    const past = await network.account(alice.classicAddress, newest);
    expect(past?.Flags).toBe(0);
  });

  test.each(['account_info', 'account_lines', 'account_objects', 'account_offers'])(
    '%s: actNotFound and actMalformed; only account_info names account and ledger where there is none',
    async command => {
      const account = newWallet().classicAddress;
      const absent = await network.refusal(command, { account, ledger_index: 'validated' });
      expect(absent).toMatchObject({ error: 'actNotFound', error_code: 19, error_message: 'Account not found.' });
      const { request: _, ...answered } = absent;
      if (command === 'account_info') expect(answered).toMatchObject({ account, validated: true });
      else expect(answered).not.toHaveProperty('account');
      const bad = await network.refusal(command, { account: 'r123', ledger_index: 'validated' });
      expect(bad).toMatchObject({ error: 'actMalformed', error_code: 35, error_message: 'Account malformed.' });
      expect(await network.refusal(command)).toMatchObject({
        error: 'invalidParams',
        error_message: "Missing field 'account'.",
      });
    },
  );

  test('account_lines has lines to read, of an account without any', async () => {
    const answer = await network.ask('account_lines', { account: alice.classicAddress, ledger_index: 'validated' });
    expect(answer).toMatchObject({ account: alice.classicAddress, lines: [], validated: true });
  });

  test('ledger_entry finds an account by its key', async () => {
    const index = hashes.hashAccountRoot(alice.classicAddress);
    const byKey = await network.ask('ledger_entry', { index, ledger_index: 'validated' });
    const byAccount = await network.ask('ledger_entry', {
      account_root: alice.classicAddress,
      ledger_index: 'validated',
    });
    expect(byKey).toMatchObject({ index, node: { Account: alice.classicAddress } });
    expect(byAccount.node).toEqual(byKey.node);
  });
});

describe('servers', () => {
  test('XRPL-1.3: server_info tells base fee and reserves in XRP, server_state in drops', async () => {
    const { info } = (await network.ask('server_info')) as { info: Json };
    const { state } = (await network.ask('server_state')) as { state: Json };
    const { baseFee, reserveBase, reserveIncrement } = network.facts;
    expect(info.validated_ledger).toMatchObject({
      base_fee_xrp: Number(baseFee) / 1e6,
      reserve_base_xrp: Number(reserveBase) / 1e6,
      reserve_inc_xrp: Number(reserveIncrement) / 1e6,
      seq: expect.any(Number),
      hash: expect.stringMatching(/^[0-9A-F]{64}$/),
    });
    expect(state.validated_ledger).toMatchObject({ base_fee: Number(baseFee), reserve_base: Number(reserveBase) });
    expect(info).toMatchObject({
      build_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      complete_ledgers: expect.stringMatching(/^\d+(-\d+)?(,\d+(-\d+)?)*$/),
      load_factor: expect.any(Number),
      server_state: expect.any(String),
      uptime: expect.any(Number),
      peers: expect.any(Number),
    });
    expect(state).toMatchObject({ load_base: 256, load_factor: expect.any(Number) });
  });

  test('fee: drops and levels as text', async () => {
    const answer = await network.ask('fee');
    const text = expect.stringMatching(/^\d+$/);
    expect(answer).toMatchObject({
      current_ledger_size: text,
      current_queue_size: text,
      expected_ledger_size: text,
      max_queue_size: text,
      drops: { base_fee: String(network.facts.baseFee), median_fee: text, minimum_fee: text, open_ledger_fee: text },
      levels: { median_level: text, minimum_level: text, open_ledger_level: text, reference_level: '256' },
      ledger_current_index: expect.any(Number),
    });
  });

  test('random is random', async () => {
    const [one, other] = [await network.ask('random'), await network.ask('random')];
    expect(one.random).toMatch(/^[0-9A-F]{64}$/);
    expect(other.random).not.toBe(one.random);
  });

  test('XRPL-1.1: a refusal echoes the request, names the id, and carries code and text', async () => {
    const refused = await network.refusal('no_such_command', { with: 'this' });
    expect(refused).toMatchObject({
      error: 'unknownCmd',
      error_code: 32,
      error_message: 'Unknown method.',
      status: 'error',
      type: 'response',
      id: expect.any(Number),
      api_version: 2,
      request: { command: 'no_such_command', with: 'this' },
    });
  });

  test('XRPL-1.3: an API version that there is not', async () => {
    expect(await network.refusal('ping', { api_version: 99 })).toMatchObject({
      error: 'invalid_API_version',
      status: 'error',
    });
  });
});

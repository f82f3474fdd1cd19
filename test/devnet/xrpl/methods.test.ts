import { decode, encode } from 'ripple-binary-codec';
import { sign } from 'ripple-keypairs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodeAccountPublic, hashes } from 'xrpl';
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
const bob = accountOf('bob', 'ecdsa-secp256k1');
let ledger: TestLedger;
beforeEach(async () => {
  ledger = await testLedger();
  for (const { address } of [alice, bob]) await ledger.fund(address, 100n * XRP);
});
afterEach(() => ledger.close());
const v1 = { api_version: 1 };

test('simulate shows what a transaction would do and does nothing', async () => {
  const before = await ledger.rpc('account_info', { account: alice.address });
  const tx_json = payment(alice, bob, XRP);
  const answer = await ledger.rpc('simulate', { tx_json });
  expect(answer).toMatchObject({
    applied: false,
    engine_result: 'tesSUCCESS',
    engine_result_message: 'The simulated transaction would have been applied.',
    tx_json: { ...tx_json, Fee: '10', SigningPubKey: '', hash: expect.any(String) },
    meta: { TransactionResult: 'tesSUCCESS', delivered_amount: String(XRP) },
  });
  const poor = await ledger.rpc('simulate', { tx_json: payment(alice, bob, 1_000n * XRP) });
  expect(poor).toMatchObject({
    engine_result: 'tecUNFUNDED_PAYMENT',
    engine_result_message: 'Insufficient XRP balance to send.',
    meta: { TransactionResult: 'tecUNFUNDED_PAYMENT' },
  });
  const past = await ledger.rpc('simulate', { tx_json: { ...tx_json, Sequence: 1 } });
  expect(past).toMatchObject({ engine_result: 'tefPAST_SEQ' });
  expect(past).not.toHaveProperty('meta');
  const binary = await ledger.rpc('simulate', { tx_json, binary: true });
  expect(decode(String(binary.tx_blob))).toMatchObject(tx_json);
  expect(decode(String(binary.meta_blob))).toMatchObject({ TransactionResult: 'tesSUCCESS' });
  ledger.knobs.close();
  expect((await ledger.rpc('account_info', { account: alice.address })).account_data).toEqual(
    before.account_data,
  );
});

test.each([
  ['AccountSet', { SetFlag: 1 }],
  ['SetRegularKey', { RegularKey: bob.address }],
  ['TicketCreate', { TicketCount: 1 }],
  ['DepositPreauth', { Authorize: bob.address }],
  [
    'SignerListSet',
    { SignerQuorum: 1, SignerEntries: [{ SignerEntry: { Account: bob.address, SignerWeight: 1 } }] },
  ],
])('simulate knows %s, and its result is that of a submission', async (TransactionType, fields) => {
  const tx_json = { TransactionType, Account: alice.address, ...fields };
  const simulated = await ledger.rpc('simulate', {
    tx_json: { ...tx_json, Fee: '10', Flags: 0, SigningPubKey: alice.publicKey },
  });
  expect(simulated).toMatchObject({ engine_result: 'tesSUCCESS' });
  const submitted = await ledger.submit(tx_json, alice);
  ledger.knobs.close();
  const { meta } = await ledger.rpc('tx', { transaction: (submitted.tx_json as Json).hash });
  expect(simulated.meta).toEqual(meta);
});

test.each([
  [{}, 'Neither `tx_blob` nor `tx_json` included.'],
  [{ tx_json: {}, tx_blob: 'AB' }, 'Can only include one of `tx_blob` and `tx_json`.'],
  [{ tx_json: {} }, "Missing field 'tx.TransactionType'."],
  [{ tx_json: { TransactionType: 'Payment' } }, "Missing field 'tx.Account'."],
  [{ tx_json: 1 }, "Invalid field 'tx_json', not object."],
  [{ tx_blob: 'x' }, "Invalid field 'tx_blob'."],
  [{ tx_json: {}, secret: 's' }, "Invalid field 'secret'."],
  [{ tx_json: {}, binary: 1 }, "Invalid field 'binary'."],
])('simulate refuses %j', async (params, error_message) => {
  expect(await ledger.rpc('simulate', params)).toMatchObject({ error: 'invalidParams', error_message });
});

test('simulate refuses a signed transaction and an unknown account', async () => {
  const tx_json = { ...payment(alice, bob, 1), TxnSignature: 'AB' };
  expect(await ledger.rpc('simulate', { tx_json })).toMatchObject({
    error: 'transactionSigned',
    error_code: 96,
  });
  const nobody = payment(accountOf('nobody'), bob, 1);
  expect(await ledger.rpc('simulate', { tx_json: nobody })).toMatchObject({ error: 'srcActNotFound' });
});

test('ledger_data lists the whole state, page by page, in both forms', async () => {
  await ledger.submit({ TransactionType: 'TicketCreate', Account: alice.address, TicketCount: 40 }, alice);
  ledger.knobs.close();
  const { ledger: whole } = await ledger.rpc('ledger', {
    ledger_index: 'validated',
    accounts: true,
    expand: true,
  });
  const state = (whole as Json).accountState as Json[];
  for (const binary of [false, true]) {
    const listed: Json[] = [];
    let marker: unknown;
    do {
      const params = { ledger_index: 'validated', binary, limit: 7, ...(marker ? { marker } : {}) };
      const page = await ledger.rpc('ledger_data', params);
      expect(page.ledger === undefined).toBe(marker !== undefined);
      expect((page.state as Json[]).length).toBeLessThanOrEqual(7);
      listed.push(...(page.state as Json[]));
      marker = page.marker;
    } while (marker !== undefined);
    expect(listed.map(({ index }) => index)).toEqual(state.map(({ index }) => index));
    if (!binary) expect(listed).toEqual(state);
    else for (const [n, { data }] of listed.entries()) expect(encode(state[n] as Json)).toBe(data);
  }
  const tickets = await ledger.rpc('ledger_data', { ledger_index: 'validated', type: 'ticket' });
  expect(tickets.state).toHaveLength(40);
  expect(await ledger.rpc('ledger_data', { marker: 'x' })).toMatchObject({
    error_message: "Invalid field 'marker', not valid.",
  });
  expect(await ledger.rpc('ledger_data', { type: 'x' })).toMatchObject({ error: 'invalidParams' });
});

test('the state holds the hashes of former ledgers and the amendments', async () => {
  for (let n = 0; n < 520; n++) ledger.knobs.close();
  const { state } = await ledger.rpc('ledger_data', { ledger_index: 'validated', type: 'hashes' });
  const lists = (state as Json[]).toSorted(
    (a, b) => Number(a.LastLedgerSequence) - Number(b.LastLedgerSequence),
  );
  const validated = Number((await ledger.rpc('ledger_closed')).ledger_index);
  expect(lists.map(list => [(list.Hashes as string[]).length, list.LastLedgerSequence])).toEqual([
    [2, 512],
    [256, validated - 1],
  ]);
  const hashOf = async (ledger_index: number) => (await ledger.rpc('ledger', { ledger_index })).ledger_hash;
  expect(lists[0]?.Hashes).toEqual([await hashOf(256), await hashOf(512)]);
  expect((lists[1] as { Hashes: string[] }).Hashes.at(-1)).toBe(await hashOf(validated - 1));
  const { features } = await ledger.rpc('feature');
  const amendments = await ledger.rpc('ledger_data', { type: 'amendments', ledger_index: 'validated' });
  expect(((amendments.state as Json[])[0] as Json).Amendments).toEqual(Object.keys(features as Json));
  const id = '30CD365592B8EE40489BA01AE2F7555CAC9C983145871DC82A42A31CF5BAE7D9';
  const one = { [id]: { enabled: true, name: 'DeletableAccounts', supported: true } };
  expect(await ledger.rpc('feature', { feature: 'DeletableAccounts' })).toMatchObject(one);
  expect(await ledger.rpc('feature', { feature: id })).toMatchObject(one);
  expect(await ledger.rpc('feature', { feature: 'x' })).toMatchObject({
    error: 'badFeature',
    error_code: 40,
  });
});

test('transaction_entry finds a transaction in its ledger only', async () => {
  const { tx_json } = await ledger.submit(payment(alice, bob, XRP), alice);
  const { hash } = tx_json as Json;
  ledger.knobs.close();
  const ledger_index = (await ledger.rpc('ledger_closed')).ledger_index;
  const params = { tx_hash: hash, ledger_index };
  expect(await ledger.rpc('transaction_entry', params)).toMatchObject({
    hash,
    ledger_index,
    validated: true,
    close_time_iso: expect.any(String),
    tx_json: { DeliverMax: String(XRP) },
    meta: { delivered_amount: String(XRP) },
  });
  const old = await ledger.rpc('transaction_entry', { ...params, ...v1 });
  expect(old).toMatchObject({
    tx_json: { hash, Amount: String(XRP) },
    metadata: { TransactionResult: 'tesSUCCESS' },
  });
  const errorOf = async (other: Json) => (await ledger.rpc('transaction_entry', other)).error;
  expect(await errorOf({ ...params, ledger_index: Number(ledger_index) - 1 })).toBe('transactionNotFound');
  expect(await errorOf({ tx_hash: hash })).toBe('notYetImplemented');
  expect(await errorOf({ ledger_index })).toBe('fieldNotFoundTransaction');
  expect(await errorOf({ ...params, tx_hash: 'x' })).toBe('malformedRequest');
});

test('tx_history lists the newest transactions in API 1 alone', async () => {
  for (let n = 1; n <= 25; n++) await ledger.submit(payment(alice, bob, n), alice);
  ledger.knobs.close();
  const first = await ledger.rpc('tx_history', { start: 0, ...v1 });
  const second = await ledger.rpc('tx_history', { start: 20, ...v1 });
  expect(first.txs).toHaveLength(20);
  const amounts = [...(first.txs as Json[]), ...(second.txs as Json[])].map(tx => tx.Amount).slice(0, 25);
  expect(amounts).toEqual(Array.from({ length: 25 }, (_, n) => String(25 - n)));
  expect(await ledger.rpc('tx_history', { start: 0 })).toMatchObject({ error: 'unknownCmd' });
  expect(await ledger.rpc('tx_history', v1)).toMatchObject({ error: 'invalidParams' });
});

test('server_definitions are those of the codec, and only a hash for who has them', async () => {
  const all = await ledger.rpc('server_definitions');
  expect(Object.keys(all)).toEqual(
    expect.arrayContaining([
      'FIELDS',
      'LEDGER_ENTRY_TYPES',
      'TRANSACTION_RESULTS',
      'TRANSACTION_TYPES',
      'TYPES',
    ]),
  );
  const { hash } = all;
  const known = await ledger.rpc('server_definitions', { hash });
  expect(known).toEqual({ hash, status: 'success' });
});

test('sign fills in and signs; submit with a secret does so and submits', async () => {
  const secret = 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb';
  const tx_json = payment(genesis, bob, XRP);
  const signed = await ledger.rpc('sign', { secret, tx_json });
  expect(signed).toMatchObject({
    status: 'success',
    hash: hashes.hashSignedTx(String(signed.tx_blob)),
    tx_json: { DeliverMax: String(XRP), Fee: '10', Flags: 0x80000000, SigningPubKey: genesis.publicKey },
    deprecated: expect.any(String),
  });
  expect(await ledger.submitBlob(String(signed.tx_blob))).toMatchObject({ engine_result: 'tesSUCCESS' });
  const submitted = await ledger.rpc('submit', {
    passphrase: 'masterpassphrase',
    key_type: 'secp256k1',
    tx_json,
  });
  expect(submitted).toMatchObject({
    engine_result: 'tesSUCCESS',
    engine_result_code: 0,
    hash: expect.any(String),
  });
  const old = await ledger.rpc('submit', { secret, tx_json, ...v1 });
  expect(old).toMatchObject({ engine_result: 'tesSUCCESS', tx_json: { hash: expect.any(String) } });
});

test.each([
  ['missing secret', {}, "Missing field 'secret'."],
  ['two secrets', { secret: 'a', seed: 'b' }, /^Exactly one of/],
  ['secret with key_type', { secret: 'a', key_type: 'ed25519' }, /not allowed if key_type is used/],
  ['another secret', { secret: 'nonsense' }, 'Secret does not match account.'],
  ['a bad seed', { seed: 'nonsense', key_type: 'ed25519' }, 'Disallowed seed.'],
  ['a bad key type', { seed: 'a', key_type: 'rsa' }, 'Bad key type.'],
])('sign is refused: %s', async (_what, params, message) => {
  const answer = await ledger.rpc('sign', { tx_json: payment(genesis, bob, 1), ...params });
  expect(answer.error_message).toMatch(message);
});

test('nobody but an admin of a server that signs hands over a secret', async () => {
  const shared = await testLedger({ signs: false });
  const params = { secret: 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb', tx_json: payment(genesis, bob, XRP) };
  try {
    for (const method of ['sign', 'sign_for', 'submit'])
      expect(await shared.rpc(method, params)).toMatchObject({ error: 'notSupported', error_code: 75 });
  } finally {
    await shared.close();
  }
});

test('sign_for collects signatures, submit_multisigned submits them', async () => {
  const [one, two] = [accountOf('one'), accountOf('two', 'ecdsa-secp256k1')];
  const entry = (Account: string) => ({ SignerEntry: { Account, SignerWeight: 1 } });
  await ledger.submit(
    {
      TransactionType: 'SignerListSet',
      Account: alice.address,
      SignerQuorum: 2,
      SignerEntries: [entry(one.address), entry(two.address)],
    },
    alice,
  );
  const Sequence = (await ledger.account(alice.address, 'current'))?.Sequence;
  const base = { ...payment(alice, bob, XRP), Sequence, Fee: '30', Flags: 0, NetworkID: 21_117 };
  const entropy = (name: string) => Buffer.concat([Buffer.from(name), Buffer.alloc(16 - name.length)]);
  const seedHex = (name: string) => entropy(name).toString('hex');
  const first = await ledger.rpc('sign_for', {
    account: one.address,
    seed_hex: seedHex('one'),
    key_type: 'ed25519',
    tx_json: base,
  });
  expect(first).toMatchObject({ status: 'success', tx_json: { SigningPubKey: '' } });
  const second = await ledger.rpc('sign_for', {
    account: two.address,
    seed_hex: seedHex('two'),
    key_type: 'secp256k1',
    tx_json: first.tx_json,
  });
  const { Signers } = second.tx_json as { Signers: Json[] };
  expect(Signers).toHaveLength(2);
  const early = await ledger.rpc('submit_multisigned', { tx_json: first.tx_json });
  expect(early).toMatchObject({ engine_result: 'tefBAD_QUORUM', engine_result_code: -185 });
  const tx_json = { ...(second.tx_json as Json), Signers: Signers.toReversed() };
  const done = await ledger.rpc('submit_multisigned', { tx_json });
  expect(done).toMatchObject({ engine_result: 'tesSUCCESS', hash: second.hash, tx_blob: second.tx_blob });
  const refused = async (change: Json) =>
    (await ledger.rpc('submit_multisigned', { tx_json: { ...tx_json, ...change } })).error_message;
  expect(await refused({ SigningPubKey: alice.publicKey })).toMatch(/must be empty/);
  expect(await refused({ Fee: '0' })).toMatch(/greater than zero/);
  expect(await refused({ Signers: [] })).toMatch(/may not be empty/);
  expect(await refused({ Signers: [...Signers, ...Signers] })).toMatch(/^Duplicate Signers/);
  expect(await refused({ Signers: [{ Signer: { Account: one.address } }] })).toMatch(/only contain Signer/);
});

test('wallet_propose makes keys, and the same ones from the same secret', async () => {
  const known = {
    account_id: genesis.address,
    key_type: 'secp256k1',
    master_key: 'I IRE BOND BOW TRIO LAID SEAT GOAL HEN IBIS IBIS DARE',
    master_seed: 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb',
    master_seed_hex: 'DEDCE9CE67B451D852FD4E846FCDE31C',
    public_key: 'aBQG8RQAzjs1eTKFEAQXr2gS4utcDiEC9wmi7pfUPTi27VCahwgw',
    public_key_hex: genesis.publicKey,
  };
  const hashed = await ledger.rpc('wallet_propose', { passphrase: 'masterpassphrase' });
  expect(hashed).toMatchObject({ ...known, warning: expect.stringContaining('low entropy') });
  for (const passphrase of [known.master_key, known.master_seed, known.master_seed_hex])
    expect(await ledger.rpc('wallet_propose', { passphrase })).toEqual({ ...known, status: 'success' });
  const made = await ledger.rpc('wallet_propose', { key_type: 'ed25519' });
  expect(made).toMatchObject({ key_type: 'ed25519', public_key_hex: expect.stringMatching(/^ED/) });
  expect(await ledger.rpc('wallet_propose', { key_type: 'rsa' })).toMatchObject({ error: 'invalidParams' });
});

test('channel_verify checks the signature of a claim', async () => {
  const channel_id = 'AB'.repeat(32);
  const message = `434C4D00${channel_id}${(1_000_000).toString(16).padStart(16, '0')}`;
  for (const { publicKey, privateKey } of [alice, bob]) {
    const params = {
      public_key: publicKey,
      channel_id,
      amount: '1000000',
      signature: sign(message, privateKey),
    };
    expect(await ledger.rpc('channel_verify', params)).toMatchObject({ signature_verified: true });
    const encoded = encodeAccountPublic(Buffer.from(publicKey, 'hex'));
    expect(await ledger.rpc('channel_verify', { ...params, public_key: encoded })).toMatchObject({
      signature_verified: true,
    });
    expect(await ledger.rpc('channel_verify', { ...params, amount: '2' })).toMatchObject({
      signature_verified: false,
    });
    expect(await ledger.rpc('channel_verify', { ...params, public_key: 'x' })).toMatchObject({
      error: 'publicMalformed',
    });
    expect(await ledger.rpc('channel_verify', { ...params, channel_id: 'x' })).toMatchObject({
      error: 'channelMalformed',
    });
    expect(await ledger.rpc('channel_verify', { ...params, amount: 2 })).toMatchObject({
      error: 'channelAmtMalformed',
    });
  }
});

test('deposit_authorized answers before and after a preauthorisation', async () => {
  const params = { source_account: bob.address, destination_account: alice.address };
  const answer = async () => (await ledger.rpc('deposit_authorized', params)).deposit_authorized;
  expect(await answer()).toBe(true);
  await ledger.submit({ TransactionType: 'AccountSet', Account: alice.address, SetFlag: 9 }, alice);
  expect(await answer()).toBe(false);
  await ledger.submit(
    { TransactionType: 'DepositPreauth', Account: alice.address, Authorize: bob.address },
    alice,
  );
  expect(await answer()).toBe(true);
  const { address } = accountOf('nobody');
  const errorOf = async (change: Json) =>
    (await ledger.rpc('deposit_authorized', { ...params, ...change })).error;
  expect(await errorOf({ source_account: address })).toBe('srcActNotFound');
  expect(await errorOf({ destination_account: address })).toBe('dstActNotFound');
  expect(await errorOf({ destination_account: 'x' })).toBe('actMalformed');
  expect(await errorOf({ source_account: undefined })).toBe('invalidParams');
  expect(await errorOf({ credentials: ['AB'.repeat(32)] })).toBe('badCredentials');
});

test('ledger_entry finds every kind of entry by its fields', async () => {
  await ledger.submit({ TransactionType: 'TicketCreate', Account: alice.address, TicketCount: 1 }, alice);
  await ledger.submit(
    { TransactionType: 'DepositPreauth', Account: alice.address, Authorize: bob.address },
    alice,
  );
  ledger.knobs.close();
  const { account_objects } = await ledger.rpc('account_objects', { account: alice.address });
  const ticket = (account_objects as Json[]).find(entry => entry.LedgerEntryType === 'Ticket');
  const find = (params: Json) => ledger.rpc('ledger_entry', { ledger_index: 'validated', ...params });
  const typeOf = async (params: Json) => ((await find(params)).node as Json | undefined)?.LedgerEntryType;
  expect(await typeOf({ deposit_preauth: { owner: alice.address, authorized: bob.address } })).toBe(
    'DepositPreauth',
  );
  expect(await typeOf({ directory: { owner: alice.address } })).toBe('DirectoryNode');
  expect(await typeOf({ directory: { owner: alice.address, sub_index: 0 } })).toBe('DirectoryNode');
  expect(await typeOf({ ticket: { account: alice.address, ticket_seq: ticket?.TicketSequence } })).toBe(
    'Ticket',
  );
  expect(await typeOf({ index: ticket?.index })).toBe('Ticket');
  expect(await typeOf({ account_root: alice.address })).toBe('AccountRoot');
  expect(await find({ signer_list: ticket?.index })).toMatchObject({ error: 'unexpectedLedgerType' });
  expect(await find({ directory: { owner: bob.address } })).toMatchObject({
    error: 'entryNotFound',
    error_code: 98,
  });
  expect(await find({})).toMatchObject({ error_message: 'No ledger_entry params provided.' });
  expect(await find(v1)).toMatchObject({ error: 'unknownOption' });
  expect(await find({ index: 'x', account_root: 'y' })).toMatchObject({
    error_message: 'Too many fields provided.',
  });
  expect(await find({ deposit_preauth: { owner: 'x', authorized: bob.address } })).toMatchObject({
    error: 'malformedOwner',
  });
});

test.each([
  ['account_nfts', { account: alice.address }, { account_nfts: [] }],
  ['account_lines', { account: alice.address, peer: bob.address }, { lines: [] }],
  ['account_channels', { account: alice.address, destination_account: bob.address }, { channels: [] }],
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
  [
    'ripple_path_find',
    { source_account: alice.address, destination_account: bob.address, destination_amount: '1' },
    { alternatives: [], destination_currencies: ['XRP'] },
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
  ['account_channels', { destination_account: 'x' }, 'actMalformed'],
  ['account_objects', { type: 'x' }, 'invalidParams'],
  ['account_objects', { type: 'directory' }, 'invalidParams'],
  ['gateway_balances', { hotwallet: 'x' }, 'invalidParams'],
  ['gateway_balances', { hotwallet: 'x', ...v1 }, 'invalidHotWallet'],
  ['noripple_check', {}, 'invalidParams'],
  ['noripple_check', { role: 'x' }, 'invalidParams'],
  ['book_offers', { taker_pays: usd, taker_gets: usd }, 'badMarket'],
  ['book_offers', { taker_pays: { currency: '?' }, taker_gets: usd }, 'srcCurMalformed'],
  ['book_offers', { taker_pays: { currency: 'USD' }, taker_gets: usd }, 'srcIsrMalformed'],
  ['amm_info', { amm_account: bob.address }, 'actNotFound'],
  ['amm_info', {}, 'invalidParams'],
  ['ripple_path_find', { source_account: 'x' }, 'srcActMalformed'],
])('%s refuses %j with %s', async (method, params, error) => {
  expect(await ledger.rpc(method, { account: alice.address, ...params })).toMatchObject({ error });
});

test('an account that does not exist has no lists, and the error has no ledger', async () => {
  const { address } = accountOf('nobody');
  for (const method of ['account_lines', 'account_objects', 'account_offers', 'account_nfts']) {
    const answer = await ledger.rpc(method, { account: address });
    expect(answer).toMatchObject({ error: 'actNotFound', error_code: 19 });
    expect(answer).not.toHaveProperty('ledger_current_index');
  }
});

test('account_objects: no blockers, and a limit only beside a marker', async () => {
  await ledger.submit({ TransactionType: 'TicketCreate', Account: alice.address, TicketCount: 40 }, alice);
  const blockers = await ledger.rpc('account_objects', {
    account: alice.address,
    deletion_blockers_only: true,
  });
  expect(blockers.account_objects).toEqual([]);
  expect(blockers).not.toHaveProperty('limit');
  const page = await ledger.rpc('account_objects', { account: alice.address, limit: 10 });
  expect(page).toMatchObject({ limit: 10, marker: expect.stringMatching(/^[0-9A-F]{64},[0-9A-F]{64}$/) });
});

test('account_info takes `ident` in place of `account`', async () => {
  const { account_data } = await ledger.rpc('account_info', { ident: alice.address });
  expect(account_data).toMatchObject({ Account: alice.address });
});

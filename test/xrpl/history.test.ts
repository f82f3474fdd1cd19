import { decode } from 'ripple-binary-codec';
import { afterAll, describe, expect, test } from 'vitest';
import { hashes, type Wallet } from 'xrpl';
import { connect, type Json, newWallet, payment, XRP } from '../support/xrpl-network/network.ts';

const PAYMENTS = 25;
/** Payments of alice to bob in the order of their Sequence, over at least five ledgers. */
const paid: string[] = [];
const network = await connect();
const [alice, bob] = (await network.fund(100, 10)) as [Wallet, Wallet];
for (let n = 0; n < PAYMENTS; n++) {
  paid.push(await network.apply(payment(alice, bob.classicAddress, BigInt(n + 1), { DestinationTag: n }), alice));
  if (n % 5 === 4) await network.close();
}
const last = Number((await network.found(paid.at(-1)!))?.ledger_index);
afterAll(() => network?.disconnect());

const history = (params: Json = {}) => network.ask('account_tx', { account: bob.classicAddress, ...params });
const listed = (answer: Json) => answer.transactions as Json[];
const hashesOf = (answer: Json, api_version = 2) =>
  listed(answer).map(entry => String(api_version === 1 ? (entry.tx as Json).hash : entry.hash));

/** All pages, with the marker as it came. */
async function pages(params: Json): Promise<Json[]> {
  const all: Json[] = [];
  let marker: unknown;
  do {
    const page = await history({ ...params, ...(marker ? { marker } : {}) });
    all.push(page);
    ({ marker } = page);
  } while (marker !== undefined);
  return all;
}

describe.each([1, 2])('API %i', api_version => {
  test.each([10, 11, 24, 400])('pages of %i hold every transaction once, in order, both ways', async limit => {
    for (const forward of [true, false]) {
      const all = await pages({ api_version, limit, forward });
      const found = all.flatMap(page => hashesOf(page, api_version));
      const ours = found.filter(hash => paid.includes(hash));
      expect(ours).toEqual(forward ? paid : paid.toReversed());
      expect(new Set(found).size).toBe(found.length);
      expect(found).toHaveLength(PAYMENTS + 1);
      for (const page of all) expect(page).toMatchObject({ limit, validated: true, account: bob.classicAddress });
      expect(all.slice(0, -1).every(page => listed(page).length === limit)).toBe(true);
    }
  });

  test('a binary page is the same page', async () => {
    const json = await history({ api_version, forward: true });
    const binary = await history({ api_version, forward: true, binary: true });
    const key = api_version === 1 ? 'meta' : 'meta_blob';
    expect(listed(binary).map(entry => hashes.hashSignedTx(String(entry.tx_blob)))).toEqual(
      hashesOf(json, api_version),
    );
    for (const [n, entry] of listed(binary).entries()) {
      expect(Object.keys(entry).sort()).toEqual(['ledger_index', key, 'tx_blob', 'validated'].sort());
      const { delivered_amount: _, ...meta } = listed(json)[n]!.meta as Json;
      expect(decode(String(entry[key]))).toEqual(meta);
    }
  });

  test('a range that is covered is the range that is named, and holds only its own', async () => {
    const range = { ledger_index_min: last, ledger_index_max: last };
    const answer = await history({ api_version, ...range });
    expect(answer).toMatchObject(range);
    for (const by of [{ ledger_index: last }, { ledger_index_min: last, ledger_index_max: -1 }])
      expect(hashesOf(await history({ api_version, ...by }), api_version)).toEqual(hashesOf(answer, api_version));
    expect(hashesOf(answer, api_version).length).toBeGreaterThan(0);
    const { ledger_hash } = await network.ask('ledger', { ledger_index: last });
    expect(hashesOf(await history({ api_version, ledger_hash }), api_version)).toEqual(hashesOf(answer, api_version));
  });

  test('an address without an account has an empty history; what is no address has none', async () => {
    const account = newWallet().classicAddress;
    expect(await history({ api_version, account })).toMatchObject({ account, transactions: [], validated: true });
    const refused = await network.refusal('account_tx', { api_version, account: 'rNobody' });
    expect(refused).toMatchObject({ error: 'actMalformed', error_code: 35, error_message: 'Account malformed.' });
    const missing = await network.refusal('account_tx', { api_version });
    expect(missing).toMatchObject({ error: 'invalidParams', error_message: "Missing field 'account'." });
  });

  test('a marker that is none is refused', async () => {
    const params = { api_version, account: bob.classicAddress, marker: { ledger: 'x' } };
    expect(await network.refusal('account_tx', params)).toMatchObject({ error: 'invalidParams', error_code: 31 });
  });
});

test('XRPL-1.4: API 1 clamps a range that is not covered, and refuses one that is upside down', async () => {
  const v1 = (min: number, max: number) => ({ api_version: 1, ledger_index_min: min, ledger_index_max: max });
  const newest = await network.validatedIndex();
  const clamped = await history(v1(1, newest + 1_000));
  expect(Number(clamped.ledger_index_max)).toBeLessThanOrEqual(await network.validatedIndex());
  expect(Number(clamped.ledger_index_min)).toBeGreaterThan(1);
  const refused = await network.refusal('account_tx', { account: bob.classicAddress, ...v1(newest, newest - 1) });
  expect(refused).toMatchObject({ error: 'lgrIdxsInvalid', error_code: 57 });
});

test.each<[string, (newest: number) => Json, Json]>([
  [
    'a maximum to come',
    newest => ({ ledger_index_min: newest, ledger_index_max: newest + 1_000 }),
    { error: 'lgrIdxMalformed', error_code: 58, error_message: 'Ledger index malformed.' },
  ],
  [
    'a minimum before its history',
    () => ({ ledger_index_min: 1, ledger_index_max: -1 }),
    { error: 'lgrIdxMalformed', error_code: 58 },
  ],
  [
    'upside down',
    newest => ({ ledger_index_min: newest, ledger_index_max: newest - 1 }),
    { error: 'invalidLgrRange', error_code: 79 },
  ],
  [
    'nothing new: from the ledger after the newest',
    newest => ({ ledger_index_min: newest + 1_000, ledger_index_max: newest }),
    { error: 'invalidLgrRange', error_code: 79 },
  ],
  ['a range and a ledger', newest => ({ ledger_index_min: newest, ledger_index: newest }), { error: 'invalidParams' }],
  ['binary that is no boolean', () => ({ binary: 1 }), { error: 'invalidParams', error_code: 31 }],
  ['forward that is no boolean', () => ({ forward: 'yes' }), { error: 'invalidParams', error_code: 31 }],
])('XRPL-1.4: API 2 refuses %s', async (_what, params, refusal) => {
  const wish = params(await network.validatedIndex());
  const refused = await network.refusal('account_tx', { account: bob.classicAddress, ...wish });
  expect(refused).toMatchObject({ status: 'error', ...refusal });
});

test('XRPL-1.4: the shape of an entry in API 1 and API 2', async () => {
  const [v1] = listed(await history({ api_version: 1 }));
  const [v2] = listed(await history());
  const { tx, ...around } = v1 as { tx: Json };
  expect(Object.keys(around).sort()).toEqual(['meta', 'validated']);
  expect(tx).toMatchObject({
    hash: paid.at(-1),
    inLedger: last,
    ledger_index: last,
    Amount: '25',
    DeliverMax: '25',
    date: expect.any(Number),
  });
  expect(v2).toMatchObject({
    hash: paid.at(-1),
    ledger_index: last,
    validated: true,
    close_time_iso: expect.stringMatching(/Z$/),
  });
  const { tx_json, meta } = v2 as Record<'tx_json' | 'meta', Json>;
  expect(tx_json).toMatchObject({ DeliverMax: '25', DestinationTag: 24, ledger_index: last, date: tx.date });
  expect(tx_json).not.toHaveProperty('Amount');
  expect(tx_json).not.toHaveProperty('hash');
  expect(meta).toMatchObject({ TransactionResult: 'tesSUCCESS', delivered_amount: '25' });
});

describe('tx', () => {
  const tx = (params: Json) => network.ask('tx', params);
  const refused = (params: Json) => network.refusal('tx', params);

  test('by hash and by its short name (ctid), in API 1, API 2 and binary', async () => {
    const transaction = paid[0]!;
    const v2 = await tx({ transaction });
    const v1 = await tx({ transaction, api_version: 1 });
    expect(v2).toMatchObject({ hash: transaction, validated: true, meta: v1.meta, tx_json: { DeliverMax: '1' } });
    expect(v1).toMatchObject({
      hash: transaction,
      Amount: '1',
      DeliverMax: '1',
      inLedger: v2.ledger_index,
      ctid: v2.ctid,
    });
    expect((await tx({ ctid: v2.ctid })).hash).toBe(transaction);
    const binary = await tx({ transaction, binary: true });
    expect(hashes.hashSignedTx(String(binary.tx_blob))).toBe(transaction);
    const old = await tx({ transaction, binary: true, api_version: 1 });
    expect(old).toMatchObject({ tx: binary.tx_blob, meta: binary.meta_blob });
    const { ledger } = (await network.ask('ledger', { ledger_index: v2.ledger_index })) as { ledger: Json };
    expect(v2).toMatchObject({ ledger_hash: ledger.ledger_hash, close_time_iso: ledger.close_time_iso });
  });

  test('not in a closed ledger yet: no place and no metadata', async () => {
    const hash = await network.apply(payment(alice, bob.classicAddress, XRP), alice);
    const waiting = await tx({ transaction: hash });
    if (waiting.validated === false) expect(Object.keys(waiting).sort()).toEqual(['hash', 'tx_json', 'validated']);
    await network.close();
    expect(await tx({ transaction: hash })).toMatchObject({ validated: true, meta: { delivered_amount: String(XRP) } });
  });

  test('unknown: txnNotFound, with searched_all for a range that is covered or not', async () => {
    const transaction = 'AB'.repeat(32);
    const plain = await refused({ transaction });
    expect(plain).toMatchObject({ error: 'txnNotFound', error_code: 29, error_message: 'Transaction not found.' });
    expect(plain).not.toHaveProperty('searched_all');
    const newest = await network.validatedIndex();
    const covered = { transaction, min_ledger: newest - 1, max_ledger: newest };
    expect(await refused(covered)).toMatchObject({ error: 'txnNotFound', searched_all: true });
    const ahead = { ...covered, max_ledger: newest + 500 };
    expect(await refused(ahead)).toMatchObject({ error: 'txnNotFound', searched_all: false });
  });

  test.each<[Json, Json]>([
    [{}, { error: 'invalidParams', error_code: 31 }],
    [{ transaction: 'AB' }, { error: 'notImpl', error_code: 74 }],
    [{ transaction: 'AB'.repeat(32), ctid: 'C000000200010000' }, { error: 'invalidParams' }],
    [
      { transaction: 'AB'.repeat(32), min_ledger: 5, max_ledger: 2_000 },
      { error: 'excessiveLgrRange', error_code: 78 },
    ],
    [
      { transaction: 'AB'.repeat(32), min_ledger: 9, max_ledger: 5 },
      { error: 'invalidLgrRange', error_code: 79 },
    ],
    [{ ctid: 'C00000020001FFFE' }, { error: 'wrongNetwork', error_code: 4 }],
  ])('%j is refused', async (params, refusal) => {
    expect(await refused(params)).toMatchObject({ status: 'error', ...refusal });
  });
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type Account,
  accountOf,
  fundedLedger,
  type Json,
  multiSigned,
  NETWORK_ID,
  payment,
  type TestLedger,
  XRP,
} from '../../support/xrpl-ledger/test-ledger.ts';

const owner = accountOf('owner');
const ann = accountOf('ann');
const ben = accountOf('ben', 'ecdsa-secp256k1');
const phantom = accountOf('phantom');
const spare = accountOf('spare key', 'ecdsa-secp256k1');
const stranger = accountOf('stranger');
let ledger: TestLedger;
beforeEach(async () => {
  ledger = await fundedLedger(owner, ann, ben);
});
afterEach(() => ledger.close());

const entry = ({ address }: Account, SignerWeight = 1, more: Json = {}) => ({
  SignerEntry: { Account: address, SignerWeight, ...more },
});
const list = (SignerQuorum: number, ...SignerEntries: Json[]): Json => ({
  TransactionType: 'SignerListSet',
  Account: owner.address,
  SignerQuorum,
  ...(SignerEntries.length ? { SignerEntries } : {}),
});
const set = async (json: Json, signer = owner) =>
  (await ledger.submit({ Account: owner.address, ...json }, signer)).engine_result;
async function pay(signers: Parameters<typeof multiSigned>[1], more: Json = {}): Promise<Json> {
  const Sequence = (await ledger.account(owner.address, 'current'))?.Sequence;
  const Fee = String(10 * (1 + signers.length));
  const json = payment(owner, ann, 1, { Sequence, NetworkID: NETWORK_ID, Fee, ...more });
  return ledger.submitBlob(multiSigned(json, signers));
}
const result = async (signers: Parameters<typeof multiSigned>[1], more?: Json) =>
  (await pay(signers, more)).engine_result;

test('a list is set, replaced and deleted, and counts as one owned object', async () => {
  const tag = 'AB'.repeat(32);
  expect(await set(list(2, entry(ben), entry(ann, 2, { WalletLocator: tag }), entry(phantom)))).toBe('tesSUCCESS');
  ledger.controls.close();
  expect(await ledger.account(owner.address)).toMatchObject({ OwnerCount: 1 });
  const found = await ledger.rpc('account_objects', { account: owner.address, type: 'signer_list' });
  const [object] = found.account_objects as Json[];
  expect(object).toMatchObject({
    LedgerEntryType: 'SignerList',
    Flags: 0x00010000,
    SignerListID: 0,
    SignerQuorum: 2,
    OwnerNode: '0',
  });
  expect(object?.SignerEntries).toEqual(expect.arrayContaining([entry(ann, 2, { WalletLocator: tag })]));
  const info = await ledger.rpc('account_info', { account: owner.address, signer_lists: true });
  expect(info.signer_lists).toEqual([expect.objectContaining({ index: object?.index, SignerQuorum: 2 })]);
  expect(await set(list(1, entry(ann)))).toBe('tesSUCCESS');
  ledger.controls.close();
  expect(await ledger.account(owner.address)).toMatchObject({ OwnerCount: 1 });
  expect(await set(list(0))).toBe('tesSUCCESS');
  expect(await set(list(0))).toBe('tesSUCCESS');
  ledger.controls.close();
  expect(await ledger.account(owner.address)).toMatchObject({ OwnerCount: 0 });
});

test.each([
  ['temMALFORMED', 'more than 32 signers', list(1, ...many(33))],
  ['temINVALID_FLAG', 'a flag', { ...list(1, entry(ann)), Flags: 1 }],
  ['tesSUCCESS', '32 signers', list(32, ...many(32))],
])('SignerListSet is answered with %s: %s', async (expected, _when, json) => {
  expect(await set(json)).toBe(expected);
});

function many(count: number): Json[] {
  return Array.from({ length: count }, (_, n) => entry(accountOf(`signer ${n}`)));
}

test('without the reserve there is no list', async () => {
  const poor = accountOf('poor');
  await ledger.fund(poor.address, XRP + 100_000n);
  const answer = await ledger.submit({ ...list(1, entry(ann)), Account: poor.address }, poor);
  expect(answer.engine_result).toBe('tecINSUFFICIENT_RESERVE');
});

test('a quorum of signers pays; every other set of signers is refused', async () => {
  expect(await result([ann])).toBe('tefNOT_MULTI_SIGNING');
  await set(list(3, entry(ann, 2), entry(ben, 1), entry(phantom, 1)));
  expect(await result([ann])).toBe('tefBAD_QUORUM');
  expect(await result([ben, phantom])).toBe('tefBAD_QUORUM');
  expect(await result([ann, ben, stranger])).toBe('tefBAD_SIGNATURE');
  expect(await result([ann, ben], { Fee: '29' })).toBe('telINSUF_FEE_P');
  expect(await result([ann, ben])).toBe('tesSUCCESS');
  expect(await result([ann, phantom])).toBe('tesSUCCESS');
  const last = await pay([ann, ben, phantom]);
  ledger.controls.close();
  const { meta, tx_json } = await ledger.rpc('tx', { transaction: (last.tx_json as Json).hash });
  expect(meta).toMatchObject({ TransactionResult: 'tesSUCCESS', delivered_amount: '1' });
  expect(tx_json).toMatchObject({ SigningPubKey: '', Fee: '40' });
});

test('a signer signs with its regular key, and not with a disabled master key', async () => {
  await set(list(1, entry(ann)));
  const bySpare = { for: ann.address, key: spare };
  expect(await result([bySpare])).toBe('tefBAD_SIGNATURE');
  await ledger.submit({ TransactionType: 'SetRegularKey', Account: ann.address, RegularKey: spare.address }, ann);
  expect(await result([bySpare])).toBe('tesSUCCESS');
  await ledger.submit({ TransactionType: 'AccountSet', Account: ann.address, SetFlag: 4 }, ann);
  expect(await result([ann])).toBe('tefMASTER_DISABLED');
  expect(await result([{ for: phantom.address, key: phantom }])).toBe('tefBAD_SIGNATURE');
});

test('a list is an alternative to the master key', async () => {
  await set(list(1, entry(ann)));
  expect(await set({ TransactionType: 'AccountSet', SetFlag: 4 })).toBe('tesSUCCESS');
  ledger.controls.close();
  const json = { ...list(0), Fee: '20', NetworkID: NETWORK_ID };
  const Sequence = (await ledger.account(owner.address))?.Sequence;
  const answer = await ledger.submitBlob(multiSigned({ ...json, Sequence }, [ann]));
  expect(answer.engine_result).toBe('tecNO_ALTERNATIVE_KEY');
});

test.each([
  ['Unsorted Signers array.', (signers: Json[]) => signers.toReversed()],
  ['Duplicate Signers not allowed.', ([first]: Json[]) => [first, first]],
  ['Invalid Signers array size.', () => []],
])('a blob with %s never reaches the ledger', async (message, change) => {
  const { encode, decode } = await import('ripple-binary-codec');
  await set(list(1, entry(ann), entry(ben)));
  const Sequence = (await ledger.account(owner.address, 'current'))?.Sequence;
  const json = payment(owner, ann, 1, { Sequence, NetworkID: NETWORK_ID, Fee: '30' });
  const tx = decode(multiSigned(json, [ann, ben])) as Json;
  const answer = await ledger.submitBlob(encode({ ...tx, Signers: change(tx.Signers as Json[]) }));
  expect(answer).toMatchObject({ error: 'invalidTransaction', error_exception: `fails local checks: ${message}` });
});

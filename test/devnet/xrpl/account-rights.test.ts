import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  accountOf,
  fundedLedger,
  genesis,
  type Json,
  payment,
  type TestLedger,
  XRP,
} from '../../support/xrpl-ledger/test-ledger.ts';

const alice = accountOf('alice');
const bob = accountOf('bob', 'ecdsa-secp256k1');
const carol = accountOf('carol');
const key = accountOf('regular key');
let ledger: TestLedger;
beforeEach(async () => {
  ledger = await fundedLedger(alice, bob, carol);
});
afterEach(() => ledger.close());

const submit = async (json: Json, signer = alice) =>
  (await ledger.submit({ Account: signer.address, ...json }, signer)).engine_result;
const flags = async (address = alice.address) =>
  (await ledger.rpc('account_info', { account: address, ledger_index: 'current' })).account_flags as Record<
    string,
    boolean
  >;

test('the master key resets the regular key once without a fee; a payment allows it again', async () => {
  const reset = (Fee: string, signer = alice) =>
    submit({ TransactionType: 'SetRegularKey', Account: alice.address, RegularKey: key.address, Fee }, signer);
  expect(await reset('0')).toBe('tesSUCCESS');
  expect((await flags()).passwordSpent).toBe(true);
  expect(await reset('0')).toBe('telINSUF_FEE_P');
  expect(await reset('10')).toBe('tesSUCCESS');
  await ledger.submit(payment(bob, alice, 1), bob);
  expect((await flags()).passwordSpent).toBe(false);
  expect(await reset('0', key)).toBe('telINSUF_FEE_P');
  expect(await reset('0')).toBe('tesSUCCESS');
});

test('DepositPreauth lets a depositor pass DepositAuth, until it is taken back', async () => {
  const preauth = (json: Json) => submit({ TransactionType: 'DepositPreauth', ...json });
  await submit({ TransactionType: 'AccountSet', SetFlag: 9 });
  expect(await submit(payment(bob, alice, XRP), bob)).toBe('tecNO_PERMISSION');
  expect(await preauth({ Authorize: bob.address })).toBe('tesSUCCESS');
  expect(await preauth({ Authorize: bob.address })).toBe('tecDUPLICATE');
  expect(await submit(payment(bob, alice, XRP), bob)).toBe('tesSUCCESS');
  expect(await submit(payment(carol, alice, XRP), carol)).toBe('tecNO_PERMISSION');
  ledger.controls.close();
  expect(await ledger.account(alice.address)).toMatchObject({ OwnerCount: 1 });
  expect(await preauth({ Unauthorize: bob.address })).toBe('tesSUCCESS');
  expect(await preauth({ Unauthorize: bob.address })).toBe('tecNO_ENTRY');
  expect(await submit(payment(bob, alice, XRP), bob)).toBe('tecNO_PERMISSION');
  ledger.controls.close();
  expect(await ledger.account(alice.address)).toMatchObject({ OwnerCount: 0 });
});

const credential = { Credential: { Issuer: carol.address, CredentialType: 'AB' } };

/** Closes ledgers until the account is old enough to be deleted. */
const grow = (ledgers = 270) => {
  for (let n = 0; n < ledgers; n++) ledger.controls.close();
};
const remove = (json: Json = {}) =>
  submit({ TransactionType: 'AccountDelete', Destination: bob.address, Fee: '200000', ...json });

test('AccountDelete moves everything to the destination and leaves only the history', async () => {
  expect(await remove()).toBe('tecTOO_SOON');
  await submit({ TransactionType: 'TicketCreate', TicketCount: 2 });
  await submit({ TransactionType: 'DepositPreauth', Authorize: carol.address });
  await submit({
    TransactionType: 'SignerListSet',
    SignerQuorum: 1,
    SignerEntries: [{ SignerEntry: { Account: carol.address, SignerWeight: 1 } }],
  });
  grow();
  expect(await remove({ Fee: '199999' })).toBe('telINSUF_FEE_P');
  const [had, before] = [await ledger.balance(alice.address), await ledger.balance(bob.address)];
  const answer = await ledger.submit(
    { TransactionType: 'AccountDelete', Account: alice.address, Destination: bob.address, Fee: '200000' },
    alice,
  );
  expect(answer.engine_result).toBe('tesSUCCESS');
  const sent = String(had - 200_000n);
  ledger.controls.close();
  expect(await ledger.account(alice.address)).toBeUndefined();
  expect(await ledger.balance(bob.address)).toBe(before + BigInt(sent));
  const { meta } = await ledger.rpc('tx', { transaction: (answer.tx_json as Json).hash });
  expect(meta).toMatchObject({ DeliveredAmount: sent, delivered_amount: sent });
  const nodes = (meta as { AffectedNodes: Record<string, Json>[] }).AffectedNodes;
  const deleted = nodes.flatMap(node => (node.DeletedNode ? [node.DeletedNode as Json] : []));
  expect(deleted.map(node => node.LedgerEntryType).toSorted()).toEqual([
    'AccountRoot',
    'DepositPreauth',
    'DirectoryNode',
    'SignerList',
    'Ticket',
    'Ticket',
  ]);
  expect(deleted.find(node => node.LedgerEntryType === 'AccountRoot')).toMatchObject({
    FinalFields: { Account: alice.address, Balance: '0', OwnerCount: 0 },
    PreviousFields: { Balance: had.toString(), OwnerCount: 4 },
  });
  const { account_data } = await ledger.rpc('account_info', { account: bob.address });
  expect(account_data).toMatchObject({ Balance: String(before + BigInt(sent)) });
  const { transactions } = await ledger.rpc('account_tx', { account: alice.address, limit: 1 });
  expect((transactions as Json[])[0]).toMatchObject({ tx_json: { TransactionType: 'AccountDelete' } });
});

test('a deleted account comes back by a payment, with a Sequence that it never used', async () => {
  grow();
  const used = Number((await ledger.account(alice.address))?.Sequence);
  expect(await remove()).toBe('tesSUCCESS');
  ledger.controls.close();
  expect(await submit(payment(alice, bob, 1))).toBe('terNO_ACCOUNT');
  await ledger.fund(alice.address, 10n * XRP);
  expect(Number((await ledger.account(alice.address))?.Sequence)).toBeGreaterThan(used + 255);
});

test.each([
  ['temMALFORMED', 'DepositPreauth', { Authorize: bob.address, Unauthorize: bob.address }],
  ['temDISABLED', 'DepositPreauth', { AuthorizeCredentials: [credential] }],
  ['temDISABLED', 'AccountDelete', { Destination: bob.address, Fee: '200000', CredentialIDs: ['AB'.repeat(32)] }],
])('%s for a %s with %j', async (expected, TransactionType, json) => {
  expect(await submit({ TransactionType, ...json })).toBe(expected);
});

test('an authorised account is deleted into one with DepositAuth, and with a tag into a strict one', async () => {
  await submit({ TransactionType: 'AccountSet', SetFlag: 9 }, bob);
  await submit({ TransactionType: 'AccountSet', SetFlag: 1 }, bob);
  await submit({ TransactionType: 'DepositPreauth', Authorize: alice.address }, bob);
  grow();
  expect(await remove({ DestinationTag: 0 })).toBe('tesSUCCESS');
  expect(await ledger.account(genesis.address)).toBeDefined();
});

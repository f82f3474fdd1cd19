import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Result, resultFields } from '../../../src/devnet/xrpl/results.ts';
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
const bob = accountOf('bob');
const nobody = accountOf('nobody');
const strict = accountOf('wants tags');
const shy = accountOf('deposit auth');
const poor = accountOf('poor');
const ZERO = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';
let ledger: TestLedger;
beforeAll(async () => {
  ledger = await fundedLedger(alice, bob, strict, shy);
  await ledger.fund(poor.address, 20n * XRP);
  await ledger.submit({ TransactionType: 'AccountSet', Account: strict.address, SetFlag: 1 }, strict);
  await ledger.submit({ TransactionType: 'AccountSet', Account: shy.address, SetFlag: 9 }, shy);
  ledger.controls.close();
});
afterAll(() => ledger.close());

const pay = (more: Json = {}) => payment(alice, bob, 1, more);
const usd = { currency: 'USD', issuer: bob.address, value: '1' };
const account = (json: Json) => ({ TransactionType: 'AccountSet', Account: alice.address, ...json });
const tickets = (TicketCount: number) => ({ TransactionType: 'TicketCreate', Account: alice.address, TicketCount });

const ROWS: [Result, string, Json, typeof alice?][] = [
  ['tecUNFUNDED_PAYMENT', 'more than the balance less the reserve', pay({ Amount: String(100n * XRP) })],
  ['tecNO_DST_INSUF_XRP', 'too little to create an account', payment(alice, nobody, 999_999)],
  ['tecNO_DST', 'tokens to nobody', { ...payment(alice, nobody, 1), Amount: usd }],
  ['tecDST_TAG_NEEDED', 'no tag where one is required', payment(alice, strict, 1)],
  ['tecNO_PERMISSION', 'to one that takes no deposits', payment(alice, shy, 1)],
  ['tecINSUFFICIENT_RESERVE', 'more tickets than the reserve allows', { ...tickets(250), Account: poor.address }, poor],
  ['tecDIR_FULL', 'more than 250 tickets', { ...tickets(250), Account: genesis.address }, genesis],
  ['tecNO_ALTERNATIVE_KEY', 'master key disabled without another one', account({ SetFlag: 4 })],
  ['tefPAST_SEQ', 'a Sequence that was used', pay({ Sequence: 1 })],
  ['tefMAX_LEDGER', 'LastLedgerSequence has passed', pay({ LastLedgerSequence: 2 })],
  ['tefBAD_AUTH', "another account's key", pay(), bob],
  ['tefNO_TICKET', 'a ticket that was never made', pay({ Sequence: 0, TicketSequence: 1 })],
  ['tefWRONG_PRIOR', 'another predecessor', pay({ AccountTxnID: 'AB'.repeat(32) })],
  ['terPRE_SEQ', 'a Sequence to come', pay({ Sequence: 9_999 })],
  ['terPRE_TICKET', 'a ticket to come', pay({ Sequence: 0, TicketSequence: 9_999 })],
  ['terNO_ACCOUNT', 'no such source', payment(nobody, bob, 1), nobody],
  ['terINSUF_FEE_B', 'a fee above the balance', pay({ Fee: String(500n * XRP) })],
  ['telINSUF_FEE_P', 'less than the base fee', pay({ Fee: '9' })],
  ['telWRONG_NETWORK', 'another network', pay({ NetworkID: 5_000 })],
  ['telBAD_DOMAIN', 'a Domain of 257 bytes', account({ Domain: 'AB'.repeat(257) })],
  ['telBAD_PUBLIC_KEY', 'a message key that is none', account({ MessageKey: 'ABCD' })],
  ['temBAD_AMOUNT', 'nothing', pay({ Amount: '0' })],
  ['temBAD_AMOUNT', 'DeliverMin without partial payment', pay({ DeliverMin: '1' })],
  ['temBAD_SEND_XRP_PARTIAL', 'partial payment of XRP', pay({ Flags: 0x00020000 })],
  ['temBAD_SEND_XRP_NO_DIRECT', 'no direct path for XRP', pay({ Flags: 0x00010000 })],
  ['temBAD_SEND_XRP_LIMIT', 'limit quality for XRP', pay({ Flags: 0x00040000 })],
  ['temBAD_SEND_XRP_MAX', 'SendMax for XRP', pay({ SendMax: '5' })],
  ['temBAD_SEND_XRP_PATHS', 'paths for XRP', pay({ Paths: [[{ account: bob.address, type: 1 }]] })],
  ['temREDUNDANT', 'to itself', payment(alice, alice, 1)],
  ['temDST_NEEDED', 'to the zero account', payment(alice, ZERO, 1)],
  ['temBAD_FEE', 'a fee in tokens', pay({ Fee: usd })],
  ['temSEQ_AND_TICKET', 'a Sequence and a ticket', pay({ TicketSequence: 1 })],
  ['temINVALID', 'a ticket and a predecessor', pay({ Sequence: 0, TicketSequence: 1, AccountTxnID: 'AB'.repeat(32) })],
  ['temINVALID_FLAG', 'a flag that is none', pay({ Flags: 1 })],
  ['temINVALID_FLAG', 'the flag of an inner transaction', pay({ Flags: 0x40000000 })],
  ['temINVALID_FLAG', 'set and clear the same', account({ SetFlag: 1, ClearFlag: 1 })],
  ['temINVALID_FLAG', 'contradicting flags', account({ SetFlag: 1, Flags: 0x00020000 })],
  ['temINVALID_COUNT', 'no ticket', tickets(0)],
  ['temINVALID_COUNT', '251 tickets', tickets(251)],
  ['temBAD_SRC_ACCOUNT', 'from the zero account', payment(ZERO, bob, 1)],
  ['temBAD_TRANSFER_RATE', 'a rate below one', account({ TransferRate: 999_999_999 })],
  ['temBAD_TICK_SIZE', 'a tick size of 2', account({ TickSize: 2 })],
  ['temMALFORMED', 'a minter flag without a minter', account({ SetFlag: 10 })],
  [
    'temBAD_REGKEY',
    'the master key as regular key',
    { TransactionType: 'SetRegularKey', Account: alice.address, RegularKey: alice.address },
  ],
  [
    'temDISABLED',
    'a type that is not offered',
    { TransactionType: 'CheckCancel', Account: alice.address, CheckID: 'AB'.repeat(32) },
  ],
];

test.each(ROWS)('XRPL-4.2 %s: %s', async (result, _why, json, signer = alice) => {
  if (result === 'tecDIR_FULL') {
    await ledger.submit({ ...tickets(1), Account: genesis.address }, genesis);
    ledger.controls.close();
  }
  const address = String(json.Account);
  const before = await ledger.account(address);
  const answer = await ledger.submit(json, signer);
  expect(answer).toMatchObject(resultFields(result));
  expect(answer.applied).toBe(result.startsWith('tec'));
  ledger.controls.close();
  const fee = result.startsWith('tec') ? BigInt(String(json.Fee ?? 10)) : 0n;
  const used = result.startsWith('tec') ? 1 : 0;
  const after = await ledger.account(address);
  expect(BigInt(String(after?.Balance ?? 0))).toBe(BigInt(String(before?.Balance ?? 0)) - fee);
  expect(Number(after?.Sequence ?? 0)).toBe(Number(before?.Sequence ?? 0) + used);
  expect(after?.OwnerCount).toBe(before?.OwnerCount);
});

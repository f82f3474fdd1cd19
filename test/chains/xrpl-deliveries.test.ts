import { describe, expect, it } from 'vitest';
import { deliveriesOf, escrowedIn, type XrplMetadata, type XrplTransaction } from '../../src/chains/xrpl/account.ts';

/** Deliveries of foreign networks in other ways than by a plain payment. The forms are those of rippled's metadata. */

const [ROBOT, OTHER, OWNER] = ['rRobot', 'rOther', 'rOwner'];

const accountRoot = (Account: string, before: number, after: number) => ({
  ModifiedNode: {
    LedgerEntryType: 'AccountRoot',
    FinalFields: { Account, Balance: String(after) },
    PreviousFields: { Balance: String(before) },
  },
});
const deleted = (LedgerEntryType: string, FinalFields: object) => ({ DeletedNode: { LedgerEntryType, FinalFields } });
const succeeded = (AffectedNodes: object[], others: object = {}): XrplMetadata =>
  ({ TransactionResult: 'tesSUCCESS', AffectedNodes, ...others }) as XrplMetadata;
const linesOf = (transaction: XrplTransaction, meta: XrplMetadata) =>
  deliveriesOf(transaction, meta).map(
    ({ index, from, to, amount, via }) =>
      `${index} ${from} ${to.account}:${to.tag ?? 'none'} ${amount} ${via ?? 'payment'}`,
  );

describe('deliveries', () => {
  const payment = { TransactionType: 'Payment', Account: OTHER, Destination: ROBOT, DestinationTag: 7, Fee: '10' };

  it('of a partial payment are what was delivered', () => {
    const nodes = [accountRoot(ROBOT, 100, 130), accountRoot(OTHER, 900, 860)];
    const meta = succeeded(nodes, { delivered_amount: '30' });
    expect(linesOf({ ...payment, Amount: '500' } as XrplTransaction, meta)).toEqual([
      `0 ${OTHER} ${ROBOT}:7 30 payment`,
    ]);
  });

  it.each([
    ['in an issued currency', { delivered_amount: { currency: 'USD', value: '5', issuer: OWNER } }],
    ['that is not known', { delivered_amount: 'unavailable' }],
  ])('of a payment %s are none', (_, meta) => {
    expect(linesOf(payment, succeeded([], meta))).toEqual([]);
  });

  it('of a transaction that failed are none', () => {
    const meta = { ...succeeded([], { delivered_amount: '30' }), TransactionResult: 'tecPATH_PARTIAL' };
    expect(linesOf(payment, meta)).toEqual([]);
  });

  it('of AccountDelete are the rest of the account', () => {
    const transaction = { ...payment, TransactionType: 'AccountDelete', Fee: '200000' };
    const meta = succeeded(
      [accountRoot(ROBOT, 100, 800_100), deleted('AccountRoot', { Account: OTHER, Balance: '0' })],
      { delivered_amount: '800000' },
    );
    expect(linesOf(transaction, meta)).toEqual([`0 ${OTHER} ${ROBOT}:7 800000 AccountDelete`]);
  });

  it('of EscrowFinish have sender and tag of the escrow, whoever finishes it', () => {
    const transaction = { TransactionType: 'EscrowFinish', Account: OTHER, Fee: '10' };
    const escrow = deleted('Escrow', { Account: OWNER, Destination: ROBOT, DestinationTag: 9 });
    const meta = succeeded([escrow, accountRoot(ROBOT, 100, 600), accountRoot(OTHER, 900, 890)]);
    expect(linesOf(transaction, meta)).toEqual([`0 ${OWNER} ${ROBOT}:9 500 EscrowFinish`]);
  });

  it('of EscrowCreate are none: the money is locked', () => {
    const transaction = { ...payment, TransactionType: 'EscrowCreate', Amount: '500' };
    const meta = succeeded([accountRoot(OTHER, 900, 390)]);
    expect(linesOf(transaction, meta)).toEqual([]);
    expect(escrowedIn(transaction, meta)).toEqual({ to: { account: ROBOT, tag: 7 }, amount: 500n });
    expect(escrowedIn(transaction, { ...meta, TransactionResult: 'tecUNFUNDED' })).toBeUndefined();
    expect(escrowedIn({ ...payment, Amount: '500' }, meta)).toBeUndefined();
  });

  it('of CheckCash to the account that sends it are counted without its fee', () => {
    const transaction = { TransactionType: 'CheckCash', Account: ROBOT, Fee: '10' };
    const check = deleted('Check', { Account: OWNER, Destination: ROBOT });
    const meta = succeeded([check, accountRoot(ROBOT, 100, 590), accountRoot(OWNER, 900, 400)]);
    expect(linesOf(transaction, meta)).toEqual([`0 ${OWNER} ${ROBOT}:none 500 CheckCash`]);
  });

  it('of a transaction that only costs a fee are none', () => {
    const transaction = { TransactionType: 'AccountSet', Account: ROBOT, Fee: '10' };
    expect(linesOf(transaction, succeeded([accountRoot(ROBOT, 100, 90)]))).toEqual([]);
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import { hashes } from 'xrpl';
import { type Account, accountOf, type Json, payment, XRP } from '../../support/xrpl-ledger/test-ledger.ts';
import { alice, bob, maker, usd, useTokenWorld } from '../../support/xrpl-ledger/token-world.ts';

const world = useTokenWorld();
const { settled, countOf, set } = world;
const AMOUNT = String(10n * XRP);
const HOUR = 3_600;

/** The parent close time of the open ledger. */
let now: number;
beforeEach(async () => {
  now = await closeTime();
});

async function closeTime(): Promise<number> {
  const { ledger } = (await world.ledger.rpc('ledger', { ledger_index: 'validated' })) as { ledger: Json };
  return ledger.close_time as number;
}

async function passes(time: number): Promise<void> {
  while ((await closeTime()) <= time) world.ledger.controls.close();
  await world.checkFromHere();
}

const terms = (more: Json = {}): Json => ({
  TransactionType: 'EscrowCreate',
  Destination: bob.address,
  Amount: AMOUNT,
  FinishAfter: now + 100,
  ...more,
});

/** Returns the Sequence of the escrow. */
async function created(more: Json = {}, by: Account = alice): Promise<number> {
  const sequence = (await world.ledger.account(by.address, 'current'))?.Sequence as number;
  expect((await settled(by, terms(more))).result).toBe('tesSUCCESS');
  return sequence;
}

const finish = (by: Account, OfferSequence: number, more: Json = {}) =>
  settled(by, { TransactionType: 'EscrowFinish', Owner: alice.address, OfferSequence, ...more });
const cancel = (by: Account, OfferSequence: number) =>
  settled(by, { TransactionType: 'EscrowCancel', Owner: alice.address, OfferSequence });

describe('EscrowCreate', () => {
  test('locks the amount, counts for the reserve of its owner, and stands with both accounts', async () => {
    const before = await world.ledger.balance(alice.address);
    const sequence = await created({ DestinationTag: 0, SourceTag: 7, CancelAfter: now + HOUR });
    expect(await world.ledger.balance(alice.address)).toBe(before - 10n * XRP - 10n);
    expect([await countOf(alice), await countOf(bob)]).toEqual([1, 0]);
    const entry = {
      LedgerEntryType: 'Escrow',
      Account: alice.address,
      Destination: bob.address,
      Amount: AMOUNT,
      DestinationTag: 0,
      SourceTag: 7,
      FinishAfter: now + 100,
      CancelAfter: now + HOUR,
      index: hashes.hashEscrow(alice.address, sequence),
    };
    for (const { address } of [alice, bob]) {
      const owned = await world.ledger.rpc('account_objects', { account: address, type: 'escrow' });
      expect(owned).toMatchObject({ account_objects: [entry] });
    }
    const escrow = { owner: alice.address, seq: sequence };
    expect(await world.ledger.rpc('ledger_entry', { escrow })).toMatchObject({ node: entry });
    const { transactions } = (await world.ledger.rpc('account_tx', { account: bob.address })) as {
      transactions: Json[];
    };
    expect(transactions[0]).toMatchObject({ tx_json: { TransactionType: 'EscrowCreate' } });
  });

  test.each<[string, (at: number) => Json]>([
    ['temBAD_AMOUNT', () => ({ Amount: '0' })],
    ['temBAD_AMOUNT', () => ({ Amount: usd(1) })],
    ['temBAD_EXPIRATION', () => ({ FinishAfter: undefined })],
    ['temBAD_EXPIRATION', at => ({ CancelAfter: at + 100 })],
    ['temMALFORMED', at => ({ FinishAfter: undefined, CancelAfter: at + 100 })],
    ['temDISABLED', () => ({ Condition: `A0258020${'AB'.repeat(32)}810120` })],
    ['temINVALID_FLAG', () => ({ Flags: 0x00010000 })],
    ['tecNO_DST', () => ({ Destination: accountOf('nobody').address })],
    ['tecNO_PERMISSION', at => ({ FinishAfter: at - 1 })],
    ['tecNO_PERMISSION', at => ({ FinishAfter: at - 2, CancelAfter: at - 1 })],
    ['tecUNFUNDED', () => ({ Amount: String(99n * XRP) })],
    ['tesSUCCESS', at => ({ FinishAfter: at })],
    ['tesSUCCESS', () => ({ Destination: alice.address })],
  ])('%s for %o', async (result, more) => {
    expect((await settled(alice, terms(more(now)))).result).toBe(result);
  });

  test('tecINSUFFICIENT_RESERVE without the reserve for one more entry', async () => {
    const poor = accountOf('poor');
    await settled(alice, payment(alice, poor, XRP + 100_000n));
    expect((await settled(poor, terms({ Amount: '1' }))).result).toBe('tecINSUFFICIENT_RESERVE');
  });

  test('tecDST_TAG_NEEDED where the destination wants a tag', async () => {
    await set(bob, { SetFlag: 1 });
    expect((await settled(alice, terms())).result).toBe('tecDST_TAG_NEEDED');
    expect((await settled(alice, terms({ DestinationTag: 0 }))).result).toBe('tesSUCCESS');
  });

  test('with a ticket it has the number of the ticket', async () => {
    const first = ((await world.ledger.account(alice.address))?.Sequence as number) + 1;
    await settled(alice, { TransactionType: 'TicketCreate', TicketCount: 1 });
    await settled(alice, terms({ Sequence: 0, TicketSequence: first }));
    await passes(now + 100);
    expect((await finish(bob, first)).result).toBe('tesSUCCESS');
  });

  test('neither side can be deleted', async () => {
    await created({ FinishAfter: now + 1_000_000 });
    for (let n = 0; n < 260; n++) world.ledger.controls.close();
    await world.checkFromHere();
    for (const [by, to] of [
      [alice, maker],
      [bob, maker],
    ] as const) {
      const remove = { TransactionType: 'AccountDelete', Destination: to.address, Fee: '200000' };
      expect((await settled(by, remove)).result).toBe('tecHAS_OBLIGATIONS');
    }
    const wish = { account: bob.address, deletion_blockers_only: true };
    expect(await world.ledger.rpc('account_objects', wish)).toMatchObject({
      account_objects: [{ LedgerEntryType: 'Escrow' }],
    });
  });
});

describe('EscrowFinish', () => {
  test('pays the destination after its time, whoever sends it', async () => {
    const sequence = await created({ DestinationTag: 9 });
    expect((await finish(maker, sequence)).result).toBe('tecNO_PERMISSION');
    await passes(now + 100);
    const before = await world.ledger.balance(bob.address);
    const { result, meta } = await finish(maker, sequence);
    expect(result).toBe('tesSUCCESS');
    expect(await world.ledger.balance(bob.address)).toBe(before + 10n * XRP);
    expect(await countOf(alice)).toBe(0);
    const deleted = (meta.AffectedNodes as Record<string, Json>[]).find(node => node.DeletedNode);
    expect(deleted?.DeletedNode).toMatchObject({
      LedgerEntryType: 'Escrow',
      FinalFields: { Account: alice.address, Destination: bob.address, DestinationTag: 9, Amount: AMOUNT },
    });
    expect(meta).not.toHaveProperty('delivered_amount');
    expect((await finish(maker, sequence)).result).toBe('tecNO_TARGET');
  });

  test('is too early in the very second of FinishAfter, and too late after CancelAfter', async () => {
    const next = now + 20;
    const sequence = await created({ FinishAfter: next, CancelAfter: next + 30 });
    while ((await closeTime()) < next) world.ledger.controls.close();
    await world.checkFromHere();
    expect([await closeTime(), (await finish(bob, sequence)).result]).toEqual([next, 'tecNO_PERMISSION']);
    await passes(next + 30);
    expect((await finish(bob, sequence)).result).toBe('tecNO_PERMISSION');
    expect((await cancel(maker, sequence)).result).toBe('tesSUCCESS');
  });

  test('DepositAuth of the destination admits itself and those it authorised', async () => {
    const [first, second] = [await created(), await created()];
    await set(bob, { SetFlag: 9 });
    await passes(now + 100);
    expect((await finish(alice, first)).result).toBe('tecNO_PERMISSION');
    expect((await finish(bob, first)).result).toBe('tesSUCCESS');
    await settled(bob, { TransactionType: 'DepositPreauth', Authorize: maker.address });
    expect((await finish(maker, second)).result).toBe('tesSUCCESS');
  });
});

test('a finish with a condition is temDISABLED', async () => {
  const sequence = await created();
  await passes(now + 100);
  const shown = { Condition: `A0258020${'AB'.repeat(32)}810120`, Fulfillment: 'A0028000', Fee: '1000' };
  expect((await finish(bob, sequence, shown)).result).toBe('temDISABLED');
});

describe('EscrowCancel', () => {
  test('returns the amount to the owner after CancelAfter, whoever sends it', async () => {
    const before = await world.ledger.balance(alice.address);
    const sequence = await created({ CancelAfter: now + 200 });
    expect((await cancel(maker, sequence)).result).toBe('tecNO_PERMISSION');
    await passes(now + 200);
    expect((await cancel(maker, sequence)).result).toBe('tesSUCCESS');
    expect(await world.ledger.balance(alice.address)).toBe(before - 10n);
    expect((await cancel(maker, sequence)).result).toBe('tecNO_TARGET');
  });

  test('tecNO_PERMISSION for an escrow that is never cancelled', async () => {
    const sequence = await created();
    await passes(now + 100);
    expect((await cancel(alice, sequence)).result).toBe('tecNO_PERMISSION');
  });
});

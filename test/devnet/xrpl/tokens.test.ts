import { describe, expect, test } from 'vitest';
import { accountOf, type Json, XRP } from '../../support/xrpl-ledger/test-ledger.ts';
import { alice, bob, issuer, PARTIAL, usd, useTokenWorld } from '../../support/xrpl-ledger/token-world.ts';

const world = useTokenWorld();
const { settled, trust, pay, set, held, countOf, circulating } = world;

const RLUSD = '524C555344000000000000000000000000000000';

describe('TrustSet', () => {
  test('creates a line, changes it, and deletes it at its default', async () => {
    const created = await trust(alice, 100);
    expect(created.result).toBe('tesSUCCESS');
    expect(await countOf(alice)).toBe(1);
    expect(await countOf(issuer)).toBe(0);
    expect(created.meta.AffectedNodes).toEqual(
      expect.arrayContaining([
        { CreatedNode: expect.objectContaining({ LedgerEntryType: 'RippleState' }) },
        // The issuer is only linked to the transaction.
        {
          ModifiedNode: {
            LedgerEntryType: 'AccountRoot',
            LedgerIndex: expect.any(String),
            PreviousTxnID: expect.any(String),
            PreviousTxnLgrSeq: expect.any(Number),
          },
        },
      ]),
    );
    expect((await trust(alice, 200)).result).toBe('tesSUCCESS');
    // Rippling is off by default, and was on for this line.
    expect((await trust(alice, 0)).result).toBe('tesSUCCESS');
    expect(await countOf(alice)).toBe(1);
    expect((await trust(alice, 0, { Flags: 0x00020000 })).result).toBe('tesSUCCESS');
    expect(await countOf(alice)).toBe(0);
    expect(await held(alice)).toBeUndefined();
  });

  test.each<[string, Json]>([
    ['temBAD_LIMIT', { LimitAmount: '100' }],
    ['temBAD_LIMIT', { LimitAmount: usd(-1) }],
    ['temDST_IS_SRC', { LimitAmount: { ...usd(1), issuer: alice.address } }],
    ['tecNO_DST', { LimitAmount: { ...usd(1), issuer: accountOf('nobody').address } }],
    ['tecNO_LINE_REDUNDANT', { LimitAmount: usd(0) }],
    ['tefNO_AUTH_REQUIRED', { LimitAmount: usd(1), Flags: 0x00010000 }],
    ['temINVALID_FLAG', { LimitAmount: usd(1), Flags: 0x00400000 }],
  ])('%s for %j', async (result, json) => {
    expect((await settled(alice, { TransactionType: 'TrustSet', ...json })).result).toBe(result);
  });

  test('DisallowIncomingTrustline of the issuer refuses a new line', async () => {
    await set(issuer, { SetFlag: 15 });
    expect((await trust(alice, 1)).result).toBe('tecNO_PERMISSION');
  });

  test('an account without the reserve for a third line gets none', async () => {
    const poor = accountOf('poor');
    await world.ledger.fund(poor.address, XRP + 300_000n);
    world.ledger.controls.close();
    await world.checkFromHere();
    const lines = ['AAA', 'BBB', 'CCC'].map(currency => usd(1, currency));
    const results = [];
    for (const LimitAmount of lines)
      results.push((await settled(poor, { TransactionType: 'TrustSet', LimitAmount })).result);
    expect(results).toEqual(['tesSUCCESS', 'tesSUCCESS', 'tecNO_LINE_INSUF_RESERVE']);
  });
});

describe('a payment of tokens', () => {
  test('is issued, passed on, and redeemed', async () => {
    await circulating();
    expect((await pay(alice, bob, usd(30))).result).toBe('tesSUCCESS');
    expect([await held(alice), await held(bob)]).toEqual(['70', '30']);
    expect((await pay(bob, issuer, usd(30))).result).toBe('tesSUCCESS');
    expect(await held(bob)).toBe('0');
    expect(await world.ledger.rpc('gateway_balances', { account: issuer.address })).toMatchObject({
      obligations: { USD: '70' },
    });
  });

  test('of a code of 40 digits, as RLUSD has it', async () => {
    await settled(alice, { TransactionType: 'TrustSet', LimitAmount: usd(1000, RLUSD) });
    expect((await pay(issuer, alice, usd('12.34', RLUSD))).result).toBe('tesSUCCESS');
    const { lines } = (await world.ledger.rpc('account_lines', { account: alice.address })) as { lines: Json[] };
    expect(lines).toMatchObject([{ currency: RLUSD, balance: '12.34', limit: '1000' }]);
  });

  test('to somebody without a trust line, or beyond its limit, is tecPATH_DRY or partial', async () => {
    expect((await pay(issuer, alice, usd(1))).result).toBe('tecPATH_DRY');
    await trust(alice, 10);
    expect((await pay(issuer, alice, usd(11))).result).toBe('tecPATH_PARTIAL');
    const partial = await pay(issuer, alice, usd(11), { Flags: PARTIAL });
    expect(partial.result).toBe('tesSUCCESS');
    expect(partial.meta).toMatchObject({ DeliveredAmount: usd(10), delivered_amount: usd(10) });
    expect((await pay(issuer, alice, usd(1))).result).toBe('tecPATH_DRY');
  });

  test('does not pass through an issuer that has not switched rippling on', async () => {
    for (const holder of [alice, bob]) await trust(holder, 1_000);
    await pay(issuer, alice, usd(100));
    expect((await pay(alice, bob, usd(1))).result).toBe('tecPATH_DRY');
  });

  test('of more than the sender has is tecPATH_PARTIAL, and goes in part with the flag', async () => {
    await circulating(50);
    expect((await pay(alice, bob, usd(60))).result).toBe('tecPATH_PARTIAL');
    expect((await pay(alice, bob, usd(60), { Flags: PARTIAL, DeliverMin: usd(55) })).result).toBe('tecPATH_PARTIAL');
    const { meta } = await pay(alice, bob, usd(60), { Flags: PARTIAL, DeliverMin: usd(50) });
    expect(meta.delivered_amount).toEqual(usd(50));
    expect((await pay(alice, bob, usd(1))).result).toBe('tecPATH_DRY');
  });

  test('pays the fee of the issuer', async () => {
    await circulating(100);
    await set(issuer, { TransferRate: 1_100_000_000 });
    expect((await pay(alice, bob, usd(50))).result).toBe('tecPATH_PARTIAL');
    expect((await pay(alice, bob, usd(50), { SendMax: usd(55) })).result).toBe('tesSUCCESS');
    expect([await held(alice), await held(bob)]).toEqual(['45', '50']);
  });

  test('stops at a freeze, but goes back to the issuer', async () => {
    await circulating(100);
    await settled(issuer, {
      TransactionType: 'TrustSet',
      LimitAmount: { ...usd(0), issuer: alice.address },
      Flags: 0x00100000,
    });
    expect((await pay(alice, bob, usd(1))).result).toBe('tecPATH_DRY');
    expect((await pay(alice, issuer, usd(1))).result).toBe('tesSUCCESS');
  });

  test('with paths, or of a token for another token, is temDISABLED', async () => {
    await circulating();
    const Paths = [[{ currency: 'XRP' }]];
    expect((await pay(alice, bob, usd(1), { SendMax: usd(2), Paths })).result).toBe('temDISABLED');
    expect((await pay(alice, bob, usd(1), { SendMax: usd(2, 'EUR') })).result).toBe('temDISABLED');
  });
});

import { describe, expect, test } from 'vitest';
import { accountOf, type Json, payment, XRP } from '../../support/xrpl-ledger/test-ledger.ts';
import { alice, bob, issuer, maker, PARTIAL, usd, useTokenWorld } from '../../support/xrpl-ledger/token-world.ts';

const world = useTokenWorld();
const { settled, trust, pay, offer, held, countOf, circulating } = world;

describe('OfferCreate', () => {
  test('stands in the book until it is taken', async () => {
    await circulating();
    expect((await offer(alice, usd(10), String(5n * XRP))).result).toBe('tesSUCCESS');
    expect(await countOf(alice)).toBe(2);
    const book = { taker_pays: { currency: 'XRP' }, taker_gets: { currency: 'USD', issuer: issuer.address } };
    expect(await world.ledger.rpc('book_offers', book)).toMatchObject({
      offers: [
        { Account: alice.address, TakerGets: usd(10), TakerPays: '5000000', quality: '500000', owner_funds: '100' },
      ],
    });
    expect(await world.ledger.rpc('account_offers', { account: alice.address })).toMatchObject({
      offers: [{ taker_gets: usd(10), taker_pays: '5000000', quality: '500000' }],
    });
    expect((await offer(bob, String(2n * XRP), usd(4))).result).toBe('tesSUCCESS');
    expect([await held(alice), await held(bob)]).toEqual(['96', '4']);
    expect((await offer(bob, String(10n * XRP), usd(20))).result).toBe('tesSUCCESS');
    expect([await held(alice), await held(bob)]).toEqual(['90', '10']);
    // The rest stands as an offer of bob.
    expect(await world.ledger.rpc('account_offers', { account: bob.address })).toMatchObject({
      offers: [{ taker_gets: '7000000', taker_pays: usd(14) }],
    });
    expect(await countOf(alice)).toBe(1);
  });

  test.each<[string, number]>([
    ['tecKILLED', 0x00020000],
    ['tecKILLED', 0x00040000],
    ['temINVALID_FLAG', 0x00060000],
  ])('%s with flags %i and nothing to take', async (result, Flags) => {
    await circulating();
    expect((await offer(bob, String(XRP), usd(1), { Flags })).result).toBe(result);
  });

  test('takes the best price first, and sells all of it with tfSell', async () => {
    await circulating();
    await offer(alice, usd(1), String(3n * XRP));
    await offer(alice, usd(1), String(2n * XRP));
    expect((await offer(bob, String(3n * XRP), usd('0.5'), { Flags: 0x00080000 })).result).toBe('tesSUCCESS');
    expect(await held(bob)).toBe('1.333333333333333');
    const sequence = (await world.ledger.account(alice.address))?.Sequence as number;
    expect((await offer(alice, usd(1), String(9n * XRP), { OfferSequence: sequence - 2 })).result).toBe('tesSUCCESS');
  });

  test.each<[string, unknown, unknown, Json]>([
    ['temBAD_OFFER', '1', '1', {}],
    ['temBAD_OFFER', usd(0), '1', {}],
    ['temREDUNDANT', usd(1), usd(2), {}],
    ['temDISABLED', usd(1), usd(2, 'EUR'), {}],
    ['temBAD_EXPIRATION', usd(1), '1', { Expiration: 0 }],
    ['temBAD_SEQUENCE', usd(1), '1', { OfferSequence: 0 }],
    ['tecEXPIRED', '1', usd(1), { Expiration: 1 }],
    ['tecUNFUNDED_OFFER', usd(1), '1', {}],
    ['tecNO_ISSUER', '1', { ...usd(1), issuer: accountOf('nobody').address }, {}],
  ])('%s for %j against %j %j', async (result, gets, pays, more) => {
    expect((await offer(bob, gets, pays, more)).result).toBe(result);
  });

  test('an offer whose owner has no money any more is removed by whoever comes upon it', async () => {
    await circulating(10);
    await offer(alice, usd(10), String(10n * XRP));
    await pay(alice, issuer, usd(10));
    expect((await offer(bob, String(XRP), usd(1))).result).toBe('tesSUCCESS');
    expect(await world.ledger.rpc('account_offers', { account: alice.address })).toMatchObject({ offers: [] });
    expect(await held(bob)).toBe('0');
  });
});

describe('a partial payment that delivers XRP', () => {
  test('says a large Amount and delivers little', async () => {
    await circulating(10);
    await offer(maker, String(2n * XRP), usd(4));
    const before = await world.ledger.balance(bob.address);
    const sent = await pay(alice, bob, String(50n * XRP), { SendMax: usd(1), Flags: PARTIAL });
    expect(sent.result).toBe('tesSUCCESS');
    expect(sent.meta).toMatchObject({ DeliveredAmount: '500000', delivered_amount: '500000' });
    expect((await world.ledger.balance(bob.address)) - before).toBe(500_000n);
    expect([await held(alice), await held(maker)]).toEqual(['9', '1']);
    const found = await world.ledger.rpc('tx', { transaction: sent.hash });
    expect(found.tx_json).toMatchObject({ DeliverMax: '50000000', Flags: PARTIAL });
  });

  test('without the flag, or below DeliverMin, is tecPATH_PARTIAL; without offers it is tecPATH_DRY', async () => {
    await circulating(10);
    const dry = await pay(alice, bob, String(50n * XRP), { SendMax: usd(1), Flags: PARTIAL });
    expect(dry.result).toBe('tecPATH_DRY');
    await offer(maker, String(2n * XRP), usd(4));
    expect((await pay(alice, bob, String(50n * XRP), { SendMax: usd(1) })).result).toBe('tecPATH_PARTIAL');
    const more = { SendMax: usd(1), Flags: PARTIAL, DeliverMin: '500001' };
    expect((await pay(alice, bob, String(50n * XRP), more)).result).toBe('tecPATH_PARTIAL');
  });

  test('may create its recipient, and leaves no token behind', async () => {
    await circulating(100);
    await offer(maker, String(20n * XRP), usd(20));
    const fresh = accountOf('fresh');
    expect((await pay(alice, fresh, String(5n * XRP), { SendMax: usd(10) })).result).toBe('tesSUCCESS');
    expect(await world.ledger.balance(fresh.address)).toBe(5n * XRP);
    expect(await held(alice)).toBe('95');
  });

  test('XRP buys tokens for somebody who trusts their issuer', async () => {
    await circulating(100);
    await offer(alice, usd(20), String(10n * XRP));
    expect((await pay(maker, bob, usd(4), { SendMax: String(3n * XRP) })).result).toBe('tesSUCCESS');
    expect([await held(alice), await held(bob)]).toEqual(['96', '4']);
  });
});

describe('several offers deliver together', () => {
  const small = '0.0000222222222222222';
  const sum = '1.111133333333333';

  test('more digits than an amount has: it is rounded, and the ledger closes', async () => {
    await circulating(100);
    await offer(alice, usd('1.111111111111111'), String(XRP));
    await offer(alice, usd(small), '10');
    const sent = await pay(maker, bob, usd(50), { SendMax: String(50n * XRP), Flags: PARTIAL });
    expect(sent.result).toBe('tesSUCCESS');
    expect(sent.meta).toMatchObject({ DeliveredAmount: usd(sum), delivered_amount: usd(sum) });
    expect(await held(bob)).toBe(sum);
  });

  test('to a taker without a trust line: the new line has the rounded sum', async () => {
    await circulating(100);
    await offer(alice, usd('1.111111111111111'), String(XRP));
    await offer(alice, usd(small), '10');
    const taker = accountOf('taker');
    await pay(maker, taker, String(10n * XRP));
    expect((await offer(taker, String(5n * XRP), usd(5), { Flags: 0x00020000 })).result).toBe('tesSUCCESS');
    expect(await held(taker)).toBe(sum);
  });
});

test('an account with a trust line cannot be deleted; its offers go with it', async () => {
  await circulating();
  await offer(alice, usd(10), String(5n * XRP));
  for (let n = 0; n < 260; n++) world.ledger.controls.close();
  await world.checkFromHere();
  const remove = { TransactionType: 'AccountDelete', Destination: bob.address, Fee: '200000' };
  expect((await settled(alice, remove)).result).toBe('tecHAS_OBLIGATIONS');
  await pay(alice, issuer, usd(100));
  await trust(alice, 0, { Flags: 0x00020000 });
  expect((await settled(alice, remove)).result).toBe('tesSUCCESS');
  expect(await world.ledger.account(alice.address)).toBeUndefined();
});

test('account_tx of the issuer has the payments of its holders', async () => {
  await circulating();
  const { hash } = await pay(alice, bob, usd(1));
  const { transactions } = (await world.ledger.rpc('account_tx', { account: issuer.address })) as {
    transactions: Json[];
  };
  expect(transactions[0]).toMatchObject({ hash });
});

test('simulate shows what a partial payment would deliver', async () => {
  await circulating(10);
  await offer(maker, String(2n * XRP), usd(4));
  const tx_json = { ...payment(alice, bob, 50n * XRP), SendMax: usd(1), Flags: PARTIAL };
  const { meta } = await world.ledger.rpc('simulate', { tx_json });
  expect(meta).toMatchObject({ delivered_amount: '500000' });
});

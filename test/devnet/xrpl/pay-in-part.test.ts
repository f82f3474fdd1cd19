import { expect, test } from 'vitest';
import { accountOf, type Json, testLedger, XRP } from '../../support/xrpl-ledger/test-ledger.ts';

test('the faucet pays in part: a large Amount, a small delivered_amount, as often as it is asked', async () => {
  const ledger = await testLedger();
  const shop = accountOf('shop').address;
  await ledger.fund(shop, 20n * XRP);
  try {
    for (const delivered of [1n, 12_345n, 2n * XRP]) {
      const before = await ledger.balance(shop);
      const { hash } = await ledger.payInPart(shop, 5_000n * XRP, delivered, 7);
      const found = await ledger.rpc('tx', { transaction: hash });
      expect(found.tx_json).toMatchObject({ DeliverMax: '5000000000', DestinationTag: 7 });
      expect((found.meta as Json).delivered_amount).toBe(String(delivered));
      expect((await ledger.balance(shop)) - before).toBe(delivered);
    }
    await expect(ledger.payInPart(accountOf('new').address, 5n * XRP, 1n)).rejects.toThrow('telNO_DST_PARTIAL');
    // The offer that nobody took does not stand in the way of the next payment.
    const { hash } = await ledger.payInPart(shop, 5n * XRP, 3n);
    expect((await ledger.rpc('tx', { transaction: hash })).meta).toMatchObject({ delivered_amount: '3' });
  } finally {
    await ledger.close();
  }
});

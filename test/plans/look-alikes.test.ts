import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lookAlike } from '../../src/plans/steps/near-miss-names.ts';

const ADDRESS = 'rD2ucwCoBbbdmroNWsJfzkJzH8LvRTzcTF';
const tags = fc.oneof(fc.constantFrom(0, 1, 11, 4_294_967_295), fc.integer({ min: 0, max: 4_294_967_295 }));

test('XRPL-6: the look-alike of every account on the XRP Ledger is another account that can be paid', () => {
  fc.assert(
    fc.property(tags, tag => {
      const [address, other = ''] = lookAlike('XRP', `${ADDRESS}:${tag}`).split(':');
      expect(address).toBe(ADDRESS);
      expect(other).toBe(String(Number(other)));
      expect(Number(other)).toBeLessThanOrEqual(4_294_967_295);
      expect(Number(other)).not.toBe(tag);
    }),
    { endOnFailure: true },
  );
});

import { getAddress } from 'ethers/address';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withChecksum } from '../../src/contract/assets.ts';

test('the checksum is that of ethers', () => {
  const address = fc.uint8Array({ minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(address, bytes => {
      const text = `0x${Buffer.from(bytes).toString('hex')}`;
      expect(withChecksum(text)).toBe(getAddress(text));
    }),
  );
});

import { keccak_256 } from '@noble/hashes/sha3';
import { remember } from '../kernel/remember.ts';

/** Every request names its addresses several times. */
const MAX_REMEMBERED = 10_000;

/** An Ethereum address with its checksum in upper and lower case. `address`: `0x` and 40 lower-case digits. */
export const withChecksum = remember(MAX_REMEMBERED, address => {
  const digits = address.slice(2);
  const hash = keccak_256(digits);
  const isUpper = (index: number) => ((hash[index >> 1]! >> (index % 2 === 0 ? 4 : 0)) & 0xf) > 7;
  return `0x${[...digits].map((digit, index) => (isUpper(index) ? digit.toUpperCase() : digit)).join('')}`;
});

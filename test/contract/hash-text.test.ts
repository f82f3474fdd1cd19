import { describe, expect, test } from 'vitest';
import { hashOddity } from '../../src/contract/assets.ts';

/** WIRE-6.2: what a verdict says of a reported text that no node can know. */

const DIGITS = 'a1'.repeat(32);
const ETH = `0x${DIGITS}`;
const XRP = DIGITS.toUpperCase();

test.each([
  ['ETH', ETH],
  ['ETH', `0x${XRP}`],
  ['XRP', XRP],
  ['XRP', DIGITS],
] as const)('%s %s is a hash', (symbol, text) => expect(hashOddity(symbol, text)).toBeUndefined());

describe('says what it should be', () => {
  test.each([
    ['ETH', DIGITS, 'the `0x` is missing'],
    ['ETH', `0X${DIGITS}`, 'it begins with `0X`'],
    ['ETH', ` ${ETH}`, 'it has a blank, a line break or an invisible character'],
    ['ETH', `${ETH}\n`, 'it has a blank, a line break or an invisible character'],
    ['ETH', `${ETH.slice(0, 20)} ${ETH.slice(20)}`, 'it has a blank, a line break or an invisible character'],
    ['ETH', `\u200b${ETH}`, 'it has a blank, a line break or an invisible character'],
    ['ETH', `"${ETH}"`, 'it stands in quotes or brackets'],
    ['ETH', `https://sepolia.etherscan.io/tx/${ETH}`, 'it is the address of a page'],
    ['ETH', `${DIGITS} `, 'it has a blank, a line break or an invisible character, and the `0x` is missing'],
    ['XRP', ETH, 'it begins with `0x`, which a hash of the XRP Ledger does not'],
    ['XRP', `'${XRP}'`, 'it stands in quotes or brackets'],
    ['XRP', `https://testnet.xrpl.org/transactions/${XRP}`, 'it is the address of a page'],
  ] as const)('%s %j', (symbol, text, what) =>
    expect(hashOddity(symbol, text)).toEqual({ what, shouldBe: symbol === 'ETH' ? ETH : XRP }),
  );
});

describe('cannot tell what it should be', () => {
  test.each([
    ['ETH', ETH.slice(0, -2), 'it has 62 digits, not 64'],
    ['ETH', `${ETH}0`, 'it has 65 digits, not 64'],
    ['ETH', '0x', 'it has 0 digits, not 64'],
    ['ETH', 'pending', 'the `0x` is missing, and it has characters that are no hexadecimal digits'],
    ['XRP', XRP.slice(1), 'it has 63 digits, not 64'],
    ['XRP', `${'g'.repeat(64)}`, 'it has characters that are no hexadecimal digits'],
  ] as const)('%s %j', (symbol, text, what) => expect(hashOddity(symbol, text)).toEqual({ what }));
});

import type { AssetSymbol } from './assets.ts';

/** WIRE-6.2: what is odd about the text of a reported hash. Nothing is folded: a node compares it as it stands. */
export interface HashOddity {
  what: string;
  /** The hash that was probably meant. Undefined: it cannot be told. */
  shouldBe?: string;
}

const DIGITS = 64;

/** Undefined: a node may know such a hash. */
export function hashOddity(symbol: AssetSymbol, text: string): HashOddity | undefined {
  const isEthereum = symbol === 'ETH';
  if ((isEthereum ? /^0x[0-9a-f]{64}$/i : /^[0-9a-f]{64}$/i).test(text) && !text.startsWith('0X')) return undefined;
  const oddities: string[] = [];
  const note = (isOdd: boolean, what: string) => void (isOdd && oddities.push(what));
  const visible = text.replace(/[\s\p{Cf}]/gu, '');
  note(visible !== text, 'it has a blank, a line break or an invisible character');
  const bare = visible.replace(/^["'`<[(]+|["'`>\]),;.]+$/g, '');
  note(bare !== visible, 'it stands in quotes or brackets');
  const inUrl = /^[a-z]+:\/\/.*?(?:0x)?([0-9a-f]{64})(?![0-9a-f])/i.exec(bare)?.[1];
  note(inUrl !== undefined, 'it is the address of a page');
  const digits = inUrl ?? bare.replace(/^0x/i, '');
  if (inUrl === undefined) {
    note(isEthereum && !/^0x/i.test(bare), 'the `0x` is missing');
    note(isEthereum && bare.startsWith('0X'), 'it begins with `0X`');
    note(!isEthereum && /^0x/i.test(bare), 'it begins with `0x`, which a hash of the XRP Ledger does not');
  }
  const isHex = /^[0-9a-f]*$/i.test(digits);
  note(!isHex, 'it has characters that are no hexadecimal digits');
  note(isHex && digits.length !== DIGITS, `it has ${digits.length} digits, not ${DIGITS}`);
  const what = oddities.join(', and ');
  if (!isHex || digits.length !== DIGITS) return { what };
  return { what, shouldBe: isEthereum ? `0x${digits.toLowerCase()}` : digits.toUpperCase() };
}

import { type AssetSymbol, splitAddress } from '../../contract/assets.ts';

/** Another account that begins and ends as this one: beginning and end are all that people compare. */
export function lookAlike(symbol: AssetSymbol, account: string): string {
  if (symbol === 'ETH') return otherMiddle(account);
  const [address, tag = ''] = splitAddress(account);
  return `${address}:${otherTag(tag)}`;
}

const otherMiddle = (address: string): string =>
  address
    .toLowerCase()
    .replace(/^(.{20})(.*)(.{4})$/, (_, begin: string, middle: string, end: string) =>
      [begin, ...[...middle].map(digit => (15 - Number.parseInt(digit, 16)).toString(16)), end].join(''),
    );

/** No tag has more digits of any value. */
const MAX_DIGITS = 9;

/** `11` -> `11011`; 0 and a longer one get another digit in the middle. */
function otherTag(tag: string): string {
  const twice = `${tag}0${tag}`;
  if (tag !== '0' && twice.length <= MAX_DIGITS) return twice;
  const middle = Math.floor(tag.length / 2);
  const digit = Number(tag[middle]);
  return `${tag.slice(0, middle)}${digit === 0 ? 1 : digit - 1}${tag.slice(middle + 1)}`;
}

/** `0xab` -> `0xAB`, `AB` -> `ab` */
export const inOtherCase = (hash: string): string =>
  hash.startsWith('0x') ? `0x${hash.slice(2).toUpperCase()}` : hash.toLowerCase();

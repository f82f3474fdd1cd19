/** Source of a regular expression: the whole numbers from 0 to `most`, without leading zeros. */
export function upTo(most: bigint): string {
  const digits = String(most);
  const shorter = digits.length > 1 ? [`[1-9]${repeated(digits.length - 2)}`, '0'] : [];
  const asLong = [...digits].flatMap((digit, at) => {
    const least = at === 0 && digits.length > 1 ? 1 : 0;
    const smaller = Number(digit) - 1;
    if (smaller < least) return [];
    return [digits.slice(0, at) + oneOf(least, smaller) + exactly(digits.length - at - 1)];
  });
  return `(?:${[...shorter, ...asLong, digits].join('|')})`;
}

const oneOf = (from: number, to: number): string => (from === to ? String(from) : `[${from}-${to}]`);
const repeated = (most: number): string => (most > 0 ? `\\d{0,${most}}` : '');
const exactly = (count: number): string => (count > 0 ? `\\d{${count}}` : '');

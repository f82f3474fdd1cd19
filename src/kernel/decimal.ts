/** Exact amounts: decimal text on the wire, integers of the smallest unit inside, never floating point. */

const DECIMAL = /^(0|[1-9]\d*)(?:\.(\d+))?$/;

export type DecimalProblem = 'not-decimal' | 'too-many-decimals';

/** Plain decimal text (no sign, exponent, or leading zeros) -> base units, or the problem of the text. */
export function parseUnits(text: string, decimals: number): bigint | DecimalProblem {
  const match = DECIMAL.exec(text);
  if (!match) return 'not-decimal';
  const fraction = match[2] ?? '';
  if (fraction.length > decimals) return 'too-many-decimals';
  return BigInt(match[1] + fraction.padEnd(decimals, '0'));
}

/** Valid text, for example of our own rows -> base units. Throws `RangeError` for other text. */
export function toUnits(text: string, decimals: number): bigint {
  const units = parseUnits(text, decimals);
  if (typeof units !== 'bigint') throw new RangeError(`${text}: ${units}`);
  return units;
}

/** Base units -> the shortest decimal text. */
export function formatUnits(units: bigint, decimals: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return sign + (fraction ? `${whole}.${fraction}` : whole);
}

export const isDecimal = (text: string): boolean => DECIMAL.test(text);

/** The shortest plain decimal text of a number that is not negative. `String` writes a small one with an exponent. */
export const decimalText = (value: number): string => {
  const text = String(value);
  return isDecimal(text) ? text : add(value.toFixed(MAX_PLACES), '0');
};
/** Of ETH. */
const MAX_PLACES = 18;

const placesOf = (text: string): number => text.split('.')[1]?.length ?? 0;

/** The sum of two plain decimal texts, in the shortest form. */
export const add = (a: string, b: string): string => combine(a, b, (x, y) => x + y);

/** The difference of two plain decimal texts, in the shortest form. */
export const subtract = (a: string, b: string): string => combine(a, b, (x, y) => x - y);

function combine(a: string, b: string, units: (a: bigint, b: bigint) => bigint): string {
  const decimals = Math.max(placesOf(a), placesOf(b));
  return formatUnits(units(toUnits(a, decimals), toUnits(b, decimals)), decimals);
}

/** The product of two plain decimal texts, rounded half up to `decimals`, in the shortest form. */
export function multiply(a: string, b: string, decimals: number): string {
  const scale = placesOf(a) + placesOf(b);
  const exact = toUnits(a, placesOf(a)) * toUnits(b, placesOf(b));
  if (scale <= decimals) return formatUnits(exact, scale);
  const divisor = 10n ** BigInt(scale - decimals);
  return formatUnits((exact + divisor / 2n) / divisor, decimals);
}

/** True when `text` is greater than or equal to `least`. Both are plain decimal text. */
export function isAtLeast(text: string, least: string): boolean {
  const decimals = Math.max(placesOf(text), placesOf(least));
  return toUnits(text, decimals) >= toUnits(least, decimals);
}

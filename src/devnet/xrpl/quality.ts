import { type Asset, type Rounding, scaled, toStep } from './quantities.ts';

/**
 * The price of an offer: what the taker pays for one unit of what it gets, XRP in drops, with 16 digits. As text it is
 * the ExchangeRate of a directory of an order book: 16 hex digits that sort from the best price to the worst.
 */
export type Quality = string;

const DIGITS = 16;
const EXPONENT_BIAS = 100n;

/** Of an offer of these quantities, neither of them zero. */
export function qualityOf(takerPays: bigint, takerGets: bigint): Quality {
  const [pays, gets] = [normalized(takerPays), normalized(takerGets)];
  // As a real server divides: 17 more digits, half a unit of the last one on top.
  const quotient = normalized((pays.mantissa * 10n ** 17n) / gets.mantissa + 5n);
  return encode(quotient.mantissa, quotient.exponent + pays.exponent - gets.exponent - 17);
}

interface Float {
  readonly mantissa: bigint;
  readonly exponent: number;
}

/** 16 digits, rounded to the nearest. */
function normalized(value: bigint): Float {
  const shift = value.toString().length - DIGITS;
  if (shift <= 0) return { mantissa: value * 10n ** BigInt(-shift), exponent: shift };
  const step = 10n ** BigInt(shift);
  const mantissa = toStep(value, step, 'nearest') / step;
  return mantissa.toString().length > DIGITS
    ? { mantissa: mantissa / 10n, exponent: shift + 1 }
    : { mantissa, exponent: shift };
}

const encode = (mantissa: bigint, exponent: number): Quality =>
  (((BigInt(exponent) + EXPONENT_BIAS) << 56n) | mantissa).toString(16).toUpperCase().padStart(16, '0');

function decode(quality: Quality): Float {
  const bits = BigInt(`0x${quality}`);
  return { mantissa: bits & ((1n << 56n) - 1n), exponent: Number((bits >> 56n) - EXPONENT_BIAS) };
}

/** The price of `gets`, which the taker pays. */
export function priceOf(quality: Quality, asset: Asset, gets: bigint, rounding: Rounding): bigint {
  const { by, of } = fraction(quality);
  return scaled(asset, gets, by, of, rounding);
}

/** The part that the taker gets for `pays`. */
export function worthOf(quality: Quality, asset: Asset, pays: bigint, rounding: Rounding): bigint {
  const { by, of } = fraction(quality);
  return scaled(asset, pays, of, by, rounding);
}

function fraction(quality: Quality): { by: bigint; of: bigint } {
  const { mantissa, exponent } = decode(quality);
  return exponent < 0
    ? { by: mantissa, of: 10n ** BigInt(-exponent) }
    : { by: mantissa * 10n ** BigInt(exponent), of: 1n };
}

/** The price with this number of digits, rounded up. */
export function withDigits(quality: Quality, digits: number): Quality {
  const { mantissa, exponent } = decode(quality);
  const step = 10n ** BigInt(DIGITS - digits);
  const up = mantissa + step - 1n;
  const kept = normalized(up - (up % step));
  return encode(kept.mantissa, exponent + kept.exponent);
}

/** The price as decimal text. */
export { decodeQuality as qualityText } from 'ripple-binary-codec';

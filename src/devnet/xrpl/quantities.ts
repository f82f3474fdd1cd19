import type { IssuedCurrency as Token, IssuedCurrencyAmount as TokenAmount } from 'xrpl';

/**
 * Amounts of XRP and of tokens. A quantity is the value times 10^96, XRP counted in drops, so every amount of the ledger
 * is a whole number, and a product or a quotient is rounded only where an amount of the ledger is made of it.
 */
export type { Token, TokenAmount };
/** Drops, or an amount of a token. */
export type Amount = string | TokenAmount;
export type Asset = 'XRP' | Token;
export type Rounding = 'up' | 'down' | 'nearest';

const UNIT = 10n ** 96n;
const DIGITS = 16;
const LEAST = 10n ** 15n;
const MAX_AMOUNT = 9_999_999_999_999_999n * 10n ** 176n;
/** More than any amount. */
export const UNLIMITED = 10n ** 250n;

/** A token has no amount as large as this one. A real server fails with tefEXCEPTION. */
export class AmountOverflow extends Error {
  override readonly name = 'AmountOverflow';
}

export const isXrp = (amount: unknown): amount is string => typeof amount === 'string';
export const assetOf = (amount: Amount): Asset =>
  isXrp(amount) ? 'XRP' : { currency: amount.currency, issuer: amount.issuer };
export const sameAsset = (a: Asset, b: Asset): boolean =>
  a === 'XRP' || b === 'XRP' ? a === b : a.currency === b.currency && a.issuer === b.issuer;

export const quantityOf = (amount: Amount): bigint =>
  isXrp(amount) ? BigInt(amount) * UNIT : parseValue(amount.value);
export const dropsOf = (quantity: bigint): bigint => quantity / UNIT;
export const ofDrops = (drops: bigint): bigint => drops * UNIT;

function parseValue(text: string): bigint {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const shift = 96 + Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  const value = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return sign ? -value : value;
}

/** The amount of a quantity that is one of the asset, in the form of the codec. */
export function amountOf(asset: Token, quantity: bigint): TokenAmount;
export function amountOf(asset: Asset, quantity: bigint): Amount;
export function amountOf(asset: Asset, quantity: bigint): Amount {
  return asset === 'XRP' ? dropsOf(quantity).toString() : { ...asset, value: valueText(quantity) };
}

/** Larger values have an exponent. */
const MAX_PLAIN_DIGITS = 80;

function valueText(quantity: bigint): string {
  if (quantity < 0n) return `-${valueText(-quantity)}`;
  const digits = quantity.toString().padStart(97, '0');
  const whole = digits.slice(0, -96);
  if (whole.length > MAX_PLAIN_DIGITS) {
    const [first = '', ...rest] = digits.replace(/0+$/, '');
    return `${first}${rest.length ? `.${rest.join('')}` : ''}e+${whole.length - 1}`;
  }
  const fraction = digits.slice(-96).replace(/0+$/, '');
  return fraction ? `${whole}.${fraction}` : whole;
}

/** The nearest quantity that an amount of the asset can have: whole drops, or 16 digits of a token. */
export function rounded(asset: Asset, quantity: bigint, rounding: Rounding): bigint {
  if (quantity < 0n) return -rounded(asset, -quantity, rounding);
  if (asset === 'XRP') return toStep(quantity, UNIT, rounding);
  const digits = quantity.toString().length;
  if (quantity > 0n && quantity < LEAST) return rounding === 'up' ? LEAST : 0n;
  const found = digits > DIGITS ? toStep(quantity, 10n ** BigInt(digits - DIGITS), rounding) : quantity;
  if (found > MAX_AMOUNT) throw new AmountOverflow('an amount of a token is too large');
  return found;
}

/** The nearest multiple of `step`. */
export function toStep(quantity: bigint, step: bigint, rounding: Rounding): bigint {
  const below = (quantity / step) * step;
  const rest = quantity - below;
  if (rest === 0n || rounding === 'down') return below;
  if (rounding === 'up') return below + step;
  const isUpper = 2n * rest > step || (2n * rest === step && (below / step) % 2n === 1n);
  return isUpper ? below + step : below;
}

/** `quantity` × `by` ÷ `of`, as an amount of the asset. */
export function scaled(asset: Asset, quantity: bigint, by: bigint, of: bigint, rounding: Rounding): bigint {
  const product = quantity * by;
  const exact = product / of;
  if (exact * of === product) return rounded(asset, exact, rounding);
  return rounded(asset, rounding === 'up' ? exact + 1n : exact, rounding);
}

export function least(first: bigint, ...others: bigint[]): bigint {
  let found = first;
  for (const each of others) if (each < found) found = each;
  return found;
}

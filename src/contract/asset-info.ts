import * as z from 'zod';
import { ASSET_SYMBOLS, ASSETS, type AssetSymbol } from './assets.ts';
import { Amount, DecimalText, MAX_LENGTH, NetworkName, optional, SymbolText, text } from './text.ts';
import { InputTimestamp } from './time.ts';

/** The other members of the object are none of the condition's business. Some tools refuse them otherwise. */
const OTHERS = { additionalProperties: true };

/** For the API document: an amount that the asset can express, more than 0. */
export const decimalsPattern = (symbol: AssetSymbol): string =>
  `^(?=.*[1-9])(?:0|[1-9]\\d*)(?:\\.\\d{1,${ASSETS[symbol].decimals}})?$`;

/**
 * For the API document, where `symbol` and the amounts are members of one object. Generators of clients take no notice of a
 * condition, and some fail at `allOf` or `anyOf` beside members.
 */
export const decimalsOfTheAsset = (...amounts: string[]) =>
  ASSET_SYMBOLS.reduce<object>((others, symbol) => {
    const pattern = decimalsPattern(symbol);
    return {
      if: { required: ['symbol'], properties: { symbol: { const: symbol } }, ...OTHERS },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
      then: { properties: Object.fromEntries(amounts.map(amount => [amount, { pattern }])), ...OTHERS },
      else: others,
    };
  }, OTHERS);

/** REF-2.2: the asset of a transfer. `tradeISODatetime` is converted into ISO 8601 UTC with milliseconds. */
export const AssetInfo = z
  .object({
    symbol: SymbolText,
    network: optional(NetworkName),
    amount: Amount.describe('Amount to transfer: plain decimal text, more than 0.'),
    isExceedingThreshold: z
      .boolean()
      .describe('true when the amount is greater than or equal to the legal threshold that requires verification.'),
    tradePrice: DecimalText.describe('Transfer amount converted to fiat currency: plain decimal text.'),
    tradeCurrency: text(MAX_LENGTH.currency).meta({ description: 'Fiat currency symbol.', examples: ['KRW'] }),
    tradeISODatetime: InputTimestamp.describe('Time at which the conversion price was applied.'),
  })
  .meta({
    id: 'AssetInfo',
    description: 'REF-2.2: description of the virtual asset and the amount.',
    ...decimalsOfTheAsset('amount'),
  });
export type AssetInfo = z.infer<typeof AssetInfo>;

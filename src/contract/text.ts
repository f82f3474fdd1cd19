import * as z from 'zod';
import { isDecimal } from '../kernel/decimal.ts';
import { upTo } from '../kernel/number-pattern.ts';

/** Maximum lengths in characters. The stored rows of the enclave have the same limits. */
export const MAX_LENGTH = {
  verificationUuid: 40,
  symbol: 16,
  network: 128,
  amount: 128,
  currency: 128,
  txHash: 128,
  vout: 128,
  accountNumber: 256,
  /** A text about a person: a name, an address, a place. IVMS101 has at most 100 for a name. */
  personText: 10_000,
  reason: 256,
  message: 1024,
  name: 256,
  version: 16,
  requiredBeneficiaryInfo: 1024,
} as const;
export const MAX_SEARCH_LENGTH = 256;

const WELL_FORMED = 'should be well-formed Unicode text';

/** Well-formed Unicode of any length, also empty. */
export const AnyText = z.string().refine(text => text.isWellFormed(), { error: WELL_FORMED, abort: true });

/** zod counts code points, as JSON Schema does. */
const atMost = (max: number, schema: z.ZodString) =>
  schema.max(max, { error: `should have at most ${max} characters`, abort: true });

/** Well-formed Unicode of at most `max` characters, also empty. */
export const optionalText = (max: number) => atMost(max, AnyText);

/** Well-formed Unicode of 1 to `max` characters. */
export const text = (max: number) => atMost(max, AnyText.min(1));

/** Control characters and marks of direction: on a page or a terminal they change what stands around a name. */
const HIDDEN = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const SHOWN = new RegExp(`^[^${HIDDEN}]*$`);
const NOT_SHOWN = { error: 'should have no control characters and no marks of direction' };

/** A name for pages and terminals. */
export const shownName = (max: number) => text(max).regex(SHOWN, NOT_SHOWN);

/** The name of a person or company, without the white space around it. */
export const NameText = atMost(MAX_LENGTH.name, z.string().trim().min(1))
  .refine(name => SHOWN.test(name), NOT_SHOWN)
  .meta({ pattern: `^\\s*[^\\s${HIDDEN}](?:[^${HIDDEN}]*[^\\s${HIDDEN}])?\\s*$` });

/** Schemas that take `null`: the API document shows it. */
export const takesNull = z.registry<{ takesNull: true }, z.core.$ZodType>();

/** An optional member. `null` counts as absent (D-05). */
export const optional = <T extends z.ZodType>(schema: T) =>
  z
    .preprocess((value: z.input<T> | null | undefined) => value ?? undefined, schema.optional())
    .register(takesNull, { takesNull: true });

export const VASP_ID = new RegExp(`^${upTo(2n ** 64n - 1n)}$`);

export const VaspId = z
  .string()
  .regex(VASP_ID, { error: 'should be an unsigned 64-bit integer in decimal text' })
  .meta({
    id: 'VaspId',
    description: 'Identifier of a VASP: an unsigned 64-bit integer in decimal text.',
    examples: ['15952089931162060684'],
  });

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** D-44: a UUID in upper case is the same UUID. Other text is left as it is: no verification has it. */
export const verificationKey = (text: string): string => (UUID.test(text) ? text.toLowerCase() : text);

/** ID of a verification in a request or in an answer. */
export const VerificationUuid = text(MAX_LENGTH.verificationUuid)
  .overwrite(verificationKey)
  .meta({
    description: 'Verification request ID: UUID v4, the same on both sides.',
    examples: ['8557f2b2-985e-431f-8d52-75c2e5a01e46'],
  });

const NOT_DECIMAL = 'should be plain decimal text without sign, exponent or leading zeros';

export const DecimalText = optionalText(MAX_LENGTH.amount)
  .refine(isDecimal, { error: NOT_DECIMAL, abort: true })
  .meta({ pattern: '^(?:0|[1-9]\\d*)(?:\\.\\d+)?$', description: 'Plain decimal text.', examples: ['2439800'] });

export const Amount = DecimalText.refine(text => /[1-9]/.test(text), { error: 'should be more than 0' }).meta({
  pattern: '^(?:0\\.\\d*[1-9]\\d*|[1-9]\\d*(?:\\.\\d+)?)$',
  description: 'Plain decimal text, more than 0.',
  examples: ['0.024'],
});

export const SymbolText = text(MAX_LENGTH.symbol).meta({ description: 'Asset symbol.', examples: ['ETH'] });

export const NetworkName = text(MAX_LENGTH.network).meta({
  description: 'Blockchain network of the asset. Without it the network is derived from the symbol.',
  examples: ['Ethereum'],
});

export const AccountNumber = text(MAX_LENGTH.accountNumber).meta({
  description: 'Wallet address. On ledgers with memos or destination tags: `address:memo` or `address:destinationTag`.',
  examples: ['0xFa230E9cCAF5e382539147294d7965Eeccbbfa5c'],
});

export const TxHash = text(MAX_LENGTH.txHash).meta({
  description: 'Transaction ID, exactly as the node prints it.',
  examples: ['0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b'],
});
const VOUT = /^(0|[1-9]\d*)$/;
export const isVout = (text: string): boolean => VOUT.test(text);
export const NOT_VOUT = 'should be a whole number in decimal text';

export const Vout = text(MAX_LENGTH.vout)
  .refine(isVout, { error: NOT_VOUT })
  .meta({
    pattern: VOUT.source,
    description:
      'D-25: position of the transfer among the transfers of value of its transaction, in order of execution, from 0.',
    examples: ['0'],
  });
export const ReasonText = text(MAX_LENGTH.reason).describe('Reason code.');
export const MessageText = optionalText(MAX_LENGTH.message).describe('Detail text for the reason.');

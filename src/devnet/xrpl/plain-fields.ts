import { coreTypes, DEFAULT_DEFINITIONS, TRANSACTION_TYPES } from 'ripple-binary-codec';
import { addressOfId } from './addresses.ts';
import { toHex } from './hash.ts';
import { type Field, SINGLE_SIGNING } from './serialize.ts';
import type { TransactionJson } from './transaction.ts';

export interface PlainTransaction {
  readonly json: TransactionJson;
  /** The bytes under a single signature. */
  readonly signed: Buffer;
}

/**
 * Reads a transaction without nested fields in canonical form, many times as fast as the codec. Undefined: the codec
 * must read it, and decides whether it is one. A test holds the JSON equal to `decode`.
 */
export function readPlain(bytes: Buffer): PlainTransaction | undefined {
  const json: Record<string, unknown> = {};
  const signed: Buffer[] = [SINGLE_SIGNING];
  let before = 0;
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    const ordinal = ordinalAt(bytes, at);
    const field = ordinal > before ? FIELDS.get(ordinal) : undefined;
    if (!field) return undefined;
    before = ordinal;
    at += field.header.length;
    const { size = lengthAt(bytes, at), read } = field.reader;
    if (field.reader.size === undefined) at += size > ONE_BYTE_LENGTH ? 2 : 1;
    if (size < 0 || at + size > bytes.length) return undefined;
    const value = read(bytes.subarray(at, at + size));
    if (value === undefined) return undefined;
    json[field.name] = value;
    at += size;
    if (field.isSigningField) signed.push(bytes.subarray(start, at));
  }
  return { json: json as TransactionJson, signed: Buffer.concat(signed) };
}

interface Reader {
  /** Bytes of the value; undefined: a length stands in front of it. */
  readonly size: number | undefined;
  /** Undefined: the codec must read it. */
  read(value: Buffer): unknown;
}

const TYPE_NAMES = new Map(
  TRANSACTION_TYPES.map(name => [
    (DEFAULT_DEFINITIONS.transactionType.from(name) as { ordinal: number }).ordinal,
    name,
  ]),
);
const TRANSACTION_TYPE: Reader = { size: 2, read: value => TYPE_NAMES.get(value.readUInt16BE()) };
const READERS: Readonly<Record<string, Reader>> = {
  UInt8: { size: 1, read: value => value[0] },
  UInt16: { size: 2, read: value => value.readUInt16BE() },
  UInt32: { size: 4, read: value => value.readUInt32BE() },
  Hash128: { size: 16, read: toHex },
  Hash256: { size: 32, read: toHex },
  Amount: { size: 8, read: drops },
  Blob: { size: undefined, read: toHex },
  AccountID: {
    size: undefined,
    read: value => (value.length === 20 ? addressOfId(value.toString('latin1')) : undefined),
  },
};

const FIELDS = new Map(
  (Object.values(DEFAULT_DEFINITIONS.field) as unknown as Field[]).flatMap(field => {
    const reader = readerOf(field);
    const { ordinal, name, header, isSigningField } = field;
    return reader ? [[ordinal, { name, header, isSigningField, reader }] as const] : [];
  }),
);

function readerOf(field: Field): Reader | undefined {
  if (!field.isSerialized) return undefined;
  if (field.name === 'TransactionType') return TRANSACTION_TYPE;
  const usual = (coreTypes as Record<string, unknown>)[field.type.name];
  return field.associatedType === usual ? READERS[field.type.name] : undefined;
}

/** The field's type and number. 0: it is not written in its shortest form. */
function ordinalAt(bytes: Buffer, start: number): number {
  let at = start;
  const first = bytes[at++] ?? 0;
  const type = first >> 4 || longCode(bytes[at++]);
  const nth = first & 15 || longCode(bytes[at]);
  return type && nth ? (type << 16) | nth : 0;
}

const longCode = (code = 0): number => (code < 16 ? 0 : code);

const ONE_BYTE_LENGTH = 192;

/** The length in front of a value, up to 12,480. -1: it is longer. */
function lengthAt(bytes: Buffer, at: number): number {
  const [first = 255, second = 0] = [bytes[at], bytes[at + 1]];
  if (first <= ONE_BYTE_LENGTH) return first;
  return first <= 240 ? 193 + ((first - 193) << 8) + second : -1;
}

const POSITIVE_XRP = 0x40;
const KIND_AND_SIGN = 0xe0;
const MOST_DROPS = 10n ** 17n;

function drops(value: Buffer): string | undefined {
  if ((value[0]! & KIND_AND_SIGN) !== POSITIVE_XRP) return undefined;
  const amount = value.readBigUInt64BE() & 0x3fff_ffff_ffff_ffffn;
  return amount > MOST_DROPS ? undefined : amount.toString();
}

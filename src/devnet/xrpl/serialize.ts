import { DEFAULT_DEFINITIONS } from 'ripple-binary-codec';
import { accountId } from './addresses.ts';
import { fromHex } from './hash.ts';

/**
 * The codec's encoding, by the codec's own definitions and types, for JSON without X-addresses. The codec looks for an
 * X-address in every field, which costs more than everything else. A test holds the bytes equal to `encode`.
 */
export interface Field {
  readonly name: string;
  readonly ordinal: number;
  readonly header: Uint8Array;
  readonly isSerialized: boolean;
  readonly isSigningField: boolean;
  readonly isVariableLengthEncoded: boolean;
  readonly type: { readonly name: string };
  readonly associatedType: { from(value: unknown, fieldName?: string): { toBytes(): Uint8Array } };
}
type Fields = Readonly<Record<string, unknown>>;

const fields = DEFAULT_DEFINITIONS.field as unknown as Readonly<Record<string, Field>>;
const OBJECT_END = Buffer.of(0xe1);
const ARRAY_END = Buffer.of(0xf1);
export const SINGLE_SIGNING = fromHex('53545800');
const MULTI_SIGNING = fromHex('534D5400');

export function serialize(json: Fields): Buffer {
  const parts: Uint8Array[] = [];
  writeObject(parts, json, false);
  return Buffer.concat(parts);
}

/** The bytes under a single signature of a transaction. */
export function serializeForSigning(json: Fields): Buffer {
  const parts: Uint8Array[] = [SINGLE_SIGNING];
  writeObject(parts, json, true);
  return Buffer.concat(parts);
}

/** The bytes under the signature of one signer of a multi-signed transaction. `signer`: its account id. */
export function serializeForMultisigning(json: Fields, signer: Uint8Array): Buffer {
  const parts: Uint8Array[] = [MULTI_SIGNING];
  writeObject(parts, json, true);
  return Buffer.concat([...parts, signer]);
}

function writeObject(parts: Uint8Array[], json: Fields, onlySigning: boolean): void {
  const present: Field[] = [];
  for (const name in json) {
    const field = fields[name];
    if (!field) throw new Error(`Field ${name} is not defined`);
    if (field.isSerialized && (!onlySigning || field.isSigningField) && json[name] !== undefined)
      present.push(field);
  }
  present.sort((a, b) => a.ordinal - b.ordinal);
  for (const field of present) writeField(parts, field, json[field.name]);
}

function writeField(parts: Uint8Array[], field: Field, value: unknown): void {
  parts.push(field.header);
  if (field.type.name === 'STObject') {
    writeObject(parts, value as Fields, false);
    parts.push(OBJECT_END);
  } else if (field.type.name === 'STArray') {
    for (const item of value as readonly Fields[]) writeObject(parts, item, false);
    parts.push(ARRAY_END);
  } else {
    const bytes = bytesOf(field, value);
    if (field.isVariableLengthEncoded) parts.push(variableLength(bytes.length));
    parts.push(bytes);
  }
}

/** The codec looks for an X-address in every address that it reads. */
const bytesOf = (field: Field, value: unknown): Uint8Array =>
  (field.type.name === 'AccountID' && accountId(value)) ||
  field.associatedType.from(value, field.name).toBytes();

/** The length prefix of a variable-length field: one to three bytes. Throws `RangeError` above 918744. */
export function variableLength(length: number): Buffer {
  if (length <= 192) return Buffer.of(length);
  if (length <= 12_480) return Buffer.of(193 + ((length - 193) >>> 8), (length - 193) & 0xff);
  if (length > 918_744) throw new RangeError('too long for a variable-length field');
  const rest = length - 12_481;
  return Buffer.of(241 + (rest >>> 16), (rest >>> 8) & 0xff, rest & 0xff);
}

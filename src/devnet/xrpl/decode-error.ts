import { DEFAULT_DEFINITIONS } from 'ripple-binary-codec';

interface Field {
  readonly ordinal: number;
  readonly isSerialized: boolean;
  readonly isVariableLengthEncoded: boolean;
  readonly type: { readonly name: string };
}

const FIELDS = new Map(
  (Object.values(DEFAULT_DEFINITIONS.field) as unknown as Field[])
    .filter(field => field.isSerialized)
    .map(field => [field.ordinal, field]),
);
/** Bytes of a value, and the reader of a server that finds too few of them. */
const SIZES: Readonly<Record<string, readonly [bytes: number, reader: string]>> = {
  UInt8: [1, 'get8'],
  UInt16: [2, 'get16'],
  UInt32: [4, 'get32'],
  UInt64: [8, 'get64'],
  Hash128: [16, 'getBitString'],
  Hash160: [20, 'getBitString'],
  Hash192: [24, 'getBitString'],
  Hash256: [32, 'getBitString'],
};
const TOKEN_BYTES = 48;
const MPT_BYTES = 33;
const TERMINATORS = new Set([0xe1, 0xf1]);

/** Why bytes are no object of the ledger, in the words of a server; undefined: nothing is wrong with their fields. */
export function decodeError(bytes: Buffer): string | undefined {
  const reader = new Reader(bytes);
  try {
    while (!reader.isAtEnd) skipField(reader);
    return undefined;
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}

class Unreadable extends Error {}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }
  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }
  peek(): number {
    return this.#bytes[this.#at] ?? 0;
  }
  skip(count: number, reader: string): void {
    if (this.#at + count > this.#bytes.length) throw new Unreadable(`invalid SerialIter ${reader}`);
    this.#at += count;
  }
  byte(): number {
    this.skip(1, 'get8');
    return this.#bytes[this.#at - 1] as number;
  }
}

/** An object or an array is entered: what stands in it is read as if it stood outside. */
function skipField(reader: Reader): void {
  if (TERMINATORS.has(reader.peek())) return void reader.byte();
  const first = reader.byte();
  const type = first >> 4 || longCode(reader, 'type');
  const nth = first & 15 || longCode(reader, 'name');
  const field = FIELDS.get((type << 16) | nth);
  if (!field) throw new Unreadable('Unknown field');
  const [size, name] = SIZES[field.type.name] ?? [];
  if (size !== undefined && name !== undefined) reader.skip(size, name);
  else if (field.type.name === 'Amount') reader.skip(amountBytes(reader.peek()), 'get64');
  else if (field.isVariableLengthEncoded) reader.skip(lengthOf(reader), 'getRaw');
}

function longCode(reader: Reader, part: string): number {
  const code = reader.byte();
  if (code < 16) throw new Unreadable(`gFID: uncommon ${part} out of range ${code}`);
  return code;
}

const amountBytes = (first: number): number => (first & 0x80 ? TOKEN_BYTES : first & 0x20 ? MPT_BYTES : 8);

function lengthOf(reader: Reader): number {
  const first = reader.byte();
  if (first <= 192) return first;
  if (first <= 240) return 193 + ((first - 193) << 8) + reader.byte();
  if (first === 255) throw new Unreadable('Invalid VL');
  return 12_481 + ((first - 241) << 16) + (reader.byte() << 8) + reader.byte();
}

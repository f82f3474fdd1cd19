/** Bytes, or a list of items. */
export type RlpItem = Uint8Array | readonly RlpItem[];

const SHORT = 0x80;
const SHORT_LIST = 0xc0;
const MOST_SHORT_BYTES = 55;

/** The recursive length prefix encoding of Ethereum's transactions. */
export function rlp(item: RlpItem): Uint8Array {
  if (item instanceof Uint8Array)
    return item.length === 1 && item[0]! < SHORT ? item : withLength(SHORT, [item]);
  return withLength(SHORT_LIST, item.map(rlp));
}

function withLength(offset: number, parts: Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length <= MOST_SHORT_BYTES) return Buffer.concat([Buffer.of(offset + length), ...parts]);
  const size = quantity(length);
  return Buffer.concat([Buffer.of(offset + MOST_SHORT_BYTES + size.length), size, ...parts]);
}

/** A number without leading zeros; 0 has no bytes. */
export function quantity(value: number | bigint): Buffer {
  const digits = value === 0 || value === 0n ? '' : value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

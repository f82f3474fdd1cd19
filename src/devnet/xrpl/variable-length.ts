/** The length prefix of a variable-length field: one to three bytes. */
export function variableLength(length: number): Buffer {
  if (length <= 192) return Buffer.of(length);
  if (length <= 12_480) return Buffer.of(193 + ((length - 193) >>> 8), (length - 193) & 0xff);
  if (length > 918_744) throw new RangeError('too long for a variable-length field');
  const rest = length - 12_481;
  return Buffer.of(241 + (rest >>> 16), (rest >>> 8) & 0xff, rest & 0xff);
}

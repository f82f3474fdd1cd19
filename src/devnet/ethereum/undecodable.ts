/** Type -> its name in the messages of geth, and the number of its fields with the signature. */
const TYPES: Readonly<Record<number, { name: string; fields: number }>> = {
  0: { name: 'LegacyTx', fields: 9 },
  1: { name: 'AccessListTx', fields: 11 },
  2: { name: 'DynamicFeeTx', fields: 12 },
  4: { name: 'SetCodeTx', fields: 13 },
};
const IS_BYTES = /^0x(?:[0-9a-f]{2})*$/i;
/** Above it a first byte begins a list of RLP: a transaction without a type. */
const LAST_TYPE = 0x7f;

/** Why the bytes are no transaction, in the words of geth. Undefined: they have its fields, or are no bytes. */
export async function undecodable(raw: string): Promise<string | undefined> {
  if (!IS_BYTES.test(raw)) return undefined;
  const first = Number(raw.slice(0, 4));
  const isLegacy = raw.length > 2 && first > LAST_TYPE;
  if (!isLegacy && raw.length <= 4) return 'typed transaction too short';
  const type = TYPES[isLegacy ? 0 : first];
  if (!type) return 'transaction type not supported';
  const { decodeRlp, isError } = await import('ethers/utils');
  try {
    const fields = decodeRlp(isLegacy ? raw : `0x${raw.slice(4)}`);
    if (!Array.isArray(fields)) return `rlp: expected input list for types.${type.name}`;
    if (fields.length < type.fields) return `rlp: too few elements for types.${type.name}`;
    if (fields.length > type.fields) return `rlp: input list has too many elements for types.${type.name}`;
    return undefined;
  } catch (error) {
    return isError(error, 'INVALID_ARGUMENT')
      ? 'rlp: input contains more than one value'
      : 'rlp: value size exceeds available input length';
  }
}

import { createHash } from 'node:crypto';

const ALPHABET = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';
const HEX_DIGITS = 50;

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** An account of the XRP Ledger as `r…`: 25 bytes in base 58, of which four are a checksum. */
export function isClassicAddress(text: string): boolean {
  if (!/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/.test(text)) return false;
  let value = 0n;
  for (const character of text) value = value * 58n + BigInt(ALPHABET.indexOf(character));
  const hex = value.toString(16).padStart(HEX_DIGITS, '0');
  if (hex.length > HEX_DIGITS || !hex.startsWith('00')) return false;
  const bytes = Buffer.from(hex, 'hex');
  return sha256(sha256(bytes.subarray(0, 21)))
    .subarray(0, 4)
    .equals(bytes.subarray(21));
}

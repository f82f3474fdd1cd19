const LEI = /^[0-9A-Z]{18}[0-9]{2}$/i;

export const isLeiForm = (text: string): boolean => LEI.test(text);

/** ISO 17442: the check digits follow mod 97-10 of ISO 7064. A letter counts as 10 to 35. */
export function hasLeiCheckDigits(lei: string): boolean {
  const digits = [...lei].map(each => Number.parseInt(each, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}

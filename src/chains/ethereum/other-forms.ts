import type { AddressForm } from '../payments.ts';

const FORMS: readonly [name: string, form: RegExp][] = [
  ['a CAIP-10 account', /^eip155:\d{1,32}:(0x[0-9a-f]{40})$/i],
  ['an EIP-681 address', /^ethereum:(?:pay-)?(0x[0-9a-f]{40})(?:@\d{1,32})?(?:[?#].*)?$/i],
  ['an ERC-3770 address', /^[a-z0-9-]{1,32}:(0x[0-9a-f]{40})$/i],
  ['an address without 0x', /^([0-9a-f]{40})$/i],
  ['an address in a word of 32 bytes', /^0x0{24}([0-9a-f]{40})$/i],
];
const ADDRESS = /(?<![0-9a-z])0x[0-9a-f]{40}(?![0-9a-z])/gi;

/** As `Chain.otherForm`. */
export function ethereumForm(text: string): AddressForm | undefined {
  const trimmed = text.trim();
  for (const [name, form] of FORMS) {
    const address = form.exec(trimmed)?.[1];
    if (address) return { name, address: address.toLowerCase().replace(/^(?!0x)/, '0x') };
  }
  const [address, ...others] = new Set(trimmed.toLowerCase().match(ADDRESS));
  const isAlone = address === undefined || others.length > 0 || address.length === trimmed.length;
  return isAlone ? undefined : { name: 'an address inside another text', address };
}

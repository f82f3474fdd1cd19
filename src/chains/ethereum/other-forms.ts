import type { AddressForm } from '../payments.ts';

const ETHEREUM_FORMS: readonly [name: string, form: RegExp][] = [
  ['a CAIP-10 account', /^eip155:\d{1,32}:(0x[0-9a-f]{40})$/i],
  ['an EIP-681 address', /^ethereum:(?:pay-)?(0x[0-9a-f]{40})(?:@\d{1,32})?(?:[/?#].*)?$/i],
  ['an ERC-3770 address', /^[a-z0-9-]{1,32}:(0x[0-9a-f]{40})$/i],
  ['an address without 0x', /^([0-9a-f]{40})$/i],
];

/** As `Chain.otherForm`. */
export function ethereumForm(text: string): AddressForm | undefined {
  for (const [name, form] of ETHEREUM_FORMS) {
    const address = form.exec(text.trim())?.[1];
    if (address) return { name, address: address.toLowerCase().replace(/^(?!0x)/, '0x') };
  }
  return undefined;
}

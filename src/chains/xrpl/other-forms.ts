import { isValidXAddress, xAddressToClassicAddress } from 'ripple-address-codec';
import type { AddressForm } from '../payments.ts';

const CLASSIC = 'r[1-9A-HJ-NP-Za-km-z]{24,34}';
const XRP_FORMS: readonly [name: string, form: RegExp][] = [
  ['a CAIP-10 account', new RegExp(`^xrpl:\\d{1,10}:(${CLASSIC})(?:[:-](\\d{1,10}))?$`)],
  [
    'an address with the tag as a query',
    new RegExp(
      `^(?:[a-z]+:(?://)?)?(${CLASSIC})\\?(?:.*&)?(?:dt|tag|to_tag|destinationTag|DestinationTag)=(\\d{1,10})(?:&.*)?$`,
    ),
  ],
  ['a payment URI', new RegExp(`^(?:xrpl|xrp|ripple):(?://)?(${CLASSIC})(?:[:](\\d{1,10}))?$`)],
  [
    'an address with another mark before the tag',
    new RegExp(`^(${CLASSIC})[\\s#/+,;|-]+(?:dt=|tag=)?(\\d{1,10})$`),
  ],
];

/** As `Chain.otherForm`. */
export function xrpForm(text: string): AddressForm | undefined {
  if (isValidXAddress(text.trim())) {
    const { classicAddress: account, tag } = xAddressToClassicAddress(text.trim());
    return { name: 'an X-address', address: tag === false ? account : `${account}:${tag}` };
  }
  for (const [name, form] of XRP_FORMS) {
    const [, account, tag] = form.exec(text.trim()) ?? [];
    if (account) return { name, address: tag === undefined ? account : `${account}:${Number(tag)}` };
  }
  return undefined;
}

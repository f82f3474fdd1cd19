import { isValidClassicAddress, isValidXAddress, xAddressToClassicAddress } from 'ripple-address-codec';
import type { AddressForm } from '../payments.ts';

/**
 * An address and its tag in any text: `[xrpl:<network>:] … <address> … [<label>] <tag> …`. One address, and one tag at
 * most: a number with a label, or the only number that is no member of a query.
 */
const ADDRESS = /r[1-9A-HJ-NP-Za-km-z]{24,34}/g;
const NETWORK = /^xrpl:\d{1,10}:/i;
const LABELLED = /(?<![a-z])(?:dt|(?:(?:destination|dest|to)[\s_-]*)?tag)[^a-z0-9]*(\d+)/gi;
const MEMBER = /[a-z_]+=[^&\s]*/gi;
const MOST = 0xffff_ffff;

/** As `Chain.otherForm`. */
export function xrpForm(text: string): AddressForm | undefined {
  const trimmed = text.trim();
  if (isValidXAddress(trimmed)) {
    const { classicAddress, tag } = xAddressToClassicAddress(trimmed);
    return { name: 'an X-address', address: addressOf(classicAddress, tag === false ? undefined : `${tag}`) };
  }
  const [account, ...others] = (trimmed.match(ADDRESS) ?? []).filter(isValidClassicAddress);
  if (account === undefined || others.length > 0) return undefined;
  const [before, after] = trimmed.replace(NETWORK, '').split(account) as [string, string];
  const labelled = [...`${before} ${after}`.matchAll(LABELLED)].map(([, tag]) => tag!);
  const numbers = `${before} ${after}`.replace(MEMBER, ' ').match(/\d+/g) ?? [];
  const [tag, ...more] = new Set(labelled.length > 0 ? labelled : numbers);
  const name = NETWORK.test(trimmed) ? 'a CAIP-10 account' : nameOf(before, after, labelled.length > 0);
  return name === undefined || more.length > 0 || !isTag(tag)
    ? undefined
    : { name, address: addressOf(account, tag) };
}

/** Undefined: it is the form of messages, right or wrong (D-08). */
function nameOf(before: string, after: string, hasLabel: boolean): string | undefined {
  if (after.startsWith('?')) return 'an address with the tag as a query';
  if (/:(?:\/\/)?$/.test(before) && /^(?::\d+)?$/.test(after)) return 'a payment URI';
  if (hasLabel) return 'an address with the tag in words';
  if (before === '' && /^(?::.*)?$/.test(after)) return undefined;
  return 'an address with another mark before the tag';
}

const isTag = (tag: string | undefined): boolean =>
  tag === undefined || (/^(?:0|[1-9]\d*)$/.test(tag) && Number(tag) <= MOST);

const addressOf = (account: string, tag: string | undefined): string =>
  tag === undefined ? account : `${account}:${tag}`;

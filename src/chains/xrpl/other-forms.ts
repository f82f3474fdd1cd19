import { isValidClassicAddress, isValidXAddress, xAddressToClassicAddress } from 'ripple-address-codec';
import type { AddressForm } from '../payments.ts';

/**
 * An address and its tag in any text: `[xrpl:<network>:] … <address> … [<label>] <tag> …`. One address, and one tag at
 * most: a number with a label, or the only number that is no member of a query.
 */
const ADDRESS = /r[1-9A-HJ-NP-Za-km-z]{24,34}/g;
const NETWORK = /^xrpl:\d{1,10}:/i;
const X_ADDRESS = /[XT][1-9A-HJ-NP-Za-km-z]{45,50}/g;
const TAGGED = /(?<![a-z])(?:dt|(?:(?:destination|dest|to)[\s_-]*)?tag)[^a-z0-9]*(\d+)(?![a-z0-9])/gi;
const MEMO = /(?<![a-z])memo[^a-z0-9]*(\d+)(?![a-z0-9])/gi;
const MEMBER = /[a-z_]+=[^&\s]*/gi;
const MAX_TAG = 0xffff_ffff;

/** As `Chain.otherForm`. */
export function xrpForm(text: string): AddressForm | undefined {
  const trimmed = text.trim();
  const [x, ...more] = (trimmed.match(X_ADDRESS) ?? []).filter(isValidXAddress);
  if (x !== undefined && more.length === 0 && !/\d/.test(trimmed.replace(x, ''))) {
    const { classicAddress, tag } = xAddressToClassicAddress(x);
    return { name: 'an X-address', address: addressOf(classicAddress, tag === false ? undefined : `${tag}`) };
  }
  const [account, ...others] = (trimmed.match(ADDRESS) ?? []).filter(isValidClassicAddress);
  if (account === undefined || others.length > 0) return undefined;
  const [before, after] = trimmed.replace(NETWORK, '').split(account) as [string, string];
  const around = `${before} ${after}`;
  const labelled = numbersBy(TAGGED, around) ?? numbersBy(MEMO, around);
  const [tag, ...rest] = new Set(labelled ?? around.replace(MEMBER, ' ').match(/\d+/g) ?? []);
  const name = NETWORK.test(trimmed) ? 'a CAIP-10 account' : nameOf(before, after, labelled !== undefined);
  return name === undefined || rest.length > 0 || !isTag(tag) ? undefined : { name, address: addressOf(account, tag) };
}

/** Undefined: no number has this label. */
function numbersBy(label: RegExp, text: string): string[] | undefined {
  const found = [...text.matchAll(label)].map(([, number]) => number!);
  return found.length > 0 ? found : undefined;
}

/** Undefined: it is the form of messages, right or wrong (D-08). */
function nameOf(before: string, after: string, hasLabel: boolean): string | undefined {
  if (after.startsWith('?')) return 'an address with the tag as a query';
  if (/^[a-z].*:(?:\/\/)?$/i.test(before) && /^(?::\d+)?$/.test(after)) return 'a payment URI';
  if (hasLabel) return 'an address with the tag in words';
  if (before === '' && /^(?::.*)?$/.test(after)) return undefined;
  return 'an address with another mark before the tag';
}

const isTag = (tag: string | undefined): boolean =>
  tag === undefined || (/^(?:0|[1-9]\d*)$/.test(tag) && Number(tag) <= MAX_TAG);

const addressOf = (account: string, tag: string | undefined): string =>
  tag === undefined ? account : `${account}:${tag}`;

import { getAddress } from 'ethers/address';
import { classicAddressToXAddress } from 'ripple-address-codec';
import { describe, expect, test } from 'vitest';
import { addressOf, decision, judgeUser, userOf } from '../support/judge/judge-request.ts';

const ETH = getAddress(addressOf('taylor-robbins', 'ETH'));
const XRP = addressOf('taylor-robbins', 'XRP');
const ACCOUNT = XRP.slice(0, XRP.indexOf(':'));
const flipCase = (text: string) => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase());

/** As a Korean or Japanese keyboard may write it. */
const wide = (text: string) =>
  text.replace(/[!-~]/g, character => String.fromCharCode(character.charCodeAt(0) + 0xfee0));

/** The checksummed address with the case of one letter changed. */
const badChecksum = (address: string) => {
  const at = address.slice(2).search(/[a-fA-F]/) + 2;
  return address.slice(0, at) + flipCase(address.charAt(at)) + address.slice(at + 1);
};

const judged = (symbol: 'ETH' | 'XRP', address: string) => judgeUser({ symbol, addresses: [address] });

describe('D-08: is the address of Taylor Robbins', () => {
  test.each([
    ['ETH', 'with its checksum', ETH],
    ['ETH', 'in lower case', ETH.toLowerCase()],
    ['ETH', 'in upper case', `0x${ETH.slice(2).toUpperCase()}`],
    ['XRP', 'with its tag', XRP],
  ] as const)('%s %s', (symbol, _, address) => {
    expect(judged(symbol, address)).toMatchObject({ verdict: { reason: 'OK' }, user: { id: 'taylor-robbins' } });
  });
});

describe('D-08: is no address of a user: UNKNOWN-ADDRESS with the address as received', () => {
  test.each([
    ['ETH', 'with a wrong checksum', badChecksum(ETH), 'not an address of ETH'],
    ['ETH', 'without 0x', ETH.slice(2), 'it is an address without 0x'],
    ['ETH', 'one digit short', ETH.slice(0, -1), 'not an address of ETH'],
    ['ETH', 'with a tag', `${ETH}:123456789`, 'it is an address inside another text'],
    ['ETH', 'with a blank behind', `${ETH} `, 'not an address of ETH'],
    ['XRP', 'without a tag', ACCOUNT, 'the destination tag is missing'],
    ['XRP', 'with an empty tag', `${ACCOUNT}:`, 'not an address of XRP'],
    ['XRP', "with nobody's tag", `${ACCOUNT}:42`, 'no user has this destination tag'],
    ['XRP', 'with a leading zero in the tag', `${ACCOUNT}:0123456789`, 'not an address of XRP'],
    ['XRP', 'with a tag beyond 32 bits', `${ACCOUNT}:4294967296`, 'not an address of XRP'],
    ['XRP', 'with a signed tag', `${ACCOUNT}:+123456789`, 'not an address of XRP'],
    ['XRP', 'in lower case', XRP.toLowerCase(), 'not an address of XRP'],
    ['XRP', 'of a stranger', 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe:123456789', 'not an account of the robot'],
  ] as const)('%s %s', (symbol, _, address, detail) => {
    const judgement = judged(symbol, address);
    expect(judgement.verdict).toEqual({ result: 'DENIED', reason: 'UNKNOWN-ADDRESS', message: address });
    expect(decision(judgement)).toMatchObject({ field: 'beneficiary.accountNumber.0', detail });
  });
});

describe('D-08: a form of other programs: UNKNOWN-ADDRESS as before, and the near miss says what to send', () => {
  const TAG = Number(XRP.slice(ACCOUNT.length + 1));
  test.each([
    ['ETH', `eip155:31337:${ETH}`, 'a CAIP-10 account'],
    ['ETH', `EIP155:1:${ETH.toLowerCase()}`, 'a CAIP-10 account'],
    ['ETH', `ethereum:${ETH}@31337`, 'an EIP-681 address'],
    ['ETH', `ethereum:${ETH}`, 'an EIP-681 address'],
    ['ETH', `ethereum:pay-${ETH}@31337?value=1e18`, 'an EIP-681 address'],
    ['ETH', `sep:${ETH}`, 'an ERC-3770 address'],
    ['ETH', ETH.slice(2).toLowerCase(), 'an address without 0x'],
    ['ETH', ` eip155:31337:${ETH}\n`, 'a CAIP-10 account'],
    ['ETH', `"${ETH}"`, 'an address inside another text'],
    ['ETH', `https://etherscan.io/address/${ETH}`, 'an address inside another text'],
    ['ETH', `did:pkh:eip155:1:${ETH}`, 'an address inside another text'],
    ['ETH', `${ETH}, ${ETH.toLowerCase()}`, 'an address inside another text'],
    ['ETH', `0x${'0'.repeat(24)}${ETH.slice(2)}`, 'an address in a word of 32 bytes'],
    ['ETH', wide(ETH), 'an address in other characters'],
    ['ETH', `ethereum%3A${ETH}`, 'an EIP-681 address'],
    ['XRP', `${ACCOUNT}:${wide(`${TAG}`)}`, 'an address in other characters'],
    ['XRP', `${ACCOUNT}%3A${TAG}`, 'an address in other characters'],
    ['XRP', `${ACCOUNT}%3Fdt%3D${TAG}`, 'an address with the tag as a query'],
    ['XRP', `${TAG}:${ACCOUNT}`, 'an address with another mark before the tag'],
    ['XRP', `${ACCOUNT}?dt=${TAG}`, 'an address with the tag as a query'],
    ['XRP', `${ACCOUNT}?amount=5&dt=${TAG}`, 'an address with the tag as a query'],
    ['XRP', `xrpl:${ACCOUNT}?dt=${TAG}`, 'an address with the tag as a query'],
    ['XRP', `xrpl:1:${ACCOUNT}:${TAG}`, 'a CAIP-10 account'],
    ['XRP', `xrpl:1:${ACCOUNT}-${TAG}`, 'a CAIP-10 account'],
    ['XRP', `xrp:${ACCOUNT}:${TAG}`, 'a payment URI'],
    ['XRP', `${ACCOUNT}#${TAG}`, 'an address with another mark before the tag'],
    ['XRP', `${ACCOUNT} ${TAG}`, 'an address with another mark before the tag'],
    ['XRP', `${ACCOUNT} / ${TAG}`, 'an address with another mark before the tag'],
    ['XRP', `XRPL:${ACCOUNT}?DT=${TAG}`, 'an address with the tag as a query'],
    ['XRP', `ripple:${ACCOUNT}?amount=5&DT=${TAG}`, 'an address with the tag as a query'],
    ['XRP', `xrpl://${ACCOUNT}?Destination_Tag=${TAG}&amount=5`, 'an address with the tag as a query'],
    ['XRP', `${ACCOUNT} destination tag ${TAG}`, 'an address with the tag in words'],
    ['XRP', `${ACCOUNT}:tag ${TAG}`, 'an address with the tag in words'],
    ['XRP', `${ACCOUNT} (Tag: ${TAG})`, 'an address with the tag in words'],
    ['XRP', `DestinationTag ${TAG}, address ${ACCOUNT}`, 'an address with the tag in words'],
    ['XRP', `to_tag=${TAG} ${ACCOUNT}`, 'an address with the tag in words'],
    ['XRP', classicAddressToXAddress(ACCOUNT, TAG, true), 'an X-address'],
    ['XRP', `${ACCOUNT}?memo=${TAG}`, 'an address with the tag as a query'],
    ['XRP', `${ACCOUNT} memo=${TAG}`, 'an address with the tag in words'],
    ['XRP', `${ACCOUNT} tag ${TAG} (memo 5)`, 'an address with the tag in words'],
    ['XRP', `${ACCOUNT} 데스티네이션 태그: ${TAG}`, 'an address with another mark before the tag'],
    ['XRP', classicAddressToXAddress(ACCOUNT, TAG, false), 'an X-address'],
    ['XRP', `xrpl:${classicAddressToXAddress(ACCOUNT, TAG, true)}`, 'an X-address'],
  ] as const)('%s %j', (symbol, text, name) => {
    const judgement = judged(symbol, text);
    expect(judgement.verdict).toEqual({ result: 'DENIED', reason: 'UNKNOWN-ADDRESS', message: text });
    expect(decision(judgement)).toMatchObject({ detail: `it is ${name}` });
    expect(judgement.nearMiss).toMatchObject({ expected: symbol === 'ETH' ? ETH : XRP });
  });

  test.each([
    ['ETH', `eip155:31337:0x${'7e'.repeat(20)}`, `send 0x${'7e'.repeat(20)}`],
    ['XRP', 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe?dt=23', 'send rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe:23'],
  ] as const)('%s of a stranger: %j', (symbol, text, detail) => {
    expect(decision(judged(symbol, text))).toMatchObject({ detail: expect.stringContaining(detail) });
  });

  test('an X-address without a tag: the near miss is an address with one', () => {
    const { nearMiss } = judged('XRP', classicAddressToXAddress(ACCOUNT, false, true));
    expect(nearMiss?.expected).toMatch(new RegExp(`^${ACCOUNT}:\\d+$`));
  });

  test.each([
    `${ACCOUNT} tag 1 tag 2`,
    `${ACCOUNT} tag 0x5`,
    `${ACCOUNT} DT 1e3`,
    `${classicAddressToXAddress(ACCOUNT, TAG, true)}:${TAG}`,
    `${ACCOUNT} 1 or 2`,
    `${ACCOUNT}?dt=0123456789`,
    `${ACCOUNT} tag 4294967296`,
    `${ACCOUNT} ${ACCOUNT} tag 1`,
    `${ACCOUNT.slice(0, -1)} tag 1`,
  ])('XRP %j is none: no single address and tag', text => {
    expect(decision(judged('XRP', text))?.detail).toBe('not an address of XRP');
  });

  test.each([
    'eip155:31337:0x12',
    'ethereum:',
    'bitcoin',
    '%E0%A4%A',
    `ethereum:0x${'7e'.repeat(20)}/transfer?address=${ETH}`,
    `${ETH}${ETH.slice(2)}`,
  ])('%j is none of them', text => {
    expect(decision(judged('ETH', text))?.detail).toBe('not an address of ETH');
  });
});

test('D-08: the tag alone tells the users of the one XRP account apart', () => {
  const address = addressOf('ethan-cook', 'XRP');
  expect(address.startsWith(`${ACCOUNT}:`)).toBe(true);
  expect(judgeUser({ symbol: 'XRP', user: 'ethan-cook', addresses: [address] }).user?.id).toBe('ethan-cook');
});

test('PROD-5: a published address, in any case, is named as such to the tester', () => {
  const published = userOf('garrit-studio').published?.ETH ?? '';
  for (const address of [published, published.toLowerCase()])
    expect(decision(judged('ETH', address))?.detail).toBe(
      'the published address of garrit-studio: the robot does not have its key',
    );
});

import { getAddress } from 'ethers/address';
import type { Reason, Result } from '../../../src/contract/clauses.ts';
import { type Ask, addressOf, BORN, legal, natural } from './judge-request.ts';

export type Row = [title: string, ask: Ask, reason: Reason, message?: string, result?: Result];

const STRANGER = '0x5811001506550d8356a215be229c15b6ef371a9b';
export const PABLO = { dateAndPlaceOfBirth: { dateOfBirth: '1949-12-01', placeOfBirth: 'Colombia' } };
export const company = (...representatives: ReturnType<typeof natural>[]) => [legal('Acme Ltd'), ...representatives];
export const blankName = (primaryIdentifier: string | null) => ({
  naturalPerson: { name: { nameIdentifier: [{ primaryIdentifier, secondaryIdentifier: 'Robert' }] }, ...BORN },
});

export const bornOn = (dateOfBirth: string) =>
  natural('Barnes', 'Robert', { dateAndPlaceOfBirth: { dateOfBirth, placeOfBirth: 'Seoul' } });

/** Rows that both an account and a user verification answer alike. */
export const BOTH: Row[] = [
  ['REF-4.6.6: address and name of Taylor Robbins', {}, 'OK'],
  ['REF-4.6.7: Garrit Studio with its first representative', { user: 'garrit-studio' }, 'OK'],
  [
    'REF-4.6.7: Garrit Studio with its second representative',
    { user: 'garrit-studio', beneficiary: [legal('Garrit Studio'), natural('Lindqvist', 'Mara')] },
    'OK',
  ],
  [
    'REF-4.6.7: one right representative among wrong ones',
    {
      user: 'garrit-studio',
      beneficiary: [legal('Garrit Studio'), natural('Nobody', 'Else'), natural('Clarke', 'Jason')],
    },
    'OK',
  ],
  ['REF-4.6.3: XRP of Taylor Robbins', { symbol: 'XRP' }, 'OK'],
  ['REF-4.6.3: another symbol', { symbol: 'BTC' }, 'UNKNOWN-SYMBOL', 'BTC'],
  ['REF-4.6.3: a symbol in lower case', { symbol: 'eth' }, 'UNKNOWN-SYMBOL', 'eth'],
  [
    'REF-4.6.3: a symbol named like a member of every object',
    { symbol: 'constructor' },
    'UNKNOWN-SYMBOL',
    'constructor',
  ],
  ['D-07: ETH on Ethereum', { network: 'Ethereum' }, 'OK'],
  ['D-07: ETH on ETHEREUM', { network: 'ETHEREUM' }, 'OK'],
  ['D-07: XRP on Ripple', { symbol: 'XRP', network: 'Ripple' }, 'OK'],
  ['D-07: XRP on xrp ledger', { symbol: 'XRP', network: 'xrp ledger' }, 'OK'],
  ['D-07: ETH on Ripple', { network: 'Ripple' }, 'UNKNOWN-NETWORK', 'Ripple'],
  ['D-07: XRP on Ethereum', { symbol: 'XRP', network: 'Ethereum' }, 'UNKNOWN-NETWORK', 'Ethereum'],
  ['D-07: ETH on Tron', { network: 'Tron' }, 'UNKNOWN-NETWORK', 'Tron'],
  ["REF-4.6.6: nobody's address", { addresses: [STRANGER] }, 'UNKNOWN-ADDRESS', STRANGER],
  [
    'PROD-5: a published address whose key is not held',
    { addresses: ['0xFa230E9cCAF5e382539147294d7965Eeccbbfa5c'] },
    'UNKNOWN-ADDRESS',
    '0xFa230E9cCAF5e382539147294d7965Eeccbbfa5c',
  ],
  [
    'an address of the other ledger',
    { symbol: 'XRP', addresses: [addressOf('taylor-robbins', 'ETH')] },
    'UNKNOWN-ADDRESS',
    addressOf('taylor-robbins', 'ETH'),
  ],
  [
    'two account numbers of one user',
    { addresses: [addressOf('taylor-robbins'), getAddress(addressOf('taylor-robbins'))] },
    'OK',
  ],
  [
    "two account numbers, the second is nobody's",
    { addresses: [addressOf('taylor-robbins'), STRANGER] },
    'UNKNOWN-ADDRESS',
    STRANGER,
  ],
  [
    'two account numbers of two users',
    { addresses: [addressOf('taylor-robbins'), addressOf('ethan-cook')] },
    'UNKNOWN-ADDRESS',
    addressOf('ethan-cook'),
  ],
  ['REF-4.6.6: a wrong name', { beneficiary: [natural('Robbins', 'Tim')] }, 'MISMATCHED-NAME'],
  ['REF-4.6.7: Ethan Cook', { user: 'ethan-cook' }, 'UNVERIFIED-KYC'],
];

export const ACCOUNT_ONLY: Row[] = [
  ['WIRE-2.3: without persons the address alone is checked', { beneficiary: null }, 'OK'],
  ['WIRE-2.3: with an empty list of persons too', { beneficiary: [] }, 'OK'],
  ['D-06: Ethan Cook without a name', { user: 'ethan-cook', beneficiary: null }, 'UNVERIFIED-KYC'],
  ...['not-allowed', 'undefined-error', 'unknown-wallet', 'never-answers'].map(
    (user): Row => [`PROD-5: an account verification of ${user} is`, { user }, 'OK'],
  ),
];

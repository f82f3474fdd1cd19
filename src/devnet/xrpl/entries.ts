import { coreTypes, encode } from 'ripple-binary-codec';
import type { LedgerEntry } from 'xrpl';
import { remember } from '../../kernel/remember.ts';
import { requireAccountId } from './addresses.ts';
import { fromHex, sha512Half, toHex, ZERO_HASH } from './hash.ts';
import type { Asset } from './quantities.ts';

/**
 * Entries of the ledger state, in the JSON form of the binary codec and without their key.
 * They are never changed in place: a transactor writes a new object.
 */
export interface Entry {
  readonly LedgerEntryType: string;
  readonly Flags: number;
  readonly [field: string]: unknown;
}

/** As the library describes them, without the key. */
type Known<E> = Entry & Omit<E, 'index'>;
export type AccountRoot = Known<LedgerEntry.AccountRoot>;
export type Escrow = Known<LedgerEntry.Escrow>;
export type Offer = Known<LedgerEntry.Offer>;
export type SignerList = Known<LedgerEntry.SignerList>;

/** A trust line between two accounts. The low one is the one with the smaller id. */
export type TrustLine = Known<LedgerEntry.RippleState> & { LowNode: string; HighNode: string };

export interface DirectoryNode extends Entry {
  readonly LedgerEntryType: 'DirectoryNode';
  readonly Indexes: readonly string[];
  readonly IndexNext?: string;
  readonly IndexPrevious?: string;
}

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const u64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
};
interface Codec {
  Currency: { from(code: string): { toBytes(): Uint8Array } };
}
const ZERO_BYTES = Buffer.alloc(20);
const XRP_SIDE = { currency: ZERO_BYTES, issuer: ZERO_BYTES };
/** The 20 bytes of a currency code: three characters, or 40 hex digits. */
export const currencyBytes = (currency: string): Uint8Array =>
  (coreTypes as unknown as Codec).Currency.from(currency).toBytes();
/** Key of an entry. `space`: the letter of its kind. */
const keyIn = (space: string, ...parts: Uint8Array[]): string =>
  toHex(sha512Half(Buffer.from(`\0${space}`, 'latin1'), ...parts));

export const accountKey = remember(20_000, address => keyIn('a', requireAccountId(address)));
export const ticketKey = (address: string, sequence: number): string =>
  keyIn('T', requireAccountId(address), u32(sequence));
export const ownerDirectoryKey = (address: string): string => keyIn('O', requireAccountId(address));
export const directoryPageKey = (root: string, page: bigint): string =>
  page === 0n ? root : keyIn('d', fromHex(root), u64(page));
export const signerListKey = (address: string): string => keyIn('S', requireAccountId(address), u32(0));
export const depositPreauthKey = (owner: string, authorized: string): string =>
  keyIn('p', requireAccountId(owner), requireAccountId(authorized));
export const trustLineKey = (one: string, other: string, currency: string): string =>
  keyIn('r', ...[one, other].map(requireAccountId).sort(Buffer.compare), currencyBytes(currency));
export const offerKey = (address: string, sequence: number): string =>
  keyIn('o', requireAccountId(address), u32(sequence));
export const escrowKey = (address: string, sequence: number): string =>
  keyIn('u', requireAccountId(address), u32(sequence));
/** The 48 digits that the directories of an order book have in common. The quality follows them. */
export function bookPrefix(takerPays: Asset, takerGets: Asset): string {
  const sides = [takerPays, takerGets].map(asset =>
    asset === 'XRP' ? XRP_SIDE : { currency: currencyBytes(asset.currency), issuer: requireAccountId(asset.issuer) },
  );
  const parts = [...sides.map(({ currency }) => currency), ...sides.map(({ issuer }) => issuer)];
  return keyIn('B', ...parts).slice(0, 48);
}
export const feeSettingsKey = keyIn('e');
export const amendmentsKey = keyIn('f');
/** The LedgerHashes entry of the last 256 ledgers. */
export const recentHashesKey = keyIn('s');
/** The LedgerHashes entry of every 256th ledger in one block of 65,536 ledgers. */
export const skipListKey = (block: number): string => keyIn('s', u32(block));

/** The first Sequence of an account is the index of the ledger that creates it (XRPL-4.3). */
export const newAccount = (address: string, sequence: number, drops: bigint): AccountRoot => ({
  LedgerEntryType: 'AccountRoot',
  Flags: 0,
  Account: address,
  Balance: drops.toString(),
  OwnerCount: 0,
  Sequence: sequence,
  PreviousTxnID: ZERO_HASH,
  PreviousTxnLgrSeq: 0,
});

export const entryBytes = (entry: Entry): Buffer => fromHex(encode(entry));

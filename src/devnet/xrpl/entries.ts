import { coreTypes, encode } from 'ripple-binary-codec';
import { remember } from '../../kernel/remember.ts';
import { requireAccountId } from './addresses.ts';
import { fromHex, sha512Half, toHex, ZERO_HASH } from './hash.ts';
import type { Amount, Asset, TokenAmount } from './quantities.ts';

/**
 * Entries of the ledger state, in the JSON form of the binary codec and without their key.
 * They are never changed in place: a transactor writes a new object.
 */
export interface Entry {
  readonly LedgerEntryType: string;
  readonly Flags: number;
  readonly [field: string]: unknown;
}

export interface AccountRoot extends Entry {
  readonly LedgerEntryType: 'AccountRoot';
  readonly Account: string;
  /** Drops. */
  readonly Balance: string;
  readonly OwnerCount: number;
  readonly Sequence: number;
  readonly PreviousTxnID: string;
  readonly PreviousTxnLgrSeq: number;
  readonly AccountTxnID?: string;
  readonly RegularKey?: string;
  readonly TicketCount?: number;
}

export interface SignerList extends Entry {
  readonly LedgerEntryType: 'SignerList';
  readonly SignerQuorum: number;
  /** Sorted by account id. */
  readonly SignerEntries: readonly SignerEntryJson[];
}

export interface SignerEntryJson {
  readonly SignerEntry: {
    readonly Account: string;
    readonly SignerWeight: number;
    /** The tag of a signer: 32 bytes in hex. */
    readonly WalletLocator?: string;
  };
}

/** A trust line between two accounts. The low one is the one with the smaller id. */
export interface TrustLine extends Entry {
  readonly LedgerEntryType: 'RippleState';
  /** Held by the low account; negative: by the high account. */
  readonly Balance: TokenAmount;
  readonly LowLimit: TokenAmount;
  readonly HighLimit: TokenAmount;
  readonly LowNode: string;
  readonly HighNode: string;
}

export interface Offer extends Entry {
  readonly LedgerEntryType: 'Offer';
  readonly Account: string;
  readonly Sequence: number;
  readonly TakerPays: Amount;
  readonly TakerGets: Amount;
  readonly BookDirectory: string;
  readonly BookNode: string;
  readonly OwnerNode: string;
  readonly Expiration?: number;
}

export interface Escrow extends Entry {
  readonly LedgerEntryType: 'Escrow';
  readonly Account: string;
  readonly Destination: string;
  /** Drops. */
  readonly Amount: string;
  readonly FinishAfter?: number;
  readonly CancelAfter?: number;
  readonly Condition?: string;
  readonly OwnerNode: string;
  /** Absent: its owner is the destination too. */
  readonly DestinationNode?: string;
}

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
    asset === 'XRP'
      ? XRP_SIDE
      : { currency: currencyBytes(asset.currency), issuer: requireAccountId(asset.issuer) },
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

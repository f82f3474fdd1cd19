import { remember } from '../../kernel/remember.ts';
import { requireAccountId } from './addresses.ts';
import { fromHex, sha512Half, toHex, ZERO_HASH } from './hash.ts';
import { serialize } from './serialize.ts';

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
const space = (letter: string): Buffer => Buffer.from(`\0${letter}`, 'latin1');

export const accountKey = remember(20_000, address =>
  toHex(sha512Half(space('a'), requireAccountId(address))),
);
export const ticketKey = (address: string, sequence: number): string =>
  toHex(sha512Half(space('T'), requireAccountId(address), u32(sequence)));
export const ownerDirectoryKey = (address: string): string =>
  toHex(sha512Half(space('O'), requireAccountId(address)));
export const directoryPageKey = (root: string, page: bigint): string =>
  page === 0n ? root : toHex(sha512Half(space('d'), fromHex(root), u64(page)));
export const signerListKey = (address: string): string =>
  toHex(sha512Half(space('S'), requireAccountId(address), u32(0)));
export const depositPreauthKey = (owner: string, authorized: string): string =>
  toHex(sha512Half(space('p'), requireAccountId(owner), requireAccountId(authorized)));
export const feeSettingsKey = toHex(sha512Half(space('e')));
export const amendmentsKey = toHex(sha512Half(space('f')));
/** The LedgerHashes entry of the last 256 ledgers. */
export const recentHashesKey = toHex(sha512Half(space('s')));
/** The LedgerHashes entry of every 256th ledger in one block of 65,536 ledgers. */
export const skipListKey = (block: number): string => toHex(sha512Half(space('s'), u32(block)));

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

export const entryBytes = (entry: Entry): Buffer => serialize(entry);

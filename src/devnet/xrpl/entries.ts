import { isDeepStrictEqual } from 'node:util';
import { coreTypes, encode } from 'ripple-binary-codec';
import type { LedgerEntry } from 'xrpl';
import { remember } from '../../kernel/rate-limit.ts';
import { fromHex, sha512Half, toHex, uint, ZERO_HASH } from './hash-tree.ts';
import type { Asset } from './quantities.ts';
import { requireAccountId, type Transaction } from './signature.ts';

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
  keyIn('T', requireAccountId(address), uint(sequence, 4));
export const ownerDirectoryKey = (address: string): string => keyIn('O', requireAccountId(address));
export const directoryPageKey = (root: string, page: bigint): string =>
  page === 0n ? root : keyIn('d', fromHex(root), uint(page, 8));
export const signerListKey = (address: string): string => keyIn('S', requireAccountId(address), uint(0, 4));
export const depositPreauthKey = (owner: string, authorized: string): string =>
  keyIn('p', requireAccountId(owner), requireAccountId(authorized));
export const trustLineKey = (one: string, other: string, currency: string): string =>
  keyIn('r', ...[one, other].map(requireAccountId).sort(Buffer.compare), currencyBytes(currency));
export const offerKey = (address: string, sequence: number): string =>
  keyIn('o', requireAccountId(address), uint(sequence, 4));
export const escrowKey = (address: string, sequence: number): string =>
  keyIn('u', requireAccountId(address), uint(sequence, 4));
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

/** Ledger state: a key (64 hex digits) -> its entry, or undefined. */
export interface ReadView {
  read(key: string): Entry | undefined;
  /** The first key behind `after` up to and including `last`. */
  next(after: string, last: string): string | undefined;
}

export interface EntryChange {
  readonly key: string;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
  /** The last version of a deleted entry. */
  readonly erased?: Entry | undefined;
}

/** Changes over another state, which stays as it is until `commitTo`. */
export class LedgerView implements ReadView {
  readonly #base: ReadView;
  readonly #written = new Map<string, Entry | undefined>();
  readonly #erased = new Map<string, Entry | undefined>();

  constructor(base: ReadView) {
    this.#base = base;
  }

  read(key: string): Entry | undefined {
    return this.#written.has(key) ? this.#written.get(key) : this.#base.read(key);
  }

  next(after: string, last: string): string | undefined {
    let found = this.#base.next(after, last);
    while (found !== undefined && this.read(found) === undefined) found = this.#base.next(found, last);
    for (const [key, entry] of this.#written)
      if (entry && key > after && key <= last && (found === undefined || key < found)) found = key;
    return found;
  }

  account(address: string): AccountRoot | undefined {
    return this.read(accountKey(address)) as AccountRoot | undefined;
  }

  /** Throws if there is none. */
  requireAccount(address: string): AccountRoot {
    const account = this.account(address);
    if (!account) throw new Error(`account ${address} is missing`);
    return account;
  }

  write(key: string, entry: Entry): void {
    this.#written.set(key, entry);
  }

  writeAccount(account: AccountRoot): void {
    this.write(accountKey(account.Account), account);
  }

  /** Writes the account with more drops, or with less. */
  addXrp(account: AccountRoot, drops: bigint): void {
    this.writeAccount({ ...account, Balance: (BigInt(account.Balance) + drops).toString() });
  }

  erase(key: string): void {
    this.#erased.set(key, this.read(key));
    this.#written.set(key, undefined);
  }

  /** The differences from the state below, sorted by key. */
  changes(): EntryChange[] {
    const changes: EntryChange[] = [];
    for (const [key, after] of this.#written) {
      const before = this.#base.read(key);
      if (areEqual(before, after)) continue;
      changes.push({ key, before, after, erased: after ? undefined : this.#erased.get(key) });
    }
    return changes.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  commitTo(target: LedgerView): void {
    for (const [key, entry] of this.#written)
      if (entry) target.write(key, entry);
      else target.erase(key);
  }
}

/** By value: an entry that is read again has new arrays and objects. */
export const areEqual = (a: unknown, b: unknown): boolean => a === b || isDeepStrictEqual(a, b);

/** A fee level is the paid fee relative to the base fee; 256 is the base fee itself. */
export const BASE_LEVEL = 256n;
/** Of the first place beyond the expected size of the open ledger. */
export const MEDIAN_LEVEL = 128_000n;

/** Fees and reserves in drops, as in the FeeSettings entry. */
export interface Fees {
  readonly base: bigint;
  readonly reserveBase: bigint;
  readonly reserveIncrement: bigint;
}

export const accountReserve = (fees: Fees, ownerCount: number): bigint =>
  fees.reserveBase + BigInt(ownerCount) * fees.reserveIncrement;

/** One base fee, and one more for each signature of a multi-signed transaction. In drops. */
export const defaultBaseFee = (tx: Transaction, { base }: Fees): bigint =>
  base * BigInt(1 + ((tx.json.Signers as readonly unknown[] | undefined)?.length ?? 0));

import { isDeepStrictEqual } from 'node:util';
import type { AccountRoot, Entry } from './entries.ts';
import { accountKey } from './entries.ts';

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
      if (sameEntry(before, after)) continue;
      changes.push({ key, before, after, erased: after ? undefined : this.#erased.get(key) });
    }
    return changes.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Every written key with its entry; undefined: it is deleted. */
  written(): ReadonlyMap<string, Entry | undefined> {
    return this.#written;
  }

  commitTo(target: LedgerView): void {
    for (const [key, entry] of this.#written)
      if (entry) target.write(key, entry);
      else target.erase(key);
  }
}

function sameEntry(a: Entry | undefined, b: Entry | undefined): boolean {
  if (a === b) return true;
  if (!a || !b) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every(name => sameField(a[name], b[name]));
}

/** By value: an entry that is read again has new arrays and objects. */
export const sameField = (a: unknown, b: unknown): boolean => a === b || isDeepStrictEqual(a, b);

import { decode, encode } from 'ripple-binary-codec';
import { expect } from 'vitest';
import { getBalanceChanges, hashes } from 'xrpl';
import type { Json, TestLedger } from './test-ledger.ts';

const GENESIS_COINS = 10n ** 17n;

interface Seen {
  readonly hash: string;
  readonly coins: bigint;
  readonly balances: Map<string, bigint>;
  readonly sequences: Map<string, number>;
  /** Drops that nobody holds now. */
  readonly escrowed: bigint[];
}

/** The invariants of every closed ledger, whatever was submitted. Keeps the last ledger that it saw. */
export class Invariants {
  readonly #ledger: TestLedger;
  #last: Seen | undefined;
  transactions = 0;
  readonly results = new Map<string, number>();

  constructor(ledger: TestLedger) {
    this.#ledger = ledger;
  }

  async check(): Promise<void> {
    const v1 = await this.#read(1);
    const state = v1.accountState as Json[];
    const listed = (v1.transactions as Json[]).toSorted((a, b) => position(a) - position(b));
    checkHash(v1);
    const seen = this.#seen(v1, state);
    this.#checkCoins(seen, listed);
    this.#checkBalances(seen, listed);
    this.#checkSequences(seen, listed);
    checkOwners(state);
    checkEntries(state, listed);
    for (const tx of listed) checkMeta(tx);
    this.transactions += listed.length;
    this.#last = seen;
  }

  /** Takes the newest ledger as the one before the first that is checked. */
  async begin(): Promise<void> {
    const v1 = await this.#read(1);
    checkHash(v1);
    this.#last = this.#seen(v1, v1.accountState as Json[]);
  }

  async #read(version: 1 | 2): Promise<Json> {
    const wish = { ledger_index: 'validated', transactions: true, expand: true, accounts: true, api_version: version };
    return (await this.#ledger.rpc('ledger', wish)).ledger as Json;
  }

  #seen(v1: Json, state: Json[]): Seen {
    const roots = state.filter(entry => entry.LedgerEntryType === 'AccountRoot');
    if (this.#last) expect(v1.parent_hash).toBe(this.#last.hash);
    return {
      hash: String(v1.ledger_hash),
      coins: BigInt(String(v1.total_coins)),
      balances: new Map(roots.map(root => [String(root.Account), BigInt(String(root.Balance))])),
      escrowed: state.filter(entry => entry.LedgerEntryType === 'Escrow').map(({ Amount }) => BigInt(String(Amount))),
      sequences: new Map(roots.map(root => [String(root.Account), Number(root.Sequence)])),
    };
  }

  #checkCoins(seen: Seen, listed: Json[]): void {
    const sum = [...seen.balances.values(), ...seen.escrowed].reduce((a, b) => a + b, 0n);
    expect(sum).toBe(seen.coins);
    const burned = listed.reduce((total, tx) => total + BigInt(String(tx.Fee)), 0n);
    const whole = listed.every(tx => (tx.metaData as Json).TransactionResult !== 'tecINSUFF_FEE');
    const before = this.#last?.coins ?? GENESIS_COINS;
    if (whole) expect(before - seen.coins).toBe(burned);
    else expect(before - seen.coins).toBeLessThanOrEqual(burned);
  }

  /** The metadata agree with the balances. */
  #checkBalances(seen: Seen, listed: Json[]): void {
    const told = new Map<string, bigint>();
    for (const tx of listed)
      for (const { account, balances } of getBalanceChanges(tx.metaData as never))
        for (const { currency, value } of balances)
          if (currency === 'XRP') told.set(account, (told.get(account) ?? 0n) + drops(value));
    const accounts = new Set([...seen.balances.keys(), ...told.keys()]);
    for (const account of accounts) {
      if (!this.#last) continue;
      const difference = (seen.balances.get(account) ?? 0n) - (this.#last.balances.get(account) ?? 0n);
      expect(told.get(account) ?? 0n).toBe(difference);
    }
  }

  /** Only AccountDelete ends an account. Its address comes back with a higher Sequence. */
  #checkSequences(seen: Seen, listed: Json[]): void {
    const deleted = new Set(listed.filter(tx => tx.TransactionType === 'AccountDelete').map(({ Account }) => Account));
    for (const [account, sequence] of this.#last?.sequences ?? [])
      if (seen.sequences.has(account) || !deleted.has(account))
        expect(seen.sequences.get(account)).toBeGreaterThanOrEqual(sequence);
  }

  count(result: unknown): void {
    this.results.set(String(result), (this.results.get(String(result)) ?? 0) + 1);
  }
}

const position = (tx: Json): number => Number((tx.metaData as Json).TransactionIndex);

function drops(xrp: string): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(xrp) ?? [];
  const value = BigInt(whole + fraction.padEnd(6, '0'));
  return sign ? -value : value;
}

/** Header and trees, built anew by the client library; the state tree where the state was asked for too. */
export function checkHash(v1: Json): void {
  const transactions = (v1.transactions as Json[]).map(({ DeliverMax: _jsonOnly, ...tx }) => tx);
  const computeTreeHashes = v1.accountState !== undefined;
  expect(hashes.hashLedger({ ...v1, transactions } as never, { computeTreeHashes })).toBe(v1.ledger_hash);
  expect(hashes.hashTxTree(transactions as never)).toBe(v1.transaction_hash);
}

/** An account whose directory lists an entry, and whether the entry counts for its reserve. */
interface Ownership {
  readonly owner: string;
  readonly counts: boolean;
}
type Limit = { issuer: string };

function ownersOf(entry: Json, lists: ReadonlyMap<string, string>): Ownership[] {
  const counted = (owner: unknown) => [{ owner: String(owner), counts: true }];
  switch (entry.LedgerEntryType) {
    case 'SignerList': {
      const owner = lists.get(String(entry.index));
      return owner === undefined ? [] : counted(owner);
    }
    case 'Ticket':
    case 'DepositPreauth':
    case 'Offer':
      return counted(entry.Account);
    case 'Escrow':
      return entry.Account === entry.Destination
        ? counted(entry.Account)
        : [...counted(entry.Account), { owner: String(entry.Destination), counts: false }];
    case 'RippleState':
      return [
        { owner: (entry.LowLimit as Limit).issuer, counts: (Number(entry.Flags) & 0x00010000) !== 0 },
        { owner: (entry.HighLimit as Limit).issuer, counts: (Number(entry.Flags) & 0x00020000) !== 0 },
      ];
    default:
      return [];
  }
}

/** OwnerCount and TicketCount are what the state holds, and every owned entry is in the directory of its owners. */
function checkOwners(state: Json[]): void {
  const roots = state.filter(entry => entry.LedgerEntryType === 'AccountRoot');
  const lists = new Map(roots.map(({ Account }) => [hashes.hashSignerListId(String(Account)), String(Account)]));
  const owned = new Map<string, { entry: Json; counts: boolean }[]>();
  for (const entry of state)
    for (const { owner, counts } of ownersOf(entry, lists))
      owned.set(owner, [...(owned.get(owner) ?? []), { entry, counts }]);
  const pages = state.filter(entry => entry.LedgerEntryType === 'DirectoryNode');
  const directories = pages.filter(page => page.Owner !== undefined);
  const accounts = new Set(roots.map(({ Account }) => Account));
  for (const owner of [...owned.keys(), ...directories.map(page => page.Owner as string)])
    expect(accounts).toContain(owner);
  for (const root of roots) {
    const own = owned.get(String(root.Account)) ?? [];
    expect(root.OwnerCount).toBe(own.filter(({ counts }) => counts).length);
    expect(root.TicketCount ?? 0).toBe(own.filter(({ entry }) => entry.LedgerEntryType === 'Ticket').length);
    const directory = directories.filter(page => page.Owner === root.Account);
    const placed = directory.flatMap(page => page.Indexes as string[]);
    expect(placed.toSorted()).toEqual(own.map(({ entry }) => String(entry.index)).toSorted());
    expect(BigInt(String(root.Balance))).toBeGreaterThanOrEqual(0n);
    if (root.PreviousTxnLgrSeq !== 0) expect(root.PreviousTxnID).toMatch(/^[0-9A-F]{64}$/);
  }
  checkBooks(
    state,
    pages.filter(page => page.Owner === undefined),
  );
}

/** Every offer is in the directory of its price, and those directories list nothing else. */
function checkBooks(state: Json[], pages: Json[]): void {
  const offers = state.filter(entry => entry.LedgerEntryType === 'Offer');
  const placed = pages.flatMap(page => (page.Indexes as string[]).map(key => `${page.RootIndex} ${key}`));
  const named = offers.map(offer => `${offer.BookDirectory} ${offer.index}`);
  expect(placed.toSorted()).toEqual(named.toSorted());
  for (const page of pages) expect(String(page.RootIndex).slice(-16)).toBe(page.ExchangeRate);
  for (const { TakerPays, TakerGets } of offers)
    for (const amount of [TakerPays, TakerGets])
      expect(numberOf(amount as string | { value: string })).toBeGreaterThan(0);
}

const numberOf = (amount: string | { value: string }): number =>
  Number(typeof amount === 'string' ? amount : amount.value);

/** What the metadata tell of an entry last is what the state holds. */
function checkEntries(state: Json[], listed: Json[]): void {
  const told = new Map<string, Json | undefined>();
  for (const tx of listed)
    for (const wrapped of (tx.metaData as { AffectedNodes: Record<string, Json>[] }).AffectedNodes)
      for (const [kind, node] of Object.entries(wrapped)) {
        const fields = (node.FinalFields ?? node.NewFields) as Json | undefined;
        if (kind === 'DeletedNode') told.set(String(node.LedgerIndex), undefined);
        else if (fields) told.set(String(node.LedgerIndex), fields);
      }
  const held = new Map(state.map(entry => [String(entry.index), entry]));
  for (const [key, fields] of told)
    if (fields) expect(held.get(key)).toMatchObject(fields);
    else expect(held.has(key)).toBe(false);
}

function checkMeta(tx: Json): void {
  const { DeliverMax: _jsonOnly, metaData, hash, ...fields } = tx;
  const { delivered_amount: delivered, ...meta } = metaData as Json;
  const succeeded = meta.TransactionResult === 'tesSUCCESS';
  const paid = tx.TransactionType === 'Payment' && succeeded;
  expect(delivered).toEqual(meta.DeliveredAmount ?? (paid ? tx.Amount : undefined));
  const isPartial = paid && (Number(tx.Flags) & 0x00020000) !== 0;
  const mayState = succeeded && (tx.TransactionType === 'AccountDelete' || isPartial);
  if (!mayState) expect(meta.DeliveredAmount).toBeUndefined();
  expect(encode(decode(encode(meta)))).toBe(encode(meta));
  const blob = encode(fields);
  expect(hashes.hashSignedTx(blob)).toBe(hash);
  expect(decode(blob)).toEqual(fields);
  const keys = (meta.AffectedNodes as Json[]).map(node => (Object.values(node)[0] as Json).LedgerIndex as string);
  expect(keys).toEqual(keys.toSorted());
}

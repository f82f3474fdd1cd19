import { decode, encode } from 'ripple-binary-codec';
import { expect } from 'vitest';
import { getBalanceChanges, hashes } from 'xrpl';
import type { Json, Network } from './network.ts';

type Balances = Map<string, bigint>;

interface Seen {
  readonly index: number;
  readonly hash: string;
  readonly coins: bigint;
  /** Undefined where the server shows no state. */
  readonly balances: Balances | undefined;
}

/** Invariants of every ledger of an honest server, read from outside: money, hashes, metadata. */
export class Conservation {
  readonly #network: Network;
  #last: Seen | undefined;
  readonly results = new Map<string, number>();

  constructor(network: Network) {
    this.#network = network;
  }

  /** Every ledger since the last one that was checked, up to this one. */
  async checkThrough(index: number): Promise<void> {
    for (let next = this.#last ? this.#last.index + 1 : index; next <= index; next++) await this.#check(next);
  }

  async #check(index: number): Promise<void> {
    const { showsState } = this.#network.facts;
    const wish = { ledger_index: index, transactions: true, expand: true, accounts: showsState };
    const { ledger } = (await this.#network.ask('ledger', { ...wish, api_version: 1 })) as { ledger: Json };
    const listed = ledger.transactions as Json[];
    const state = ledger.accountState as Json[] | undefined;
    expectHash(ledger, state !== undefined);
    const seen = {
      index,
      hash: String(ledger.ledger_hash),
      coins: BigInt(String(ledger.total_coins)),
      balances: state && balancesOf(state),
    };
    if (seen.balances) expect(sum(seen.balances.values())).toBe(seen.coins);
    if (this.#last) expectSuccessor(this.#last, seen, ledger, listed);
    for (const tx of listed) {
      expectBlob(tx);
      this.#count(String((tx.metaData as Json).TransactionResult));
    }
    await this.#expectOtherForms(index, listed);
    this.#last = seen;
  }

  /** API 2 and binary answers tell of the same transactions. */
  async #expectOtherForms(ledger_index: number, listed: Json[]): Promise<void> {
    const wish = { ledger_index, transactions: true, expand: true };
    const json = ((await this.#network.ask('ledger', wish)).ledger as Json).transactions as Json[];
    const binary = ((await this.#network.ask('ledger', { ...wish, binary: true })).ledger as Json)
      .transactions as Json[];
    expect(json.map(({ hash }) => hash)).toEqual(listed.map(({ hash }) => hash));
    expect(binary.map(({ tx_blob }) => hashes.hashSignedTx(String(tx_blob)))).toEqual(listed.map(({ hash }) => hash));
    for (const [n, { meta_blob }] of binary.entries())
      expect(meta_blob).toBe(encode(storedMeta(listed[n]!.metaData as Json)));
  }

  #count(result: string): void {
    this.results.set(result, (this.results.get(result) ?? 0) + 1);
  }
}

/** With the trees where the state is there, else header and transactions alone. */
function expectHash(ledger: Json, withState: boolean): void {
  const transactions = (ledger.transactions as Json[]).map(asSigned);
  const whole = { ...ledger, transactions } as never;
  expect(hashes.hashTxTree(transactions as never)).toBe(ledger.transaction_hash);
  expect(hashes.hashLedger(whole, { computeTreeHashes: withState })).toBe(ledger.ledger_hash);
}

/** DeliverMax is how Amount is shown, and in no signed transaction. */
const asSigned = ({ DeliverMax: _, ...tx }: Json): Json => tx;

function expectSuccessor(last: Seen, seen: Seen, ledger: Json, listed: Json[]): void {
  expect(ledger.parent_hash).toBe(last.hash);
  expect(last.coins - seen.coins).toBe(sum(listed.map(({ Fee }) => BigInt(String(Fee)))));
  const changes: Balances = new Map();
  for (const { metaData, Fee } of listed) {
    const changed = getBalanceChanges(metaData as never).flatMap(({ account, balances }) =>
      balances.map(({ value }) => ({ account, drops: dropsOf(value) })),
    );
    expect(sum(changed.map(({ drops }) => drops))).toBe(-BigInt(String(Fee)));
    for (const { account, drops } of changed) changes.set(account, (changes.get(account) ?? 0n) + drops);
  }
  if (!seen.balances || !last.balances) return;
  const differences = [...seen.balances].map(
    ([account, balance]) => [account, balance - (last.balances?.get(account) ?? 0n)] as const,
  );
  const moved = (entries: Iterable<readonly [string, bigint]>) =>
    [...entries].filter(([, drops]) => drops !== 0n).sort();
  expect(moved(changes)).toEqual(moved(differences));
}

function expectBlob(tx: Json): void {
  const { metaData, hash, ...json } = asSigned(tx);
  const blob = encode(json);
  expect(hashes.hashSignedTx(blob)).toBe(hash);
  expect(decode(blob)).toEqual(json);
  const meta = encode(storedMeta(metaData as Json));
  expect(encode(decode(meta))).toBe(meta);
}

/** `delivered_amount` is added by the answer. */
const storedMeta = ({ delivered_amount: _, ...meta }: Json): Json => meta;

function balancesOf(state: Json[]): Balances {
  const roots = state.filter(({ LedgerEntryType }) => LedgerEntryType === 'AccountRoot');
  for (const { Account, index } of roots) expect(hashes.hashAccountRoot(String(Account))).toBe(index);
  return new Map(roots.map(({ Account, Balance }) => [String(Account), BigInt(String(Balance))]));
}

const sum = (values: Iterable<bigint>): bigint => [...values].reduce((total, each) => total + each, 0n);

/** Decimal XRP, with a sign -> drops. */
function dropsOf(xrp: string): bigint {
  const [, sign, whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(xrp) ?? [];
  const drops = BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, '0'));
  return sign ? -drops : drops;
}

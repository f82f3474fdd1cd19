import { afterEach, beforeEach, expect } from 'vitest';
import { Invariants } from './invariants.ts';
import { type Account, accountOf, fundedLedger, type Json, type TestLedger } from './test-ledger.ts';

export const issuer = accountOf('issuer');
export const alice = accountOf('alice');
export const bob = accountOf('bob');
export const maker = accountOf('maker');

export const PARTIAL = 0x00020000;

export const usd = (value: string | number, currency = 'USD') => ({
  currency,
  issuer: issuer.address,
  value: String(value),
});

interface Settled {
  readonly result: string;
  readonly meta: Json;
  readonly hash: string;
}

/** A ledger for each test, with money at the four accounts. Every ledger that it closes is checked. */
export function useTokenWorld() {
  let ledger: TestLedger;
  let invariants: Invariants;
  beforeEach(async () => {
    ledger = await fundedLedger(issuer, alice, bob, maker);
    invariants = new Invariants(ledger);
    await invariants.begin();
  });
  afterEach(() => ledger.close());

  /** Submits, closes, and returns the result in the closed ledger with its metadata. */
  async function settled(by: Account, json: Json): Promise<Settled> {
    const submitted = await ledger.submit({ Account: by.address, ...json }, by);
    ledger.controls.close();
    await invariants.check();
    const hash = String((submitted.tx_json as Json | undefined)?.hash);
    const found = await ledger.rpc('tx', { transaction: hash });
    const meta = (found.meta as Json | undefined) ?? {};
    const result = String(meta.TransactionResult ?? submitted.engine_result ?? submitted.error);
    return { result, meta, hash };
  }
  const trust = (by: Account, value: string | number, more: Json = {}) =>
    settled(by, { TransactionType: 'TrustSet', LimitAmount: usd(value), ...more });
  const pay = (by: Account, to: Account, Amount: unknown, more: Json = {}) =>
    settled(by, { TransactionType: 'Payment', Destination: to.address, Amount, ...more });
  const set = (by: Account, json: Json) => settled(by, { TransactionType: 'AccountSet', ...json });

  return {
    get ledger() {
      return ledger;
    },
    settled,
    trust,
    pay,
    set,
    offer: (by: Account, TakerGets: unknown, TakerPays: unknown, more: Json = {}) =>
      settled(by, { TransactionType: 'OfferCreate', TakerGets, TakerPays, ...more }),
    /** What an account holds of the issuer's dollars; undefined: it has no trust line. */
    async held(by: Account): Promise<string | undefined> {
      const { lines } = (await ledger.rpc('account_lines', { account: by.address })) as { lines: Json[] };
      return lines.find(line => line.account === issuer.address)?.balance as string | undefined;
    },
    countOf: async (by: Account) => (await ledger.account(by.address))?.OwnerCount,
    /** The issuer lets its tokens pass between holders. They trust it, and alice has some. */
    async circulating(value = 100): Promise<void> {
      expect((await set(issuer, { SetFlag: 8 })).result).toBe('tesSUCCESS');
      for (const holder of [alice, bob, maker]) expect((await trust(holder, 1_000_000)).result).toBe('tesSUCCESS');
      expect((await pay(issuer, alice, usd(value))).result).toBe('tesSUCCESS');
    },
    /** The ledgers that were closed otherwise are not checked. */
    async checkFromHere(): Promise<void> {
      invariants = new Invariants(ledger);
      await invariants.begin();
    },
  };
}

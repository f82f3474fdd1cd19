import {
  type Account,
  accountOf,
  type Json,
  multiSigned,
  NETWORK_ID,
  signed,
  type TestLedger,
  XRP,
} from './test-ledger.ts';

export type Random = (limit: number) => number;

/** Numbers below `limit` in an order that only the seed decides. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return limit => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

const many = (count: number, name: string): Account[] =>
  Array.from({ length: count }, (_, n) => accountOf(`${name} ${n}`, n % 2 ? 'ecdsa-secp256k1' : 'ed25519'));

/** They send most transactions. */
export const BUSY = many(12, 'busy');
/** They send so little that they can be deleted. */
export const QUIET = many(12, 'quiet');
/** Keys that may be regular keys or phantom signers. */
const KEYS = many(4, 'key');
const ALL = [...BUSY, ...QUIET];
const DISABLE_MASTER = 0x00100000;

/** The keys that may sign for an account: its own or its regular key, or all of its signers. */
type Keys = { alone: Account } | { together: readonly Account[] };

/** Random transactions of every type, valid and invalid, in every way of signing. */
export class RandomActs {
  readonly #ledger: TestLedger;
  readonly #random: Random;

  constructor(ledger: TestLedger, random: Random) {
    this.#ledger = ledger;
    this.#random = random;
  }

  /** Submits one transaction and returns its engine result, or the error of the submission. */
  async act(): Promise<string> {
    const isQuiet = this.#random(40) === 0;
    const from = isQuiet ? this.#pick(QUIET) : this.#pick(BUSY);
    const root = await this.#ledger.account(from.address, 'current');
    const place = await this.#place(from, Number(root?.Sequence ?? 1));
    const body = !isQuiet && this.#random(8) === 0 ? await this.#escrowAct(from) : this.#body(from, isQuiet);
    const json = { ...body, Account: from.address, ...place };
    const keys = await this.#keysOf(from, root);
    const blob = this.#signed(json, from, keys);
    const answer = await this.#ledger.submitBlob(blob, { fail_hard: this.#random(4) === 0 });
    if (this.#random(20) === 0) await this.#ledger.submitBlob(blob);
    return String(answer.engine_result ?? answer.error);
  }

  /** Tokens of both issuers go round before the first act. */
  async circulate(): Promise<void> {
    const issuers = BUSY.slice(0, 2);
    const send = (by: Account, json: Json) => this.#ledger.submit({ Account: by.address, ...json }, by);
    for (const issuer of issuers) await send(issuer, { TransactionType: 'AccountSet', SetFlag: 8 });
    for (const issuer of issuers)
      for (const holder of BUSY.slice(2, 8))
        for (const currency of ['USD', 'EUR']) {
          const amount = (value: string) => ({ currency, issuer: issuer.address, value });
          await send(holder, { TransactionType: 'TrustSet', LimitAmount: amount('100000') });
          const Destination = holder.address;
          await send(issuer, { TransactionType: 'Payment', Destination, Amount: amount('500') });
        }
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#random(list.length)] as T;
  }

  #body(from: Account, isQuiet: boolean): Json {
    if (isQuiet) return { TransactionType: 'AccountDelete', Fee: '200000', ...this.#destination() };
    if (this.#random(5) < 2) return this.#tokenAct(from);
    const kind = this.#random(20);
    if (kind < 9) return this.#payment();
    if (kind < 11) return this.#accountSet();
    if (kind < 12) return { TransactionType: 'TicketCreate', TicketCount: this.#random(5) };
    if (kind < 14) return this.#regularKey(from);
    if (kind < 16) return this.#signerList(from);
    if (kind < 19) return this.#preauth();
    return { TransactionType: 'AccountDelete', Fee: '200000', ...this.#destination() };
  }

  /** Tokens of two issuers, who are busy accounts too. */
  #token(value: number | string): Json {
    const issuer = this.#pick(BUSY.slice(0, 2)).address;
    return { currency: this.#pick(['USD', 'EUR']), issuer, value: String(value) };
  }

  #tokenAct(from: Account): Json {
    const values = ['0.000001', 1, 3, '7.7777777', 100, '12345.6789'];
    const drops = String([1n, 333n, XRP, 3n * XRP, 50n * XRP][this.#random(5)]);
    const token = this.#token(this.#pick(values));
    const partial = { Flags: this.#random(2) ? 0x00020000 : 0 };
    switch (this.#random(8)) {
      case 0:
      case 1:
        return this.#trustSet(from);
      case 2:
        return { TransactionType: 'Payment', Amount: token, ...partial, ...this.#destination() };
      case 3:
        return { TransactionType: 'Payment', Amount: drops, SendMax: token, ...partial, ...this.#destination() };
      case 4:
        return { TransactionType: 'Payment', Amount: token, SendMax: drops, ...partial, ...this.#destination() };
      default: {
        const [TakerGets, TakerPays] = this.#random(2) ? [token, drops] : [drops, token];
        const Flags = this.#pick([0, 0, 0, 0x00010000, 0x00020000, 0x00040000, 0x00080000]);
        return { TransactionType: 'OfferCreate', TakerGets, TakerPays, Flags };
      }
    }
  }

  #trustSet(from: Account): Json {
    const LimitAmount = this.#token(this.#pick([0, 5, 1_000, '9999999999999999e80']));
    if (LimitAmount.issuer === from.address) LimitAmount.issuer = this.#pick(ALL).address;
    const Flags = this.#pick([0, 0, 0x00020000, 0x00040000, 0x00100000, 0x00200000]);
    const qualities = this.#random(6) ? {} : { QualityIn: this.#pick([0, 990_000_000, 1_010_000_000]) };
    return { TransactionType: 'TrustSet', LimitAmount, Flags, ...qualities };
  }

  /** Creates an escrow that soon ends, or ends one of a random account, perhaps too early or too late. */
  async #escrowAct(from: Account): Promise<Json> {
    const closed = { ledger_index: 'validated' };
    const { ledger } = (await this.#ledger.rpc('ledger', closed)) as { ledger: Json };
    const after = (seconds: number) => (ledger.close_time as number) + this.#random(seconds);
    const account = this.#random(2) ? from.address : this.#pick(BUSY).address;
    const { account_objects } = await this.#ledger.rpc('account_objects', { account, type: 'escrow', ...closed });
    const escrows = (account_objects as Json[] | undefined) ?? [];
    if (escrows.length === 0 || this.#random(3) === 0) {
      const Amount = String([1n, XRP, 30n * XRP][this.#random(3)]);
      const CancelAfter = this.#random(2) ? { CancelAfter: after(60) } : {};
      const FinishAfter = after(30);
      return { TransactionType: 'EscrowCreate', Amount, FinishAfter, ...CancelAfter, ...this.#destination() };
    }
    const { Account, index } = this.#pick(escrows);
    const OfferSequence = await this.#sequenceOf(String(index));
    const TransactionType = this.#pick(['EscrowFinish', 'EscrowFinish', 'EscrowCancel']);
    return { TransactionType, Owner: Account, OfferSequence };
  }

  /** The number of the transaction that created an entry of a closed ledger, which nothing has changed since. */
  async #sequenceOf(index: string): Promise<number> {
    const { node } = (await this.#ledger.rpc('ledger_entry', { index, ledger_index: 'validated' })) as { node: Json };
    const { tx_json } = (await this.#ledger.rpc('tx', { transaction: node.PreviousTxnID })) as { tx_json: Json };
    return Number(tx_json.TicketSequence ?? tx_json.Sequence);
  }

  #destination(): Json {
    const tag = this.#random(2) ? { DestinationTag: this.#random(5) } : {};
    return { Destination: this.#pick(ALL).address, ...tag };
  }

  #payment(): Json {
    const drops = [1n, XRP, 3n * XRP, 20n * XRP, 1_000n * XRP, 0n][this.#random(6)];
    return { TransactionType: 'Payment', Amount: String(drops), ...this.#destination() };
  }

  #accountSet(): Json {
    const flags = [1, 1, 3, 4, 5, 8, 9, 9, 12, 15, 17];
    const flag = this.#pick(flags);
    const set = this.#random(3) === 0 ? { SetFlag: flag } : { ClearFlag: flag };
    if (this.#random(8) === 0)
      return { TransactionType: 'AccountSet', TransferRate: this.#pick([0, 1_002_000_000, 1_500_000_000]) };
    if (this.#random(8) === 0) return { TransactionType: 'AccountSet', TickSize: this.#pick([0, 3, 6, 15]) };
    return { TransactionType: 'AccountSet', ...set };
  }

  #regularKey(from: Account): Json {
    const key = this.#random(10) === 0 ? from : this.#pick(KEYS);
    const set = this.#random(3) === 0 ? {} : { RegularKey: key.address };
    return { TransactionType: 'SetRegularKey', ...set, ...(this.#random(3) === 0 ? { Fee: '0' } : {}) };
  }

  #signerList(from: Account): Json {
    const count = this.#random(4);
    const start = this.#random(KEYS.length);
    const signers = Array.from({ length: count }, (_, n) => KEYS[(start + n) % KEYS.length] as Account);
    if (this.#random(15) === 0) signers.push(from);
    const SignerEntries = signers.map(({ address }) => ({
      SignerEntry: { Account: address, SignerWeight: this.#random(4) },
    }));
    const entries = SignerEntries.length ? { SignerEntries } : {};
    return { TransactionType: 'SignerListSet', SignerQuorum: this.#random(3), ...entries };
  }

  #preauth(): Json {
    const field = this.#random(2) ? 'Authorize' : 'Unauthorize';
    return { TransactionType: 'DepositPreauth', [field]: this.#pick(ALL).address };
  }

  /** Mostly the next Sequence; sometimes a ticket, a Sequence ahead or one of the past. */
  async #place({ address }: Account, next: number): Promise<Json> {
    const way = this.#random(20);
    if (way < 3) {
      const { account_objects } = await this.#ledger.rpc('account_objects', { account: address, type: 'ticket' });
      const tickets = (account_objects as Json[] | undefined) ?? [];
      if (tickets.length > 0) return { Sequence: 0, TicketSequence: this.#pick(tickets).TicketSequence };
    }
    const shift = way === 19 ? this.#random(4) - 1 : 0;
    return { Sequence: Math.max(1, next + shift) };
  }

  async #keysOf(from: Account, root: Json | undefined): Promise<Keys> {
    if ((Number(root?.Flags ?? 0) & DISABLE_MASTER) === 0) return { alone: from };
    const regular = KEYS.find(({ address }) => address === root?.RegularKey);
    if (regular) return { alone: regular };
    const { account_objects } = await this.#ledger.rpc('account_objects', {
      account: from.address,
      type: 'signer_list',
    });
    const [list] = (account_objects as { SignerEntries: { SignerEntry: Json }[] }[] | undefined) ?? [];
    const listed = list?.SignerEntries.map(({ SignerEntry }) => SignerEntry.Account) ?? [];
    return { together: KEYS.filter(({ address }) => listed.includes(address)) };
  }

  /** Mostly signed as it must be. */
  #signed(json: Json, from: Account, keys: Keys): string {
    const fees = ['10', '10', '10', '12', '9', '50000'];
    const whole = { NetworkID: NETWORK_ID, Fee: this.#pick(fees), ...json };
    const way = this.#random(20);
    if (way < 3) return this.#multiSigned(whole);
    if (way < 6) return signed(whole, this.#pick(KEYS));
    if (way < 8) return signed(whole, way === 6 ? this.#pick(BUSY) : from);
    return 'alone' in keys ? signed(whole, keys.alone) : this.#multiSigned(whole, keys.together);
  }

  #multiSigned(json: Json, signers: readonly Account[] = KEYS.filter(() => this.#random(2) === 0)): string {
    const used = signers.length ? signers : [KEYS[0] as Account];
    const fee = Math.max(Number(json.Fee), 10 * (1 + used.length));
    return multiSigned({ ...json, Fee: String(fee) }, used);
  }
}

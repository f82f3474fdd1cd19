import { encode, encodeForSigning } from 'ripple-binary-codec';
import * as keypairs from 'ripple-keypairs';
import { remember } from '../../kernel/remember.ts';
import { FaucetRefusal } from '../faucet-refusal.ts';
import type { Engine } from './engine.ts';
import { GENESIS_SEED } from './genesis.ts';
import { parseTransaction } from './parse-transaction.ts';
import { payInPart, tagged } from './pay-in-part.ts';
import type { Result } from './results.ts';

export interface Funded {
  readonly hash: string;
}

/** All XRP that ever existed; no amount can be encoded beyond it. */
const MAX_DROPS = 100_000_000_000_000_000n;
const MOST_SEEDS = 100;

export interface Closing {
  /** The knob `hold` is on. */
  readonly held: boolean;
  /** False: no timer closes the ledger, so each payment does. */
  readonly isRunning: boolean;
}

/** Deriving a key is slow. */
const keyOf = remember(MOST_SEEDS, seed => {
  const pair = keypairs.deriveKeypair(seed);
  return { ...pair, address: keypairs.deriveAddress(pair.publicKey) };
});

export const faucetAddress = (seed: string): string => keyOf(seed).address;

/** Of an account that has its reserve and a little more. */
const POOR_SEED = 'sn3nxiW7v8KXzPzAqzyHXbSSKNuN9';
const POOR_DROPS = 100_000n;

/** Pays by signed payments. */
export class Faucet {
  readonly #engine: Engine;
  readonly #timer: Closing;
  #waiting = 0;
  readonly #seed: string;
  #inPart: Promise<unknown> = Promise.resolve();

  /** `seed`: of the account that pays. */
  constructor(engine: Engine, timer: Closing, seed = GENESIS_SEED) {
    this.#engine = engine;
    this.#timer = timer;
    this.#seed = seed;
  }

  /** Throws `FaucetRefusal` while the knob `hold` is on: no ledger would take the payment. */
  requireClosing(): void {
    if (this.#timer.held)
      throw new FaucetRefusal(
        'no ledger closes while the knob `hold` is on; send `{"on":false}` to it first',
      );
  }

  /** Payments that no ledger holds yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Resolves when the payment is validated. Throws `FaucetRefusal` with the result code when the ledger refuses it. */
  async fund(address: string, drops: bigint, tag?: number): Promise<Funded> {
    return this.#send(this.#seed, payment(address, drops, tag));
  }

  /** A validated payment of an account that has too little: nothing arrives. Throws `FaucetRefusal`. */
  async fail(address: string, drops: bigint, tag?: number): Promise<Funded> {
    const poor = faucetAddress(POOR_SEED);
    const { reserveBase } = this.#engine.fees;
    if (!this.#engine.open.view.account(poor)) await this.fund(poor, reserveBase + POOR_DROPS);
    return this.#send(POOR_SEED, payment(address, drops, tag), 'tecUNFUNDED_PAYMENT');
  }

  /**
   * Pays `delivered` by a partial payment whose Amount is `drops`. A second account of the faucet sends a token for which
   * the first one offers exactly that much XRP. One such payment follows the other.
   */
  payInPart(address: string, drops: bigint, delivered: bigint, tag?: number): Promise<Funded> {
    if (drops > MAX_DROPS) throw new FaucetRefusal('temBAD_AMOUNT');
    const sender = {
      seed: this.#seed,
      addressOf: faucetAddress,
      send: (seed: string, json: object) => this.#send(seed, json),
    };
    const paid = this.#inPart.then(() => payInPart(sender, this.#engine, { address, drops, delivered, tag }));
    this.#inPart = paid.catch(() => {});
    return paid;
  }

  /** Signs, submits, and resolves when it is validated with this result. Throws `FaucetRefusal` with another one. */
  async #send(seed: string, json: object, wanted: Result = 'tesSUCCESS'): Promise<Funded> {
    const key = keyOf(seed);
    // Nothing is awaited before the submission, so the Sequence stays right.
    const unsigned = { ...this.#placed(key.address), ...json, SigningPubKey: key.publicKey };
    const signature = keypairs.sign(encodeForSigning(unsigned), key.privateKey);
    const tx = parseTransaction(encode({ ...unsigned, TxnSignature: signature }));
    const { result } = this.#engine.submit(tx);
    if (result !== wanted && result !== 'terQUEUED') throw new FaucetRefusal(result);
    const validated = this.#validated(tx.hash, wanted);
    if (!this.#timer.isRunning && !this.#timer.held) this.#engine.close();
    this.#waiting += 1;
    try {
      await validated;
    } finally {
      this.#waiting -= 1;
    }
    return { hash: tx.hash };
  }

  #placed(from: string) {
    const { open, networkId, submissions } = this.#engine;
    return {
      Account: from,
      Fee: submissions.openFee.toString(),
      Sequence: submissions.sequencesOf(from).available,
      Flags: 0,
      LastLedgerSequence: open.index + 20,
      ...(networkId > 1024 ? { NetworkID: networkId } : {}),
    };
  }

  #validated(hash: string, wanted: Result): Promise<void> {
    let stop = () => {};
    const last = this.#engine.open.index + 20;
    return new Promise<void>((resolve, reject) => {
      stop = this.#engine.listen({
        closed({ header, transactions }) {
          const found = transactions.find(tx => tx.hash === hash);
          if (found) return found.result === wanted ? resolve() : reject(new FaucetRefusal(found.result));
          if (header.index >= last) reject(new Error('faucet: the payment was not taken into a ledger'));
        },
        reset: () => reject(new Error('faucet: the ledger started over')),
      });
    }).finally(() => stop());
  }
}

function payment(address: string, drops: bigint, tag: number | undefined): object {
  if (drops > MAX_DROPS) throw new FaucetRefusal('temBAD_AMOUNT');
  return { TransactionType: 'Payment', Destination: address, Amount: drops.toString(), ...tagged(tag) };
}

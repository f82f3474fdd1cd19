import { createHash } from 'node:crypto';
import { encodeSeed } from 'ripple-address-codec';
import { encode, encodeForSigning } from 'ripple-binary-codec';
import * as keypairs from 'ripple-keypairs';
import { LONGEST_TIMER_MS } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import { remember } from '../../kernel/rate-limit.ts';
import { oneAtATime } from '../../kernel/turns.ts';
import { type BeforeSending, FaucetClosed, FaucetRefusal } from '../access.ts';
import type { ClosedLedger } from './close.ts';
import type { Engine } from './engine.ts';
import { GENESIS_SEED } from './genesis.ts';
import { parseTransaction } from './parse-transaction.ts';
import type { Result } from './results.ts';
import { sendingOf } from './signature.ts';
import { bookOf } from './transactors/offer-create.ts';

/** More than the 20 ledgers after which clients let a transaction expire (`LastLedgerSequence`). */
const QUIET_AFTER_LEDGERS = 30;
/** A quiet ledger closes once in this number of intervals. */
const QUIET_INTERVALS = 5;

export type CloseTimer = ReturnType<typeof closeTimer>;

/**
 * Closes the ledger once per interval. Without submissions it does so more rarely, because every empty ledger costs its
 * readers as much as it costs the server. The first submission brings back the interval.
 */
export function closeTimer(engine: Engine, intervalMs: number, log: Log) {
  let held = false;
  let skipped = 0;
  const tick = () => {
    if (held) return;
    if (isQuiet(engine) && ++skipped < QUIET_INTERVALS) return;
    skipped = 0;
    try {
      engine.close();
    } catch (error) {
      log.error({ err: String(error) }, 'xrpl: the ledger could not be closed');
    }
  };
  const timer = intervalMs > 0 ? setInterval(tick, Math.min(intervalMs, LONGEST_TIMER_MS)) : undefined;
  return {
    /** The timer closes nothing. */
    get held() {
      return held;
    },
    /** False: the interval is 0, so no timer runs. */
    isRunning: timer !== undefined,
    hold(on: boolean): void {
      held = on;
    },
    /** One interval is over. */
    tick,
    stop: () => clearInterval(timer),
  };
}

const isQuiet = ({ open, ledgersSinceSubmission }: Engine): boolean =>
  open.transactions.size === 0 && ledgersSinceSubmission >= QUIET_AFTER_LEDGERS;

/** All XRP that ever existed; no amount can be encoded beyond it. */
const MAX_DROPS = 100_000_000_000_000_000n;
const MAX_SEEDS = 100;

/** Deriving a key is slow. */
const keyOf = remember(MAX_SEEDS, seed => {
  const pair = keypairs.deriveKeypair(seed);
  return { ...pair, address: keypairs.deriveAddress(pair.publicKey) };
});

export const faucetAddress = (seed: string): string => keyOf(seed).address;

/** Of an account that has its reserve and a little more. */
const POOR_SEED = 'sn3nxiW7v8KXzPzAqzyHXbSSKNuN9';
const POOR_DROPS = 100_000n;

type Funded = Promise<{ hash: string }>;

export type Faucet = ReturnType<typeof createFaucet>;

/**
 * Pays by signed payments from the account of `seed`. A payment resolves when it is validated. Throws `FaucetRefusal` with
 * the result code. `before` is called with each transaction before it is submitted, and its error ends the payment.
 */
export function createFaucet(engine: Engine, timer: Pick<CloseTimer, 'held' | 'isRunning'>, seed = GENESIS_SEED) {
  let waiting = 0;
  const inTurn = oneAtATime();

  /** Signs, submits, and resolves when it is validated with this result. Throws `FaucetRefusal` with another one. */
  async function send(
    from: string,
    json: object,
    before: BeforeSending = () => {},
    wanted: Result = 'tesSUCCESS',
  ): Funded {
    const key = keyOf(from);
    // Nothing is awaited before the submission, so the Sequence stays right.
    const unsigned = { ...placed(engine, key.address), ...json, SigningPubKey: key.publicKey };
    const signature = keypairs.sign(encodeForSigning(unsigned), key.privateKey);
    const tx = parseTransaction(encode({ ...unsigned, TxnSignature: signature }));
    before(sendingOf(tx));
    const { result } = engine.submit(tx);
    if (result !== wanted && result !== 'terQUEUED') throw new FaucetRefusal(result);
    const validated = isValidated(engine, tx.hash, wanted);
    if (!timer.isRunning && !timer.held) engine.close();
    waiting += 1;
    try {
      await validated;
    } finally {
      waiting -= 1;
    }
    return { hash: tx.hash };
  }

  const fund = async (address: string, drops: bigint, tag?: number, before?: BeforeSending): Funded =>
    send(seed, payment(address, drops, tag), before);
  return {
    fund,
    /** A validated payment of an account that has too little: nothing arrives. */
    async failToFund(address: string, drops: bigint, tag?: number, before?: BeforeSending): Funded {
      const poor = faucetAddress(POOR_SEED);
      if (!engine.open.view.account(poor)) await fund(poor, engine.fees.reserveBase + POOR_DROPS);
      return send(POOR_SEED, payment(address, drops, tag), before, 'tecUNFUNDED_PAYMENT');
    },
    /**
     * Pays `delivered` by a partial payment whose Amount is `drops`. A second account of the faucet sends a token for
     * which the first one offers exactly that much XRP. One such payment follows the other.
     */
    async payInPart(address: string, drops: bigint, delivered: bigint, tag?: number, before?: BeforeSending): Funded {
      const whole = payment(address, drops, tag);
      return inTurn(() => payInPart((from, json) => send(from, json, before), engine, seed, delivered, whole));
    },
    /** Throws `FaucetClosed` while the chain control `hold` is on: no ledger would take the payment. */
    requireClosing() {
      if (timer.held) throw new FaucetClosed(HELD);
    },
    /** No ledger holds one of its payments yet. */
    isPaying: () => waiting > 0,
  };
}

const HELD = 'no ledger closes while the chain control `hold` is on; send `{"on":false}` to it first';
const LEDGERS_TO_WAIT = 20;
const NOT_TAKEN =
  'no ledger took the payment. A chain control (`drop`, `delay`) kept it away, once for each time it was turned; send it again';

const placed = ({ open, networkId, submissions }: Engine, from: string) => ({
  Account: from,
  Fee: submissions.openFee.toString(),
  Sequence: submissions.sequencesOf(from).available,
  Flags: 0,
  LastLedgerSequence: open.index + LEDGERS_TO_WAIT,
  ...(networkId > 1024 ? { NetworkID: networkId } : {}),
});

function isValidated(engine: Engine, hash: string, wanted: Result): Promise<void> {
  const last = engine.open.index + LEDGERS_TO_WAIT;
  return new Promise((resolve, reject) => {
    const end = (refusal?: string) => {
      engine.off('closed', onClosed).off('reset', onReset);
      if (refusal === undefined) resolve();
      else reject(new FaucetRefusal(refusal));
    };
    const onReset = () => end('the ledger started over; send it again');
    const onClosed = ({ header, transactions }: ClosedLedger) => {
      const found = transactions.find(tx => tx.hash === hash);
      if (found) end(found.result === wanted ? undefined : found.result);
      else if (header.index >= last) end(NOT_TAKEN);
    };
    engine.on('closed', onClosed).on('reset', onReset);
  });
}

function payment(address: string, drops: bigint, tag: number | undefined): object {
  if (drops > MAX_DROPS) throw new FaucetRefusal('temBAD_AMOUNT');
  const to = { Destination: address, ...(tag === undefined ? {} : { DestinationTag: tag }) };
  return { TransactionType: 'Payment', Amount: drops.toString(), ...to };
}

const PARTIAL_PAYMENT = 0x00020000;
const CURRENCY = 'PAR';
/** Above the reserves of the payer and of its trust line. */
const PAYER_DROPS = '50000000';
const LEAST_DROPS = 10_000_000n;

/** `seed`: of the account that offers the XRP. `payment`: its Amount is more than what is delivered. */
async function payInPart(
  send: (from: string, json: object) => Funded,
  engine: Engine,
  seed: string,
  delivered: bigint,
  payment: object,
): Funded {
  const payerSeed = secondSeed(seed);
  const payer = faucetAddress(payerSeed);
  const token = (value: string) => ({ currency: CURRENCY, issuer: faucetAddress(seed), value });
  const TakerPays = token('1');
  const account = engine.open.view.account(payer);
  if (BigInt(account?.Balance ?? 0) < LEAST_DROPS)
    await send(seed, { TransactionType: 'Payment', Destination: payer, Amount: PAYER_DROPS });
  await send(payerSeed, { TransactionType: 'TrustSet', LimitAmount: token('1000') });
  // Both enter one ledger, in this order.
  const given = send(seed, { TransactionType: 'Payment', Destination: payer, Amount: token('1') });
  // The offer of a payment that failed is replaced.
  const [left] = bookOf(engine.open.view, TakerPays, 'XRP');
  const former = left ? { OfferSequence: left.offer.Sequence } : {};
  const offer = { TakerGets: delivered.toString(), TakerPays, ...former };
  await Promise.all([given, send(seed, { TransactionType: 'OfferCreate', ...offer })]);
  return send(payerSeed, { Flags: PARTIAL_PAYMENT, SendMax: token('1'), ...payment });
}

/** Of the second account of the faucet. */
const secondSeed = (seed: string): string =>
  encodeSeed(createHash('sha256').update(`pays in part ${seed}`).digest().subarray(0, 16), 'secp256k1');

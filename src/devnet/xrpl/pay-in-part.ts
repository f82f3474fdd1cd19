import { createHash } from 'node:crypto';
import { encodeSeed } from 'ripple-address-codec';
import type { Engine } from './engine.ts';
import type { Token } from './quantities.ts';
import { bookOf } from './transactors/order-book.ts';

/** The faucet, as far as it signs and submits. */
export interface Sender {
  /** Of the account that offers the XRP. */
  readonly seed: string;
  addressOf(seed: string): string;
  /** Resolves when it is validated. */
  send(seed: string, json: Record<string, unknown>): Promise<{ readonly hash: string }>;
}

/** A partial payment of the faucet: it states more than it delivers. */
export interface PartialPayment {
  readonly address: string;
  /** The Amount that the payment states, in drops. */
  readonly drops: bigint;
  readonly delivered: bigint;
  readonly tag: number | undefined;
}

const PARTIAL_PAYMENT = 0x00020000;
const CURRENCY = 'PAR';
/** Above the reserves of the payer and of its trust line. */
const PAYER_DROPS = '50000000';
const LEAST_DROPS = 10_000_000n;

export const tagged = (tag: number | undefined) => (tag === undefined ? {} : { DestinationTag: tag });

export async function payInPart(
  faucet: Sender,
  engine: Engine,
  payment: PartialPayment,
): Promise<{ readonly hash: string }> {
  const { address, drops, delivered, tag } = payment;
  const issuer = faucet.addressOf(faucet.seed);
  const seed = payerSeed(faucet.seed);
  const payer = faucet.addressOf(seed);
  const token = (value: string) => ({ currency: CURRENCY, issuer, value });
  const account = engine.open.view.account(payer);
  if (BigInt(account?.Balance ?? 0) < LEAST_DROPS)
    await faucet.send(faucet.seed, { TransactionType: 'Payment', Destination: payer, Amount: PAYER_DROPS });
  await faucet.send(seed, { TransactionType: 'TrustSet', LimitAmount: token('1000') });
  const [TakerGets, TakerPays] = [delivered.toString(), token('1')];
  // Both enter one ledger, in this order.
  const given = faucet.send(faucet.seed, {
    TransactionType: 'Payment',
    Destination: payer,
    Amount: token('1'),
  });
  const offered = faucet.send(faucet.seed, {
    TransactionType: 'OfferCreate',
    TakerGets,
    TakerPays,
    ...leftOver(engine, token('1')),
  });
  await Promise.all([given, offered]);
  return faucet.send(seed, {
    TransactionType: 'Payment',
    Flags: PARTIAL_PAYMENT,
    Destination: address,
    Amount: drops.toString(),
    SendMax: token('1'),
    ...tagged(tag),
  });
}

/** The offer of a payment that failed is replaced. */
function leftOver(engine: Engine, pays: Token): { OfferSequence?: number } {
  const [left] = bookOf(engine.open.view, pays, 'XRP');
  return left ? { OfferSequence: left.offer.Sequence } : {};
}

/** The second account of the faucet. */
const payerSeed = (seed: string): string =>
  encodeSeed(createHash('sha256').update(`pays in part ${seed}`).digest().subarray(0, 16), 'secp256k1');

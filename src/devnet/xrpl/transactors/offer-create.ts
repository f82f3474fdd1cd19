import type { OfferCreate } from 'xrpl';
import { ACCOUNT_FLAGS, definitions } from '../definitions.ts';
import { bookPrefix, type LedgerView, type Offer, offerKey, type ReadView } from '../entries.ts';
import { priceOf, type Quality, qualityOf, withDigits, worthOf } from '../quality.ts';
import {
  type Amount,
  type Asset,
  amountOf,
  assetOf,
  isXrp,
  least,
  quantityOf,
  rounded,
  sameAsset,
  UNLIMITED,
} from '../quantities.ts';
import type { Failure } from '../results.ts';
import type { Transaction } from '../signature.ts';
import { MAX_TICK_SIZE } from './account.ts';
import { listed } from './directory.ts';
import * as holdings from './holdings.ts';
import { deleteOffer, hasExpired, placeOffer } from './offers.ts';
import { type ApplyContext, canOwn, has, sourceAccount, type Transactor } from './transactor.ts';
import { isBadCurrency, lineBetween } from './trust-line.ts';

/** A purchase from an order book. The offers give `gets` and want `pays`. */
interface Taking {
  readonly pays: Asset;
  readonly gets: Asset;
  readonly maxPaid: bigint;
  readonly maxGot: bigint;
  /** No offer with a worse price than this. */
  readonly worst: Quality | undefined;
  /** Offers of this account are removed instead of taken. */
  readonly own: string | undefined;
  /** The fee of the issuer of `gets`, which the owners of the offers pay, in billionths. */
  readonly ownersRate: bigint;
}

/** The sums of a purchase: `paid` to the owners of the offers, `got` from them. */
interface Taken {
  readonly paid: bigint;
  readonly got: bigint;
}

/** As many offers as one transaction may look at. */
const MAX_OFFERS = 1_000;
const LAST_QUALITY = 'F'.repeat(16);

export interface BookEntry {
  readonly key: string;
  readonly offer: Offer;
  readonly quality: Quality;
}

/** The offers of a book, the best price first. */
export function* bookOf(view: ReadView, pays: Asset, gets: Asset): Generator<BookEntry> {
  const prefix = bookPrefix(pays, gets);
  let root: string | undefined = prefix + '0'.repeat(16);
  for (;;) {
    root = view.next(root, prefix + LAST_QUALITY);
    if (root === undefined) return;
    const quality = root.slice(prefix.length);
    for (const { key } of [...listed(view, root)]) yield { key, offer: view.read(key) as Offer, quality };
  }
}

/** Takes offers, the best price first, and settles with their owners. Settling with the taker is up to the caller. */
export function takeOffers(context: ApplyContext, taking: Taking): Taken {
  const { view } = context;
  let [paid, got, seen] = [0n, 0n, 0];
  for (const entry of bookOf(view, taking.pays, taking.gets)) {
    const left = { paid: taking.maxPaid - paid, got: taking.maxGot - got };
    if (left.paid <= 0n || left.got <= 0n || ++seen > MAX_OFFERS) break;
    if (taking.worst !== undefined && entry.quality > taking.worst) break;
    if (!isTakeable(context, taking, entry.offer)) {
      deleteOffer(view, entry.key);
      continue;
    }
    const share = shareOf(context, taking, entry, left);
    if (share.paid === 0n || share.got === 0n) {
      if (left.paid < quantityOf(entry.offer.TakerPays)) break;
      deleteOffer(view, entry.key);
      continue;
    }
    settle(view, taking, entry, share);
    paid += share.paid;
    got += share.got;
  }
  return { paid, got };
}

/** Offers that nobody can take are removed by whoever comes upon them. */
function isTakeable({ view, fees, parentCloseTime }: ApplyContext, taking: Taking, offer: Offer): boolean {
  const { pays, gets, own } = taking;
  const { Account: owner } = offer;
  if (hasExpired(offer.Expiration, parentCloseTime) || owner === own) return false;
  if (pays !== 'XRP' && !holdings.isAuthorized(view, owner, pays)) return false;
  return holdings.fundsOf(view, fees, owner, gets) > 0n;
}

/** The part of an offer that its owner can pay and the taker wants. */
function shareOf({ view, fees }: ApplyContext, taking: Taking, entry: BookEntry, left: Taken): Taken {
  const { pays, gets, ownersRate } = taking;
  const { offer, quality } = entry;
  const rate = offer.Account === (gets === 'XRP' ? '' : gets.issuer) ? holdings.PARITY : ownersRate;
  const funds = holdings.withoutFee(gets, holdings.fundsOf(view, fees, offer.Account, gets), rate);
  const whole = { paid: quantityOf(offer.TakerPays), got: quantityOf(offer.TakerGets) };
  const maxGot = least(funds, left.got);
  const isWhole = maxGot >= UNLIMITED || whole.got <= maxGot;
  const byGot = isWhole ? whole : { paid: least(priceOf(quality, pays, maxGot, 'up'), whole.paid), got: maxGot };
  if (byGot.paid <= left.paid) return byGot;
  return { paid: left.paid, got: least(worthOf(quality, gets, left.paid, 'down'), byGot.got) };
}

function settle(view: LedgerView, taking: Taking, { key, offer }: BookEntry, taken: Taken): void {
  const { pays, gets, ownersRate } = taking;
  holdings.take(view, offer.Account, gets, holdings.withFee(gets, taken.got, ownersRate));
  holdings.give(view, offer.Account, pays, taken.paid);
  const rest = {
    paid: rounded(pays, quantityOf(offer.TakerPays) - taken.paid, 'nearest'),
    got: rounded(gets, quantityOf(offer.TakerGets) - taken.got, 'nearest'),
  };
  view.write(key, { ...offer, TakerPays: amountOf(pays, rest.paid), TakerGets: amountOf(gets, rest.got) });
  if (rest.paid <= 0n || rest.got <= 0n) deleteOffer(view, key);
}

const TF = definitions.TRANSACTION_FLAGS.OfferCreate;
const LSF = definitions.LEDGER_ENTRY_FLAGS.Offer;

/** XRP against a token. Offers of tokens for tokens, which may also cross through XRP, are answered with temDISABLED. */
export const offerCreate: Transactor<OfferCreate> = { preflight, preclaim, apply };

function preflight(tx: Transaction<OfferCreate>): Failure {
  const { json } = tx;
  if (has(tx, TF.tfImmediateOrCancel) && has(tx, TF.tfFillOrKill)) return 'temINVALID_FLAG';
  if (json.Expiration === 0) return 'temBAD_EXPIRATION';
  if (json.OfferSequence === 0) return 'temBAD_SEQUENCE';
  const { TakerPays: pays, TakerGets: gets } = tx.json;
  const sides = [pays, gets];
  if (sides.some(side => !isXrp(side) && !('currency' in side))) return 'temDISABLED';
  if (isXrp(pays) && isXrp(gets)) return 'temBAD_OFFER';
  if (sides.some(side => quantityOf(side) <= 0n)) return 'temBAD_OFFER';
  if (sameAsset(assetOf(pays), assetOf(gets))) return 'temREDUNDANT';
  if (sides.some(side => !isXrp(side) && isBadCurrency(side.currency))) return 'temBAD_CURRENCY';
  return sides.some(isXrp) ? undefined : 'temDISABLED';
}

function preclaim(context: ApplyContext<OfferCreate>): Failure {
  const { tx, view, fees, parentCloseTime } = context;
  const { json, account } = tx;
  const { TakerPays: pays, TakerGets: gets } = tx.json;
  for (const side of [pays, gets]) if (!isXrp(side) && holdings.isGloballyFrozen(view, side.issuer)) return 'tecFROZEN';
  if (holdings.fundsOf(view, fees, account, assetOf(gets)) <= 0n) return 'tecUNFUNDED_OFFER';
  const cancelled = json.OfferSequence;
  if (cancelled !== undefined && sourceAccount(context).Sequence <= cancelled) return 'temBAD_SEQUENCE';
  if (hasExpired(json.Expiration, parentCloseTime)) return 'tecEXPIRED';
  return isXrp(pays) ? undefined : checkReceivable(context, pays);
}

/** The account must be allowed to hold what it asks for. */
function checkReceivable({ tx, view, retry }: ApplyContext<OfferCreate>, token: Exclude<Amount, string>) {
  const issuer = view.account(token.issuer);
  if (!issuer) return retry ? 'terNO_ACCOUNT' : 'tecNO_ISSUER';
  if (token.issuer === tx.account || !(issuer.Flags & ACCOUNT_FLAGS.lsfRequireAuth)) return undefined;
  if (!lineBetween(view, tx.account, token.issuer, token.currency)) return retry ? 'terNO_LINE' : 'tecNO_LINE';
  if (holdings.isAuthorized(view, tx.account, token)) return undefined;
  return retry ? 'terNO_AUTH' : 'tecNO_AUTH';
}

/** An offer on its way: what is left of it, and its price. */
interface Left {
  readonly pays: bigint;
  readonly gets: bigint;
  readonly quality: Quality;
  readonly hasCrossed: boolean;
}

function apply(context: ApplyContext<OfferCreate>): Failure {
  const { tx, view } = context;
  const cancelled = tx.json.OfferSequence;
  if (cancelled !== undefined) deleteOffer(view, offerKey(tx.account, cancelled));
  const offer = inTicks(context);
  if (offer.pays === 0n || offer.gets === 0n) return undefined;
  const left = cross(context, offer);
  if (left.pays === 0n || left.gets === 0n) return undefined;
  if (has(tx, TF.tfFillOrKill)) return 'tecKILLED';
  if (has(tx, TF.tfImmediateOrCancel)) return left.hasCrossed ? undefined : 'tecKILLED';
  return place(context, left);
}

/** The price in as many digits as the issuers allow. The side that is not exact is rounded. */
function inTicks({ tx, view }: ApplyContext<OfferCreate>): Left {
  const { TakerPays: pays, TakerGets: gets } = tx.json;
  const [paysAsset, getsAsset] = [assetOf(pays), assetOf(gets)];
  const exact = { pays: quantityOf(pays), gets: quantityOf(gets) };
  const quality = qualityOf(exact.pays, exact.gets);
  const digits = Math.min(
    ...[paysAsset, getsAsset].map(asset =>
      asset === 'XRP' ? MAX_TICK_SIZE : (view.account(asset.issuer)?.TickSize ?? MAX_TICK_SIZE),
    ),
  );
  if (digits >= MAX_TICK_SIZE) return { ...exact, quality, hasCrossed: false };
  const price = withDigits(quality, digits);
  const sides = has(tx, TF.tfSell)
    ? { pays: priceOf(price, paysAsset, exact.gets, 'nearest'), gets: exact.gets }
    : { pays: exact.pays, gets: worthOf(price, getsAsset, exact.pays, 'nearest') };
  if (sides.pays === 0n || sides.gets === 0n) return { ...sides, quality, hasCrossed: false };
  return { ...sides, quality: qualityOf(sides.pays, sides.gets), hasCrossed: false };
}

/** Takes the offers of the opposite side that are as good as this one or better. */
function cross(context: ApplyContext<OfferCreate>, offer: Left): Left {
  const { tx, view, fees } = context;
  const { account } = tx;
  const [pays, gets] = [assetOf(tx.json.TakerPays), assetOf(tx.json.TakerGets)];
  const rate = holdings.feeRate(view, gets, account);
  const funds = holdings.withoutFee(gets, holdings.fundsOf(view, fees, account, gets), rate);
  const limit = qualityOf(offer.gets, offer.pays);
  const { paid, got } = takeOffers(context, {
    pays: gets,
    gets: pays,
    maxPaid: least(offer.gets, funds),
    maxGot: has(tx, TF.tfSell) ? UNLIMITED : offer.pays,
    worst: has(tx, TF.tfPassive) ? better(limit) : limit,
    own: account,
    ownersRate: holdings.feeRate(view, pays, account),
  });
  if (got === 0n) return offer;
  holdings.take(view, account, gets, holdings.withFee(gets, paid, rate));
  holdings.give(view, account, pays, got);
  if (holdings.fundsOf(view, fees, account, gets) <= 0n) return { ...offer, pays: 0n, gets: 0n, hasCrossed: true };
  return { ...remaining(tx, offer, { paid, got }, limit), quality: offer.quality, hasCrossed: true };
}

const better = (quality: Quality): Quality =>
  (BigInt(`0x${quality}`) - 1n).toString(16).toUpperCase().padStart(16, '0');

/** The rest after crossing, at the price of the offer. */
function remaining(tx: Transaction<OfferCreate>, offer: Left, taken: { paid: bigint; got: bigint }, inverse: Quality) {
  const [pays, gets] = [assetOf(tx.json.TakerPays), assetOf(tx.json.TakerGets)];
  const notBelowZero = (quantity: bigint) => (quantity > 0n ? quantity : 0n);
  if (has(tx, TF.tfSell)) {
    const left = rounded(gets, notBelowZero(offer.gets - taken.paid), 'nearest');
    return { gets: left, pays: worthOf(inverse, pays, left, 'down') };
  }
  const left = rounded(pays, notBelowZero(offer.pays - taken.got), 'nearest');
  return { pays: left, gets: priceOf(inverse, gets, left, 'up') };
}

function place(context: ApplyContext<OfferCreate>, { pays, gets, quality, hasCrossed }: Left): Failure {
  const { tx, view } = context;
  if (!canOwn(context)) return hasCrossed ? undefined : 'tecINSUF_RESERVE_OFFER';
  const { TakerPays, TakerGets, Expiration } = tx.json;
  const offer = {
    Flags: (has(tx, TF.tfPassive) ? LSF.lsfPassive : 0) | (has(tx, TF.tfSell) ? LSF.lsfSell : 0),
    Account: tx.account,
    Sequence: tx.ticket ?? tx.sequence,
    TakerPays: amountOf(assetOf(TakerPays), pays),
    TakerGets: amountOf(assetOf(TakerGets), gets),
    ...(Expiration === undefined ? {} : { Expiration }),
  };
  placeOffer(view, offer, quality);
}

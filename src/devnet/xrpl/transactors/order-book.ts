import { bookPrefix, type LedgerView, type Offer, type ReadView } from '../entries.ts';
import { priceOf, type Quality, worthOf } from '../quality.ts';
import { type Asset, amountOf, least, quantityOf, rounded, UNLIMITED } from '../quantities.ts';
import { listed } from './directory.ts';
import { fundsOf, give, isAuthorized, PARITY, take, withFee, withoutFee } from './holdings.ts';
import { deleteOffer, hasExpired } from './offers.ts';
import type { ApplyContext } from './transactor.ts';

/** A purchase from an order book. The offers give `gets` and want `pays`. */
export interface Taking {
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
export interface Taken {
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
  if (pays !== 'XRP' && !isAuthorized(view, owner, pays)) return false;
  return fundsOf(view, fees, owner, gets) > 0n;
}

/** The part of an offer that its owner can pay and the taker wants. */
function shareOf({ view, fees }: ApplyContext, taking: Taking, entry: BookEntry, left: Taken): Taken {
  const { pays, gets, ownersRate } = taking;
  const { offer, quality } = entry;
  const rate = offer.Account === (gets === 'XRP' ? '' : gets.issuer) ? PARITY : ownersRate;
  const funds = withoutFee(gets, fundsOf(view, fees, offer.Account, gets), rate);
  const whole = { paid: quantityOf(offer.TakerPays), got: quantityOf(offer.TakerGets) };
  const byGot = limitedByGot(whole, least(funds, left.got), pays, quality);
  if (byGot.paid <= left.paid) return byGot;
  return { paid: left.paid, got: least(worthOf(quality, gets, left.paid, 'down'), byGot.got) };
}

function limitedByGot(whole: Taken, maxGot: bigint, pays: Asset, quality: Quality): Taken {
  if (maxGot >= UNLIMITED || whole.got <= maxGot) return whole;
  return { paid: least(priceOf(quality, pays, maxGot, 'up'), whole.paid), got: maxGot };
}

function settle(view: LedgerView, taking: Taking, { key, offer }: BookEntry, taken: Taken): void {
  const { pays, gets, ownersRate } = taking;
  take(view, offer.Account, gets, withFee(gets, taken.got, ownersRate));
  give(view, offer.Account, pays, taken.paid);
  const rest = {
    paid: rounded(pays, quantityOf(offer.TakerPays) - taken.paid, 'nearest'),
    got: rounded(gets, quantityOf(offer.TakerGets) - taken.got, 'nearest'),
  };
  view.write(key, { ...offer, TakerPays: amountOf(pays, rest.paid), TakerGets: amountOf(gets, rest.got) });
  if (rest.paid <= 0n || rest.got <= 0n) deleteOffer(view, key);
}

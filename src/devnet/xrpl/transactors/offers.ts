import { bookPrefix, currencyBytes, type LedgerView, type Offer, offerKey } from '../entries.ts';
import { toHex } from '../hash-tree.ts';
import type { Quality } from '../quality.ts';
import { type Amount, type Asset, assetOf } from '../quantities.ts';
import { requireAccountId } from '../signature.ts';
import {
  addToDirectory,
  addToOwnerDirectory,
  changeOwnerCount,
  removeFromDirectory,
  removeFromOwnerDirectory,
} from './directory.ts';

type NewOffer = Pick<Offer, 'Flags' | 'Account' | 'Sequence' | 'TakerPays' | 'TakerGets' | 'Expiration'>;

/** Places an offer at the end of those of its quality. */
export function placeOffer(view: LedgerView, offer: NewOffer, quality: Quality): void {
  const key = offerKey(offer.Account, offer.Sequence);
  const [pays, gets] = [assetOf(offer.TakerPays as Amount), assetOf(offer.TakerGets as Amount)];
  const BookDirectory = bookPrefix(pays, gets) + quality;
  const OwnerNode = addToOwnerDirectory(view, offer.Account, key);
  changeOwnerCount(view, offer.Account, 1);
  const sides = { ...sideFields('TakerPays', pays), ...sideFields('TakerGets', gets) };
  const book = { root: BookDirectory, fields: { ExchangeRate: quality, ...sides }, isSorted: false };
  const BookNode = addToDirectory(view, book, key);
  view.write(key, { LedgerEntryType: 'Offer', ...offer, BookDirectory, BookNode, OwnerNode });
}

const ZERO_ID = '0'.repeat(40);

/** 160 bits each. XRP is all zeros. */
function sideFields(side: string, asset: Asset): Record<string, string> {
  const isXrp = asset === 'XRP';
  return {
    [`${side}Currency`]: isXrp ? ZERO_ID : toHex(currencyBytes(asset.currency)),
    [`${side}Issuer`]: isXrp ? ZERO_ID : toHex(requireAccountId(asset.issuer)),
  };
}

export function deleteOffer(view: LedgerView, key: string): void {
  const offer = view.read(key) as Offer | undefined;
  if (!offer) return;
  removeFromOwnerDirectory(view, offer.Account, offer.OwnerNode, key);
  removeFromDirectory(view, offer.BookDirectory, offer.BookNode, key);
  changeOwnerCount(view, offer.Account, -1);
  view.erase(key);
}

/** Seconds since 2000-01-01. An expiration is compared with the close time of the ledger before. */
export const hasExpired = (expiration: number | undefined, parentCloseTime: number): boolean =>
  expiration !== undefined && parentCloseTime >= expiration;

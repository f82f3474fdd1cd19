import { requireAccountId } from '../addresses.ts';
import { bookPrefix, currencyBytes, type Offer, offerKey } from '../entries.ts';
import { toHex } from '../hash.ts';
import type { LedgerView } from '../ledger-view.ts';
import type { Quality } from '../quality.ts';
import { type Asset, amountOf } from '../quantities.ts';
import { addToDirectory, removeFromDirectory } from './directory.ts';
import { addToOwnerDirectory, changeOwnerCount, removeFromOwnerDirectory } from './owned-entries.ts';

export interface NewOffer {
  readonly owner: string;
  /** The Sequence or the ticket of the transaction. */
  readonly sequence: number;
  readonly pays: Asset;
  readonly gets: Asset;
  readonly takerPays: bigint;
  readonly takerGets: bigint;
  readonly quality: Quality;
  readonly flags: number;
  readonly expiration: number | undefined;
}

/** Places an offer at the end of those of its quality. */
export function placeOffer(view: LedgerView, offer: NewOffer): void {
  const { owner, sequence, pays, gets, quality, expiration } = offer;
  const key = offerKey(owner, sequence);
  const root = bookPrefix(pays, gets) + quality;
  const OwnerNode = addToOwnerDirectory(view, owner, key);
  changeOwnerCount(view, owner, 1);
  const fields = {
    ExchangeRate: quality,
    ...sideFields('TakerPays', pays),
    ...sideFields('TakerGets', gets),
  };
  const BookNode = addToDirectory(view, { root, fields, isSorted: false }, key);
  view.write(key, {
    LedgerEntryType: 'Offer',
    Flags: offer.flags,
    Account: owner,
    Sequence: sequence,
    TakerPays: amountOf(pays, offer.takerPays),
    TakerGets: amountOf(gets, offer.takerGets),
    BookDirectory: root,
    BookNode,
    OwnerNode,
    ...(expiration === undefined ? {} : { Expiration: expiration }),
  });
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

import { LedgerView, type Offer } from '../entries.ts';
import { priceOf, type Quality, qualityText } from '../quality.ts';
import { type Asset, amountOf, least, quantityOf } from '../quantities.ts';
import { accountId, ZERO_ADDRESS } from '../signature.ts';
import { feeRate, fundsOf, withFee, withoutFee } from '../transactors/holdings.ts';
import { type BookEntry, bookOf } from '../transactors/offer-create.ts';
import { isObject } from './autofill.ts';
import { type ErrorName, invalidField, type Json, missingField, rpcError } from './errors.ts';
import { limitField, ownedPage, ownerOf, selectLedger } from './fields.ts';
import type { RpcRequest } from './request.ts';

export function accountOffers(request: RpcRequest): Json {
  const { address, ledger } = ownerOf(request);
  const { entries, more } = ownedPage(request, ledger.view, address);
  const offers = entries
    .filter(({ entry }) => entry.LedgerEntryType === 'Offer')
    .map(({ entry }) => {
      const { Flags, Sequence, TakerGets, TakerPays, BookDirectory, Expiration } = entry as Offer;
      return {
        flags: Flags,
        quality: qualityText(qualityIn(BookDirectory)),
        seq: Sequence,
        taker_gets: TakerGets,
        taker_pays: TakerPays,
        ...(Expiration === undefined ? {} : { expiration: Expiration }),
      };
    });
  return { account: address, offers, ...ledger.named, ...more };
}

const qualityIn = (directory: string): Quality => directory.slice(-16);

/** The offers of an order book, the best price first, with what their owners can pay. */
export function bookOffers(request: RpcRequest): Json {
  const { params, engine } = request;
  const { named, view: closed } = selectLedger(request);
  const pays = bookSide(params, 'taker_pays', 'srcCurMalformed', 'srcIsrMalformed');
  const gets = bookSide(params, 'taker_gets', 'dstAmtMalformed', 'dstIsrMalformed');
  const { taker } = params;
  if (taker !== undefined && typeof taker !== 'string') throw invalidField('taker', 'string');
  if (taker !== undefined && !accountId(taker)) throw invalidField('taker');
  if (JSON.stringify(pays) === JSON.stringify(gets)) throw rpcError('badMarket');
  const limit = limitField(request);
  const view = new LedgerView(closed);
  const left = new Map<string, bigint>();
  const offers: Json[] = [];
  for (const entry of bookOf(view, pays, gets)) {
    if (offers.length === limit) break;
    const { Account: owner } = entry.offer;
    const isFirst = !left.has(owner);
    const funds = left.get(owner) ?? fundsOf(view, engine.fees, owner, gets);
    const { offer, spent } = withFunds(entry, { pays, gets, funds, rate: feeRate(view, gets, owner) });
    left.set(owner, funds - spent);
    if (funds <= 0n && owner !== taker) continue;
    const isIssuer = gets !== 'XRP' && owner === gets.issuer;
    const owned = amountOf(gets, funds);
    const owner_funds = typeof owned === 'string' ? owned : owned.value;
    offers.push({ ...offer, ...(isFirst && !isIssuer ? { owner_funds } : {}) });
  }
  return { ...named, offers };
}

/** An offer that its owner cannot pay in full says how much is left of it. */
function withFunds(
  { key, offer, quality }: BookEntry,
  { pays, gets, funds, rate }: { pays: Asset; gets: Asset; funds: bigint; rate: bigint },
): { offer: Json; spent: bigint } {
  const json = { ...offer, index: key, quality: qualityText(quality) };
  const payable = withoutFee(gets, funds > 0n ? funds : 0n, rate);
  const wanted = quantityOf(offer.TakerGets);
  if (payable >= wanted) return { offer: json, spent: withFee(gets, wanted, rate) };
  const asked = least(quantityOf(offer.TakerPays), priceOf(quality, pays, payable, 'nearest'));
  const funded = { taker_gets_funded: amountOf(gets, payable), taker_pays_funded: amountOf(pays, asked) };
  return { offer: { ...json, ...funded }, spent: funds };
}

export const CURRENCY = /^([A-Za-z0-9?!@#$%^&*<>(){}[\]|]{3}|[0-9A-Fa-f]{40})$/;

/** One side of an order book. XRP has no issuer. */
function bookSide(params: Json, field: string, badCurrency: ErrorName, badIssuer: ErrorName): Asset {
  const side = params[field];
  if (side === undefined) throw missingField(field);
  if (!isObject(side)) throw invalidField(field, 'object');
  const { currency, issuer } = side;
  if (currency === undefined) throw missingField(`${field}.currency`);
  if (typeof currency !== 'string') throw invalidField(`${field}.currency`, 'string');
  if (!CURRENCY.test(currency)) throw rpcError(badCurrency, `Invalid field '${field}.currency', bad currency.`);
  if (issuer !== undefined && typeof issuer !== 'string') throw invalidField(`${field}.issuer`, 'string');
  if (issuer !== undefined && !accountId(issuer))
    throw rpcError(badIssuer, `Invalid field '${field}.issuer', bad issuer.`);
  const hasIssuer = issuer !== undefined && issuer !== ZERO_ADDRESS;
  const isXrp = currency.toUpperCase() === 'XRP' || /^0{40}$/.test(currency);
  if (isXrp && hasIssuer) throw rpcError(badIssuer, `Unneeded field '${field}.issuer' for XRP currency specification.`);
  if (!isXrp && !hasIssuer) throw rpcError(badIssuer, `Invalid field '${field}.issuer', expected non-XRP issuer.`);
  return isXrp ? 'XRP' : { currency, issuer: issuer as string };
}

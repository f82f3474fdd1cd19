import type { Payment } from 'xrpl';
import { ACCOUNT_FLAGS, definitions } from '../definitions.ts';
import { type AccountRoot, accountReserve, type LedgerView, newAccount, type ReadView } from '../entries.ts';
import { qualityOf } from '../quality.ts';
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
  scaled,
  type Token,
  type TokenAmount,
  UNLIMITED,
} from '../quantities.ts';
import type { Failure } from '../results.ts';
import { type Transaction, ZERO_ADDRESS } from '../signature.ts';
import { isDepositAuthorized } from './account.ts';
import * as holdings from './holdings.ts';
import { takeOffers } from './offer-create.ts';
import { type ApplyContext, lacksTag, type Payee, receiveXrp, sourceAccount, type Transactor } from './transactor.ts';
import { balanceOf, credit, hasFlag, limitOf, lineBetween, type OwnLine } from './trust-line.ts';

/** Multi-purpose tokens are refused before. */
type Pay = Payment & { Amount: Amount; SendMax?: Amount; DeliverMin?: Amount };

/**
 * A payment in which a token takes part, on the default path: along the trust lines of one token, or through the order
 * book of a token and XRP. A path without a liquidity is `tecPATH_DRY`, as on a real server.
 */
function payTokens(context: ApplyContext<Pay>): Failure {
  const { tx, view, ledgerIndex } = context;
  const { Amount: amount, SendMax: sendMax = amount, DeliverMin: wanted, Destination } = tx.json;
  const destination = view.account(Destination);
  // DepositAuth admits no token from a stranger, however small the payment.
  if (destination && !isDepositAuthorized(view, tx.account, destination)) return 'tecNO_PERMISSION';
  if (!destination) view.writeAccount(newAccount(Destination, ledgerIndex, 0n));
  if (tx.flags & tfNoRippleDirect) return 'temRIPPLE_EMPTY';
  const delivered = isXrp(amount) === isXrp(sendMax) ? alongLines(context) : throughBook(context, sendMax);
  if (delivered === quantityOf(amount)) return undefined;
  if (delivered !== undefined && !(tx.flags & tfPartialPayment)) return 'tecPATH_PARTIAL';
  if (delivered === undefined || delivered === 0n) return 'tecPATH_DRY';
  if (wanted !== undefined && delivered < quantityOf(wanted)) return 'tecPATH_PARTIAL';
  // The sum of several offers may have more digits than an amount.
  const asset = assetOf(amount);
  context.deliver(amountOf(asset, rounded(asset, delivered, 'nearest')));
}

/** Returns the quantity that reaches the destination; undefined: there is no path. */
function alongLines(context: ApplyContext<Pay>): bigint | undefined {
  const { tx, view } = context;
  const amount = tx.json.Amount as TokenAmount;
  const { currency, issuer } = amount;
  const to = tx.json.Destination;
  const sendMax = maxSent(context, amount);
  if (sendMax === undefined) return undefined;
  if (issuer === tx.account || issuer === to) {
    const hop = hopBetween(view, tx.account, to, currency);
    return hop && canPass(view, hop, 'alone') ? passOn(context, hop, sendMax) : undefined;
  }
  const first = hopBetween(view, tx.account, issuer, currency);
  const second = hopBetween(view, issuer, to, currency);
  if (!first || !second || !canPass(view, first) || !canPass(view, second)) return undefined;
  if (!ripplesThrough(first, second)) return undefined;
  return passThrough(context, first, second, sendMax);
}

/** Undefined: SendMax names another token, or the same one of a third issuer. */
function maxSent({ tx }: ApplyContext<Pay>, amount: TokenAmount): bigint | undefined {
  const sendMax = tx.json.SendMax as TokenAmount | undefined;
  if (!sendMax) return quantityOf(amount);
  const issuers = [amount.issuer, tx.account];
  const fits = sendMax.currency === amount.currency && issuers.includes(sendMax.issuer);
  return fits ? quantityOf(sendMax) : undefined;
}

function passOn({ tx, view }: ApplyContext<Pay>, hop: Hop, sendMax: bigint): bigint {
  const amount = tx.json.Amount as TokenAmount;
  const moved = least(maxThrough(hop), sendMax, movedFor(hop, amount, quantityOf(amount)));
  credit(view, hop, moved);
  return deliveredBy(hop, amount, moved);
}

function passThrough({ tx, view }: ApplyContext<Pay>, first: Hop, second: Hop, sendMax: bigint): bigint {
  const amount = tx.json.Amount as TokenAmount;
  const rate = holdings.transferRate(view, amount.issuer);
  const sendable = holdings.withoutFee(amount, least(maxThrough(first), sendMax), rate);
  const moved = least(sendable, maxThrough(second), movedFor(second, amount, quantityOf(amount)));
  credit(view, first, least(holdings.withFee(amount, moved, rate), sendMax));
  credit(view, second, moved);
  return deliveredBy(second, amount, moved);
}

/** An account may value what comes in along a trust line below its face value. */
const movedFor = ({ qualityIn }: Hop, asset: Token, delivered: bigint): bigint =>
  qualityIn === holdings.PARITY ? delivered : scaled(asset, delivered, holdings.PARITY, qualityIn, 'up');
function deliveredBy({ qualityIn }: Hop, amount: TokenAmount, moved: bigint): bigint {
  const delivered =
    qualityIn === holdings.PARITY ? moved : scaled(amount, moved, qualityIn, holdings.PARITY, 'nearest');
  return least(delivered, quantityOf(amount));
}

/** Returns the quantity that reaches the destination; undefined: there is no path. */
function throughBook(context: ApplyContext<Pay>, sendMax: Amount): bigint | undefined {
  const { tx, view, fees } = context;
  const amount = tx.json.Amount;
  const to = tx.json.Destination;
  const pays = assetOf(sendMax);
  const gets = assetOf(amount);
  const rateIn = holdings.feeRate(view, pays, tx.account, to);
  const rateOut = holdings.feeRate(view, gets, to, tx.account);
  if (!canSend(context, pays)) return undefined;
  const receivable = maxReceived(context, gets, to);
  if (receivable === undefined) return undefined;
  const funds = least(quantityOf(sendMax), holdings.fundsOf(view, fees, tx.account, pays));
  const wanted = least(quantityOf(amount), receivable);
  const maxPaid = holdings.withoutFee(pays, funds, rateIn);
  const maxGot = holdings.withFee(gets, wanted, rateOut);
  const { paid, got } = takeOffers(context, {
    pays,
    gets,
    maxPaid,
    maxGot,
    worst: tx.flags & tfLimitQuality ? qualityOf(maxPaid || 1n, maxGot) : undefined,
    own: undefined,
    ownersRate: holdings.PARITY,
  });
  const delivered = least(holdings.withoutFee(gets, got, rateOut), wanted);
  holdings.take(view, tx.account, pays, holdings.withFee(pays, paid, rateIn));
  holdings.give(view, to, gets, delivered);
  return delivered;
}

function canSend({ tx, view }: ApplyContext<Pay>, pays: Asset): boolean {
  if (pays === 'XRP' || pays.issuer === tx.account) return true;
  const hop = hopBetween(view, tx.account, pays.issuer, pays.currency);
  return hop !== undefined && canPass(view, hop);
}

/** Undefined: the destination cannot receive the asset. */
function maxReceived({ view }: ApplyContext<Pay>, gets: Asset, to: string): bigint | undefined {
  if (gets === 'XRP' || gets.issuer === to) return UNLIMITED;
  const hop = hopBetween(view, gets.issuer, to, gets.currency);
  return hop && canPass(view, hop) ? maxThrough(hop) : undefined;
}

/** One step of a payment: tokens move along a trust line from one of its accounts to the other one. */
interface Hop {
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  /** From the view of the account that sends. */
  readonly line: OwnLine;
  /** The value that the receiver gives to incoming tokens, in billionths: at most their face value. */
  readonly qualityIn: bigint;
}

function hopBetween(view: ReadView, from: string, to: string, currency: string): Hop | undefined {
  const line = lineBetween(view, from, to, currency);
  if (!line) return undefined;
  const quality = BigInt((line.entry[line.theirs.qualityIn] as number | undefined) ?? holdings.PARITY);
  const redeems = balanceOf(line) > 0n;
  return { from, to, currency, line, qualityIn: redeems || quality > holdings.PARITY ? holdings.PARITY : quality };
}

/** The receiver's tokens that the sender holds, and as much of its own as the receiver trusts it for. */
function maxThrough({ line }: Hop): bigint {
  const room = limitOf(line, line.theirs) + (balanceOf(line) < 0n ? balanceOf(line) : 0n);
  const held = balanceOf(line) > 0n ? balanceOf(line) : 0n;
  return held + (room > 0n ? room : 0n);
}

/** `alone`: between an issuer and its holder nothing is frozen. */
function canPass(view: LedgerView, hop: Hop, alone?: 'alone'): boolean {
  const { line } = hop;
  if (!alone && (holdings.isGloballyFrozen(view, hop.to) || hasFlag(line, line.theirs.freeze))) return false;
  const sender = view.account(hop.from);
  const needsAuth = ((sender?.Flags ?? 0) & ACCOUNT_FLAGS.lsfRequireAuth) !== 0;
  if (needsAuth && !hasFlag(line, line.own.auth) && balanceOf(line) === 0n) return false;
  return maxThrough(hop) > 0n;
}

/** False: the account between the two has switched rippling off on both lines. */
const ripplesThrough = (first: Hop, second: Hop): boolean =>
  !(hasFlag(first.line, first.line.theirs.noRipple) && hasFlag(second.line, second.line.own.noRipple));

const { tfLimitQuality, tfNoRippleDirect, tfPartialPayment } = definitions.TRANSACTION_FLAGS.Payment;

/** XRP and tokens. Paths of its own, and a token for another token, are answered with temDISABLED. */
export const payment: Transactor<Pay> = { preflight, preclaim, apply };

const isMpt = (amount: unknown): boolean => amount instanceof Object && 'mpt_issuance_id' in amount;

const isPositive = (amount: Amount): boolean => quantityOf(amount) > 0n;

function preflight({ json, flags }: Transaction<Pay>): Failure {
  const { Amount, SendMax, DeliverMin } = json;
  if ([Amount, SendMax, DeliverMin].some(isMpt)) return 'temDISABLED';
  if (json.Destination === ZERO_ADDRESS) return 'temDST_NEEDED';
  if (SendMax !== undefined && !isPositive(SendMax)) return 'temBAD_AMOUNT';
  if (!isPositive(Amount)) return 'temBAD_AMOUNT';
  const xrpDirect = isXrp(Amount) && (SendMax === undefined || isXrp(SendMax));
  if (json.Account === json.Destination && json.Paths === undefined && areOneAsset(Amount, SendMax ?? Amount))
    return 'temREDUNDANT';
  if (xrpDirect) {
    const unfit = checkXrpDirect(json, flags);
    if (unfit) return unfit;
  } else if (json.Paths !== undefined || !isOffered(Amount, SendMax ?? Amount)) return 'temDISABLED';
  if (DeliverMin === undefined) return undefined;
  const fits = flags & tfPartialPayment && isPositive(DeliverMin) && areOneAsset(DeliverMin, Amount);
  return fits ? undefined : 'temBAD_AMOUNT';
}

const areOneAsset = (a: Amount, b: Amount): boolean => sameAsset(assetOf(a), assetOf(b));

/** Tokens are exchanged for XRP only. */
const isOffered = (amount: Amount, sendMax: Amount): boolean =>
  isXrp(amount) || isXrp(sendMax) || amount.currency === sendMax.currency;

function checkXrpDirect(json: Pay, flags: number): Failure {
  if (json.SendMax !== undefined) return 'temBAD_SEND_XRP_MAX';
  if (json.Paths !== undefined) return 'temBAD_SEND_XRP_PATHS';
  if (flags & tfPartialPayment) return 'temBAD_SEND_XRP_PARTIAL';
  if (flags & tfLimitQuality) return 'temBAD_SEND_XRP_LIMIT';
  return flags & tfNoRippleDirect ? 'temBAD_SEND_XRP_NO_DIRECT' : undefined;
}

function preclaim({ tx, view, open, fees }: ApplyContext<Pay>): Failure {
  const { json, flags } = tx;
  const destination = view.account(json.Destination);
  if (destination) return lacksTag(tx, destination) ? 'tecDST_TAG_NEEDED' : undefined;
  if (!isXrp(json.Amount)) return 'tecNO_DST';
  if (open && flags & tfPartialPayment) return 'telNO_DST_PARTIAL';
  return BigInt(json.Amount) < fees.reserveBase ? 'tecNO_DST_INSUF_XRP' : undefined;
}

function apply(context: ApplyContext<Pay>): Failure {
  const { json } = context.tx;
  return isXrp(json.Amount) && json.SendMax === undefined ? payXrp(context) : payTokens(context);
}

function payXrp(context: ApplyContext<Pay>): Failure {
  const { tx, view, fees, ledgerIndex, priorBalance } = context;
  const amount = BigInt(tx.json.Amount as string);
  const address = tx.json.Destination;
  const fee = tx.fee ?? 0n;
  const reserve = accountReserve(fees, sourceAccount(context).OwnerCount);
  // The fee may dip into the reserve, the amount may not.
  if (priorBalance < amount + (reserve > fee ? reserve : fee)) return 'tecUNFUNDED_PAYMENT';
  const destination = view.account(address) ?? newAccount(address, ledgerIndex, 0n);
  if (!acceptsDeposit(context, destination, amount)) return 'tecNO_PERMISSION';
  view.addXrp(sourceAccount(context), -amount);
  receiveXrp(view, destination, amount);
}

export const isTo = ({ json }: Transaction, payee: Payee | undefined): boolean =>
  payee !== undefined && json.Destination === payee.account && json.DestinationTag === payee.tag;

/** DepositAuth does not block small payments to an account that is short of its reserve. */
function acceptsDeposit({ tx, view, fees, refusing }: ApplyContext<Pay>, to: AccountRoot, amount: bigint) {
  if (isTo(tx, refusing)) return false;
  if (amount <= fees.reserveBase && BigInt(to.Balance) <= fees.reserveBase) return true;
  return isDepositAuthorized(view, tx.account, to);
}

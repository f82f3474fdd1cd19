import { accountId, ZERO_ADDRESS } from '../addresses.ts';
import { accountKey } from '../entries.ts';
import { ACCOUNT_FLAGS } from '../transactors/account-flags.ts';
import { isObject } from './autofill.ts';
import { type ErrorName, invalidField, type Json, missingField, rpcError } from './errors.ts';
import { addressOf, booleanField, limitField } from './fields.ts';
import { selectLedger } from './ledger-selector.ts';
import type { RpcRequest } from './request.ts';

/** This ledger has no tokens. These methods check the request and answer that there are none. */

export function gatewayBalances(request: RpcRequest): Json {
  const { params, apiVersion } = request;
  const { view, named } = selectLedger(request);
  const field = params.account === undefined && params.ident !== undefined ? 'ident' : 'account';
  const account = addressOf(params, field);
  if (apiVersion > 1 && !view.read(accountKey(account)))
    throw rpcError('actNotFound', undefined, { ...named, account });
  const { hotwallet } = params;
  const wallets = Array.isArray(hotwallet) ? hotwallet : hotwallet == null ? [] : [hotwallet];
  if (!wallets.every(accountId))
    throw rpcError(apiVersion === 1 ? 'invalidHotWallet' : 'invalidParams', undefined, { ...named, account });
  return { ...named, account };
}

const DEFAULT_RIPPLE_SET =
  'You appear to have set your default ripple flag even though you are not a gateway. This is not recommended unless you are experimenting';
const DEFAULT_RIPPLE_MISSING = 'You should immediately set your default ripple flag';

export function norippleCheck(request: RpcRequest): Json {
  const { params, engine, apiVersion } = request;
  if (params.account === undefined) throw missingField('account');
  if (params.role === undefined) throw missingField('role');
  if (typeof params.account !== 'string') throw invalidField('account');
  if (params.role !== 'gateway' && params.role !== 'user') throw invalidField('role');
  limitField(request);
  const { transactions } = params;
  if (apiVersion > 1 && transactions !== undefined && typeof transactions !== 'boolean')
    throw invalidField('transactions');
  const { view, named } = selectLedger(request);
  const account = addressOf(params, 'account', () => named);
  const root = view.read(accountKey(account));
  if (!root) throw rpcError('actNotFound');
  const ripples = (root.Flags & ACCOUNT_FLAGS.defaultRipple) !== 0;
  const isGateway = params.role === 'gateway';
  const problem = ripples === isGateway ? undefined : ripples ? DEFAULT_RIPPLE_SET : DEFAULT_RIPPLE_MISSING;
  const fix = {
    Account: account,
    Fee: Number(engine.fees.base) * engine.loadFactor,
    Sequence: root.Sequence,
    SetFlag: 8,
    TransactionType: 'AccountSet',
  };
  return {
    ...named,
    problems: problem === undefined ? [] : [problem],
    ...(booleanField(request, 'transactions')
      ? { transactions: problem === DEFAULT_RIPPLE_MISSING ? [fix] : [] }
      : {}),
  };
}

export function bookOffers(request: RpcRequest): Json {
  const { params } = request;
  const { named } = selectLedger(request);
  const pays = bookSide(params, 'taker_pays', 'srcCurMalformed', 'srcIsrMalformed');
  const gets = bookSide(params, 'taker_gets', 'dstAmtMalformed', 'dstIsrMalformed');
  const { taker } = params;
  if (taker !== undefined && typeof taker !== 'string') throw invalidField('taker', 'string');
  if (taker !== undefined && !accountId(taker)) throw invalidField('taker');
  if (pays === gets) throw rpcError('badMarket');
  limitField(request);
  return { ...named, offers: [] };
}

const CURRENCY = /^([A-Za-z0-9?!@#$%^&*<>(){}[\]|]{3}|[0-9A-Fa-f]{40})$/;

/** `currency/issuer` of one side of an order book. XRP has no issuer. */
function bookSide(params: Json, field: string, badCurrency: ErrorName, badIssuer: ErrorName): string {
  const side = params[field];
  if (side === undefined) throw missingField(field);
  if (!isObject(side)) throw invalidField(field, 'object');
  const { currency, issuer } = side;
  if (currency === undefined) throw missingField(`${field}.currency`);
  if (typeof currency !== 'string') throw invalidField(`${field}.currency`, 'string');
  if (!CURRENCY.test(currency))
    throw rpcError(badCurrency, `Invalid field '${field}.currency', bad currency.`);
  if (issuer !== undefined && typeof issuer !== 'string') throw invalidField(`${field}.issuer`, 'string');
  if (issuer !== undefined && !accountId(issuer))
    throw rpcError(badIssuer, `Invalid field '${field}.issuer', bad issuer.`);
  const hasIssuer = issuer !== undefined && issuer !== ZERO_ADDRESS;
  const isXrp = currency.toUpperCase() === 'XRP' || /^0{40}$/.test(currency);
  if (isXrp && hasIssuer)
    throw rpcError(badIssuer, `Unneeded field '${field}.issuer' for XRP currency specification.`);
  if (!isXrp && !hasIssuer)
    throw rpcError(badIssuer, `Invalid field '${field}.issuer', expected non-XRP issuer.`);
  return isXrp ? 'XRP' : `${currency}/${issuer}`;
}

/** XRP needs no path, and tokens have none. */
export function ripplePathFind(request: RpcRequest): Json {
  const { params } = request;
  const { view, named } = selectLedger(request);
  const from = pathAddress(params, 'source_account', 'srcActMissing', 'srcActMalformed');
  const to = pathAddress(params, 'destination_account', 'dstActMissing', 'dstActMalformed');
  const amount = params.destination_amount;
  if (amount === undefined) throw rpcError('dstAmtMissing');
  if (typeof amount !== 'string' && !isObject(amount)) throw rpcError('dstAmtMalformed');
  if (typeof amount === 'string' && !/^-?\d{1,19}$/.test(amount)) throw rpcError('dstAmtMalformed');
  if (!view.read(accountKey(from))) throw rpcError('srcActNotFound');
  return {
    ...named,
    alternatives: [],
    destination_account: to,
    destination_amount: amount,
    destination_currencies: view.read(accountKey(to)) ? ['XRP'] : [],
    full_reply: true,
    source_account: from,
  };
}

function pathAddress(params: Json, field: string, missing: ErrorName, malformed: ErrorName): string {
  const address = params[field];
  if (address === undefined) throw rpcError(missing);
  if (!accountId(address)) throw rpcError(malformed);
  return address as string;
}

/** There is no AMM, so a well-formed request names an account that is not found. */
export function ammInfo(request: RpcRequest): Json {
  const { params } = request;
  const byAssets = params.asset !== undefined && params.asset2 !== undefined;
  const isPartial = (params.asset === undefined) !== (params.asset2 === undefined);
  if (isPartial || byAssets === (params.amm_account !== undefined)) throw rpcError('invalidParams');
  for (const asset of [params.asset, params.asset2])
    if (asset !== undefined && !(isObject(asset) && typeof asset.currency === 'string'))
      throw rpcError('issueMalformed');
  for (const field of ['amm_account', 'account'])
    if (params[field] !== undefined && !accountId(params[field])) throw rpcError('actMalformed');
  selectLedger(request);
  throw rpcError('actNotFound');
}

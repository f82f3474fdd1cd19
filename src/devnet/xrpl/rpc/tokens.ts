import { accountId, ZERO_ADDRESS } from '../addresses.ts';
import { ACCOUNT_FLAGS } from '../definitions.ts';
import { accountKey, type ReadView } from '../entries.ts';
import { amountOf, rounded, type TokenAmount } from '../quantities.ts';
import { balanceOf, hasFlag } from '../transactors/trust-line.ts';
import { linesOf } from './account.ts';
import { invalidField, type Json, missingField, rpcError } from './errors.ts';
import { accountField, addressOf, booleanField, limitField } from './fields.ts';
import { selectLedger } from './ledger-selector.ts';
import type { RpcRequest } from './request.ts';

export function gatewayBalances(request: RpcRequest): Json {
  const { params, apiVersion } = request;
  const { view, named } = selectLedger(request);
  const account = accountField(request);
  if (apiVersion > 1 && !view.read(accountKey(account)))
    throw rpcError('actNotFound', undefined, { ...named, account });
  const { hotwallet } = params;
  const wallets = Array.isArray(hotwallet) ? hotwallet : hotwallet == null ? [] : [hotwallet];
  if (!wallets.every(accountId))
    throw rpcError(apiVersion === 1 ? 'invalidHotWallet' : 'invalidParams', undefined, { ...named, account });
  return { ...named, account, ...balancesOf(view, account, new Set(wallets as string[])) };
}

/** The obligations of an issuer: to everybody together, and to each of its own wallets. */
function balancesOf(view: ReadView, account: string, wallets: ReadonlySet<string>): Json {
  const obligations = new Map<string, bigint>();
  const balances: Record<string, TokenValue[]> = {};
  const assets: Record<string, TokenValue[]> = {};
  const frozen: Record<string, TokenValue[]> = {};
  for (const line of linesOf(view, account)) {
    const { currency } = line.entry.Balance;
    const held = balanceOf(line);
    if (held === 0n) continue;
    const listed = (list: Record<string, TokenValue[]>, quantity: bigint) => {
      list[line.peer] = [...(list[line.peer] ?? []), { currency, value: valueText(currency, quantity) }];
    };
    if (wallets.has(line.peer)) listed(balances, -held);
    else if (held > 0n) listed(assets, held);
    else if (hasFlag(line, line.own.freeze)) listed(frozen, -held);
    else obligations.set(currency, (obligations.get(currency) ?? 0n) - held);
  }
  const sums = [...obligations].map(([currency, owed]) => [currency, valueText(currency, owed)]);
  return {
    ...(sums.length ? { obligations: Object.fromEntries(sums) } : {}),
    ...filled({ balances, frozen_balances: frozen, assets }),
  };
}

type TokenValue = Omit<TokenAmount, 'issuer'>;

/** A sum of many balances may have more digits than an amount. */
function valueText(currency: string, quantity: bigint): string {
  const token = { currency, issuer: ZERO_ADDRESS };
  return amountOf(token, rounded(token, quantity, 'nearest')).value;
}

const filled = (lists: Record<string, object>): Json =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => Object.keys(list).length > 0));

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
  const ripples = (root.Flags & ACCOUNT_FLAGS.lsfDefaultRipple) !== 0;
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
    ...(booleanField(request, 'transactions') ? { transactions: problem === DEFAULT_RIPPLE_MISSING ? [fix] : [] } : {}),
  };
}

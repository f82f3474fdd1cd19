import { ASSET_SYMBOLS, splitAddress } from '../../contract/assets.ts';
import { accountOf } from '../../contract/customers.ts';
import type { ModuleContext } from '../context.ts';
import type { DepositRequest } from './deposit-requests.ts';
import { type Questions, UNKNOWN, VERIFIED } from './identity-questions.ts';
import { type IdentityQuestion, lookAlike, MISMATCHED, NOT_VERIFIED } from './near-miss-names.ts';

/** Questions about the account and the network of a customer. */

export const ACCOUNT_QUESTIONS: Questions = {
  'two-accounts': {
    clause: 'WIRE-3.2',
    about: "the customer's account and one of nobody",
    accepted: [NOT_VERIFIED],
    ask: ctx => ownAccount(ctx, account => ({ accounts: [account, ctx.nobody()] })),
  },
  'two-accounts-last': {
    clause: 'WIRE-3.2',
    about: "one account of nobody, then the customer's",
    accepted: [NOT_VERIFIED],
    ask: ctx => ownAccount(ctx, account => ({ accounts: [ctx.nobody(), account] })),
  },
  'look-alike': {
    about: 'an account that looks like that of the customer',
    accepted: UNKNOWN,
    ask(ctx) {
      const customer = ctx.customer();
      const account = ctx.accountOf(customer);
      const to = lookAlike(ctx.symbol, account);
      return ctx.symbol === 'ETH' ? { customer, to } : otherTag(ctx, () => to.slice(to.indexOf(':')));
    },
  },
  'other-symbol': {
    clause: 'WIRE-3.1',
    about: "the customer's account on the ledger of another symbol",
    accepted: UNKNOWN,
    ask(ctx) {
      const customer = ctx.customer();
      const symbol = ASSET_SYMBOLS.find(each => each !== ctx.symbol && accountOf(customer, each) !== undefined);
      return symbol
        ? { customer, to: accountOf(customer, symbol)! }
        : 'Add an account for another symbol to the customer.';
    },
  },
  injection: {
    about: 'a condition of SQL as the account',
    accepted: [NOT_VERIFIED],
    ask: ctx => ({ customer: ctx.customer(), to: "' OR '1'='1" }),
  },
  network: {
    clause: 'D-07',
    about: 'a network that the symbol does not have',
    accepted: ['DENIED / UNKNOWN-NETWORK', 'DENIED / UNKNOWN-SYMBOL'],
    ask: ctx => ({ customer: ctx.customer(), network: 'Solana' }),
  },
  'no-network': {
    clause: 'WIRE-6.3',
    about: 'a request without a network',
    accepted: [...VERIFIED, 'DENIED / UNKNOWN-NETWORK'],
    ask: ctx => ({ customer: ctx.customer(), network: null }),
  },
  'lower-case': {
    clause: 'WIRE-6.1',
    about: 'the account in lower case: none on the XRP Ledger; on Ethereum the same or none',
    accepted: [],
    ask: ctx => ownAccount(ctx, account => ({ to: account.toLowerCase() })),
  },
  'tag-zero': {
    clause: 'WIRE-6.1',
    about: 'the account with the destination tag 0',
    accepted: UNKNOWN,
    ask: ctx => otherTag(ctx, () => ':0'),
  },
  'no-tag': {
    clause: 'WIRE-6.1',
    about: 'the account without its destination tag',
    accepted: UNKNOWN,
    ask: ctx => otherTag(ctx, () => ''),
  },
  'tag-overflow': {
    clause: 'D-08',
    about: 'the account with 4294967296 added to its destination tag',
    accepted: [NOT_VERIFIED],
    ask: ctx => otherTag(ctx, tag => `:${Number(tag) + 2 ** 32}`),
  },
  'tag-zeros': {
    clause: 'D-08',
    about: 'the account with a zero before its destination tag',
    accepted: [NOT_VERIFIED],
    severity: 'WARNING',
    ask: ctx => otherTag(ctx, tag => `:0${tag}`),
  },
};

function ownAccount(ctx: ModuleContext, change: (account: string) => Omit<DepositRequest, 'customer'>): DepositRequest {
  const customer = ctx.customer();
  return { customer, ...change(ctx.accountOf(customer)) };
}

function otherTag(ctx: ModuleContext, change: (tag: string) => string): DepositRequest | string {
  if (ctx.symbol !== 'XRP') return 'Only the XRP Ledger has destination tags.';
  const customer = ctx.customer();
  const account = ctx.accountOf(customer);
  const [address, tag] = splitAddress(account);
  const to = `${address}${change(tag ?? '')}`;
  const isOwned = ctx.world.customers?.customers.some(each => accountOf(each, 'XRP') === to);
  if (tag === undefined || isOwned) return `${to} is the account of a customer.`;
  return { customer, to };
}

/** What the answers may be: it differs by ledger where the accounts do. */
export function acceptedOf({ symbol }: ModuleContext, word: string, question: IdentityQuestion): readonly string[] {
  if (word !== 'lower-case') return question.accepted ?? MISMATCHED;
  return symbol === 'ETH' ? [...VERIFIED, ...UNKNOWN] : UNKNOWN;
}

import { ASSETS, splitAddress } from '../../contract/assets.ts';
import type { Customer, DriverAction, DriverParameters } from '../../contract/customers.ts';
import type { Named, NamedCustomer } from '../../contract/persons.ts';
import { ByHand, type Difference } from '../../contract/plans.ts';
import { parseUnits } from '../../kernel/decimal.ts';
import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { refusalText, requireInTime, requireNoReport, resultIn } from './answers.ts';
import { rememberWithdrawal } from './balances.ts';
import { type Acting, awaitCall, callsOf, type Expected, order, refusedText, shownEnd } from './driver-acts.ts';

/** Orders withdrawals from the tested VASP and finds the calls that follow. */

export interface Withdrawal {
  payee: string;
  /** Default: the account of the user. */
  account?: string;
  /** Default: the names of the user. */
  named?: Named;
  /** Default: the first customer. */
  customer?: Customer;
  amount?: string;
  network?: string;
  requiredBeneficiaryInfo?: string;
  omit?: NonNullable<DriverParameters['omit']>;
  kinds?: NonNullable<DriverParameters['kinds']>;
}

export interface Ordered {
  action: DriverAction;
  symbol: string;
  amount: string;
  account: string;
  /** Undefined: a person chooses one. */
  customer: Customer | undefined;
  /** Hashes of payments of this account and amount that were there before, of an old run. */
  earlier: readonly string[];
  /** Hashes of all payments of this account that were there before. */
  before: readonly string[];
  acting: Acting;
}

/** Makes the VASP begin a withdrawal, or a part of one. */
export async function orderWithdrawal(
  ctx: ModuleContext,
  action: DriverAction,
  withdrawal: Withdrawal,
): Promise<Ordered> {
  if (action !== 'verify-account') requireInTime(ctx, 'callback');
  const user = ctx.user(withdrawal.payee);
  const { symbol } = ctx;
  const { account = user.accounts[symbol], amount = ctx.amount, network, omit, kinds } = withdrawal;
  const named = withdrawal.named ?? ({ kind: user.kind, names: user.names } as Named);
  const customer = withdrawal.customer ?? payerOf(ctx);
  const parameters: DriverParameters = {
    symbol,
    amount,
    ...(customer ? { customer } : {}),
    beneficiary: { vaspId: ctx.world.robotVaspId, user: named, account },
    ...(network === undefined ? {} : { network }),
    ...(withdrawal.requiredBeneficiaryInfo ? { requiredBeneficiaryInfo: withdrawal.requiredBeneficiaryInfo } : {}),
    ...(omit ? { omit } : {}),
    ...(kinds ? { kinds } : {}),
  };
  const sent = omit?.includes('destinationTag') ? splitAddress(account)[0] : account;
  const paid = await paymentsTo(ctx, sent);
  const before = paid.map(({ txHash }) => txHash);
  const earlier = paid.filter(each => sameAmount(ctx, amount, each.amount)).map(({ txHash }) => txHash);
  const instruction = instructionOf(ctx, action, parameters);
  if (customer) rememberWithdrawal(ctx, customer, amount);
  const acting = await order(ctx, { action, parameters, instruction, byHand: byHand(ctx, action, withdrawal) });
  return { action, symbol, amount, account: sent, customer, earlier, before, acting };
}

/** Only an ordinary withdrawal: its data say it all. */
function byHand(ctx: ModuleContext, action: DriverAction, { payee, amount = ctx.amount, ...more }: Withdrawal) {
  const known = ByHand.shape.action.safeParse(action);
  if (!known.success || Object.values(more).some(each => each !== undefined)) return undefined;
  const user = ctx.user(payee);
  const account = user.accounts[ctx.symbol];
  const name = nameOf({ kind: user.kind, names: user.names } as Named);
  return { action: known.data, symbol: ctx.symbol, amount, user: payee, name, account, vaspId: ctx.world.robotVaspId };
}

/** A person may choose any customer, so the file is not needed for that. */
const payerOf = (ctx: ModuleContext): Customer | undefined =>
  ctx.world.driver || ctx.world.customers ? ctx.customer() : undefined;

const DO: Readonly<Record<string, string>> = {
  'verify-account': 'Verify the account',
  'verify-user': 'Open a user verification, whatever an account verification says, and do not pay,',
  withdraw: 'Withdraw',
  'send-without-report': 'Withdraw, without the transaction report,',
  'report-error': 'Begin a withdrawal and cancel it after VERIFIED with an error report',
};
const SCREENED = { sanction: 'the sanction screening', kyt: 'the monitoring', wco: 'the person screening' } as const;
const LEFT_OUT: Readonly<Record<string, string>> = {
  destinationTag: 'the destination tag',
  dateAndPlaceOfBirth: 'date and place of birth of the originator',
};

function instructionOf(ctx: ModuleContext, action: DriverAction, parameters: DriverParameters): string {
  const { symbol, amount, beneficiary, customer, network, requiredBeneficiaryInfo } = parameters;
  const { omit = [], kinds = [] } = parameters;
  const { account, vaspId, user } = beneficiary!;
  const payee = nameOf(user);
  const parts = [
    ...(action === 'verify-account'
      ? [`${DO[action]} ${account} (${symbol}) of ${payee} at VASP ${vaspId}`]
      : [`${DO[action]} ${amount} ${symbol} to ${payee} at ${account} of VASP ${vaspId}`]),
    ...(customer && action !== 'verify-account' ? [`by ${payerText(ctx, customer)}`] : []),
    ...(network ? [`on the network ${network}`] : []),
    ...(requiredBeneficiaryInfo ? [`wanting ${requiredBeneficiaryInfo}`] : []),
    ...(kinds.length > 0 ? [`with ${kinds.map(kind => SCREENED[kind]).join(' and ')} before the payment`] : []),
    ...(omit.length > 0 ? [`leaving out ${omit.map(each => LEFT_OUT[each]).join(' and ')}`] : []),
  ];
  return `${parts.join(' ')}.`;
}

/** The report holds the instruction, so it names no customer of the VASP. */
function payerText({ world }: ModuleContext, customer: Customer): string {
  const { id, dateOfBirth, placeOfBirth } = customer;
  if (world.customers?.customers.some(own => own.id === id)) return `your customer ${id}`;
  return `${nameOf(customer)}, born on ${dateOfBirth} in ${placeOfBirth}`;
}

function nameOf(named: NamedCustomer): string {
  if (named.kind === 'natural') return [named.names.firstName, named.names.lastName].filter(Boolean).join(' ');
  const [representative] = named.names.representatives;
  return `${named.names.legalName} (representative ${representative?.firstName} ${representative?.lastName})`;
}

/** A text instead of a list is an account, too: the enclave refuses it, and a condition says so. */
const accountsIn = (body: Record<string, unknown> | undefined): string[] => {
  const { ivms101 } = (body?.payload ?? {}) as { ivms101?: { beneficiary?: { accountNumber?: unknown } } };
  return [ivms101?.beneficiary?.accountNumber ?? []].flat().map(String);
};

const differing = (field: string, expected: string, got: unknown, isSame = expected === got): Difference[] =>
  isSame ? [] : [{ field, expected, got: String(got ?? 'missing') }];

function differingAccount(
  ctx: ModuleContext,
  account: string,
  body: Record<string, unknown> | undefined,
): Difference[] {
  const accounts = accountsIn(body);
  const isSame = accounts.some(each => ctx.sameAccount(each, account));
  return differing('accountNumber', account, accounts.join(', '), isSame);
}

/** Matched by VASP, symbol and address. */
export const accountCall = (
  ctx: ModuleContext,
  { symbol, account }: Pick<Ordered, 'symbol' | 'account'>,
): Expected => ({
  operation: 'verify-account',
  differences(exchange) {
    const body = json(exchange.request);
    return [
      ...differing('beneficiaryVaspId', ctx.world.robotVaspId, body?.beneficiaryVaspId),
      ...differing('symbol', symbol, body?.symbol),
      ...differingAccount(ctx, account, body),
    ];
  },
});

/** Matched by VASP, symbol, address and amount. */
export const userCall = (
  ctx: ModuleContext,
  { symbol, account, amount }: Pick<Ordered, 'symbol' | 'account' | 'amount'>,
): Expected => ({
  operation: 'verify-user',
  differences(exchange) {
    const body = json(exchange.request);
    const asset = (body?.assetInfo ?? {}) as { symbol?: unknown; amount?: unknown };
    const found = [
      ...differing('beneficiaryVaspId', ctx.world.robotVaspId, body?.beneficiaryVaspId),
      ...differing('assetInfo.symbol', symbol, asset.symbol),
      ...differingAccount(ctx, account, body),
      ...differing('assetInfo.amount', amount, asset.amount, sameAmount(ctx, amount, asset.amount)),
    ];
    return found.length > 2 ? undefined : found;
  },
});

function sameAmount({ symbol }: ModuleContext, one: string, other: unknown): boolean {
  const { decimals } = ASSETS[symbol];
  const units = parseUnits(one, decimals);
  return typeof units === 'bigint' && units === parseUnits(String(other), decimals);
}

export interface Opened {
  /** Undefined: the enclave refused the call. */
  uuid: string | undefined;
  exchange: LoggedExchange;
}

/** The user verification of the VASP; without it `word` is NOT-RECEIVED, and the module ends. */
export async function verificationOf<W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  ordered: Ordered,
): Promise<Opened> {
  const exchange = await awaitCall(ctx, word, ordered.acting, userCall(ctx, ordered));
  return { uuid: exchange.verificationUuid ?? undefined, exchange };
}

export const VERIFIED = 'VERIFIED / OK';

/** The result of a user verification, and what a condition about it shows. Undefined: it has none. */
export async function shownResult(ctx: ModuleContext, { acting }: Ordered, { uuid, exchange }: Opened) {
  const result = uuid && (await resultOf(ctx, uuid));
  const got = result ?? (exchange.status === 200 ? 'no result' : refusalText(exchange));
  const end = await shownEnd(ctx, exchange, { answer: result ?? resultIn(exchange), ...acting });
  return { result, shown: { got, ...end } };
}

/** A user verification that is VERIFIED; otherwise `word` fails, and the module ends. */
export async function verifiedWithdrawal<W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  ordered: Ordered,
): Promise<{ uuid: string; exchange: LoggedExchange }> {
  const { uuid, exchange } = await verificationOf(ctx, word, ordered);
  const { result, shown } = await shownResult(ctx, ordered, { uuid, exchange });
  if (uuid && ordered.action === 'verify-user') requireNoReport(ctx, uuid);
  if (uuid && result === VERIFIED) return { uuid, exchange };
  ctx.check(word, false, { expected: `the user verification before it is ${VERIFIED}`, ...shown });
  return ctx.stop();
}

export const ACCOUNT_FIRST = {
  clause: 'WIRE-2.3',
  text: 'An account verification of the same account comes before the user verification.',
} as const;

/** Before the user verification there was an account verification of the same account. */
export function judgeAccountFirst(ctx: ModuleContext<'account-first'>, ordered: Ordered, before: number): void {
  const from = callsOf(ctx, accountCall(ctx, ordered)).filter(each => each.id < before && each.status === 200);
  ctx.check('account-first', from.length > 0, {
    expected: 'an account verification before the user verification',
    got:
      from.length > 0
        ? 'there was one'
        : ['there was none', refusedText(ctx, 'verify-account')].filter(Boolean).join('. '),
    from,
  });
}

/** A withdrawal of the VASP that is VERIFIED. Also judges `account-first`, where the module has it. */
export async function withdraw<W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  withdrawal: Withdrawal,
  action: DriverAction = 'withdraw',
) {
  const ordered = await orderWithdrawal(ctx, action, withdrawal);
  const { uuid, exchange } = await verifiedWithdrawal(ctx, word, ordered);
  judgeAccountFirst(ctx as ModuleContext<never>, ordered, exchange.id);
  return { ordered, uuid };
}

/** A call about one verification that the enclave has accepted. */
export const acceptedCall = (operation: string, uuid: string): Expected => ({
  operation,
  differences: ({ status, verificationUuid }) => (verificationUuid === uuid && status === 200 ? [] : undefined),
});

/** The first result and its reason, whatever has ended the verification since. Undefined: none within its time. */
export const resultOf = (ctx: ModuleContext, verificationUuid: string): Promise<string | undefined> =>
  ctx.untilSandbox(async () => {
    const type = 'VERIFICATION_RESULT';
    const { callbacks } = await ctx.api.callbacks({ verificationUuid, type, limit: 1 });
    const [first] = callbacks;
    return first && `${first.data.verificationResult} / ${first.data.reason}`;
  });

/** A payment that is awaited is among them. */
export const NEWEST = 100;

/** Payments to the robot with this account and amount, among the `newest` payments. */
export async function paymentsOf(
  ctx: ModuleContext,
  { account, amount, earlier }: Pick<Ordered, 'account' | 'amount' | 'earlier'>,
  newest = 999,
) {
  const payments = await paymentsTo(ctx, account, newest);
  return payments.filter(each => sameAmount(ctx, amount, each.amount) && !earlier.includes(each.txHash));
}

/** The nth payment; undefined: it does not come within the time for an act. */
export const untilPayment = (ctx: ModuleContext, ordered: Ordered, { ms = ordered.acting.waitMs, nth = 1 } = {}) =>
  ctx.untilPaid(ms, async () => (await paymentsOf(ctx, ordered, NEWEST))[nth - 1]);

async function paymentsTo(ctx: ModuleContext, account: string, newest = 999) {
  const { payments: deposits } = await ctx.api.receivedPayments({ address: account, limit: newest });
  return deposits.filter(each => each.symbol === ctx.symbol && ctx.sameAccount(each.address, account));
}

/** All payments to the account since the order, whatever their amount. */
export const paymentsSince = async (ctx: ModuleContext, { account, before }: Ordered) =>
  (await paymentsTo(ctx, account)).filter(({ txHash }) => !before.includes(txHash));

/** Names a payment that came instead of an awaited one. */
export async function noPaymentText(
  ctx: ModuleContext,
  { account, amount, earlier, before }: Pick<Ordered, 'account' | 'amount' | 'earlier'> & Partial<Ordered>,
): Promise<string> {
  const { payments: deposits } = await ctx.api.receivedPayments({ limit: NEWEST });
  const own = deposits.filter(each => each.symbol === ctx.symbol && !earlier.includes(each.txHash));
  const near =
    own.find(each => sameAmount(ctx, amount, each.amount)) ??
    own.find(
      each =>
        ctx.sameAccount(each.address, account) && (before ? !before.includes(each.txHash) : isSince(ctx, each.txHash)),
    );
  return near
    ? `no such payment, but ${near.amount} ${ctx.symbol} to ${near.address} (${near.txHash})`
    : ['no payment', refusedText(ctx, 'unknown')].filter(Boolean).join('. ');
}

/** The VASP has reported the transaction within the module. */
const isSince = ({ evidence }: ModuleContext, txHash: string): boolean =>
  evidence.received('report-transaction').some(({ request }) => request?.includes(txHash));

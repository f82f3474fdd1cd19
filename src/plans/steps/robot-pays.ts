import * as z from 'zod';
import { Refused } from '../../client/client.ts';
import { type AssetSymbol, toBaseUnits, toCoins } from '../../contract/assets.ts';
import type { CallbackType } from '../../contract/callbacks.ts';
import { REASONS } from '../../contract/clauses.ts';
import type { Customer } from '../../contract/customers.ts';
import type { VerifyUserRequest } from '../../contract/requests.ts';
import { userRequest } from '../../contract/sample-requests.ts';
import { VaspVerifyAccountAnswer, VaspVerifyUserAnswer } from '../../contract/vasp-api.ts';
import type { ModuleContext } from '../context.ts';
import type { LoggedExchange } from '../evidence.ts';
import type { RunWorld } from '../world.ts';
import { noAddress, pair, requireInTime, unverifiedCause } from './answers.ts';
import { type DepositRequest, depositRequest, PAYER } from './deposit-requests.ts';

/** Payments of the robot, and the money for them. */

const FUNDS = { ETH: '2', XRP: '1000' } as const;
const NEEDED = { ETH: '0.02', XRP: '30' } as const;
const ACCOUNT_MONEY = '50';

/** Before any payment: one whose report is late would be credited in a later module. REF-4.6.1: the robot pays no more than it has received. Embedded ledgers give it money. */
export async function ensureFunds(
  ctx: ModuleContext,
  payer = PAYER,
  needed: string = NEEDED[ctx.symbol],
): Promise<void> {
  requireInTime(ctx, 'callback');
  const { symbol, api, world } = ctx;
  const { accounts } = ctx.user(payer);
  const { value } = await api.balance(world.vaspId, symbol, accounts[symbol]);
  if (toBaseUnits(symbol, value) >= toBaseUnits(symbol, needed)) return;
  if (!world.isEmbedded(symbol))
    ctx.skip(
      `The robot has received ${value} ${symbol} at ${accounts[symbol]}, and it pays no more than that. Pay it ${needed} ${symbol} first, with a verification.`,
    );
  await endow(ctx, payer, needed === NEEDED[symbol] ? FUNDS[symbol] : needed);
}

/** False: the quota of the faucet has no room for it. */
export const canFund = (ctx: ModuleContext, needed: string): Promise<boolean> =>
  ensureFunds(ctx, PAYER, needed).then(
    () => true,
    error => {
      if (error instanceof Refused && error.code === 'QUOTA-EXCEEDED') return false;
      throw error;
    },
  );

/** A verification of the run itself. Its callback is not sent, because the tested VASP has not asked for it. */
async function endow(ctx: ModuleContext, payer: string, funds: string): Promise<void> {
  const { symbol, api, world } = ctx;
  const user = ctx.user(payer);
  const amount = `${funds}.${world.digits}1`;
  const from = user.accounts[symbol];
  const { verificationUuid } = await api.verifyUser(
    userRequest({ robotVaspId: world.robotVaspId, user, symbol, amount, from, now: world.sandboxNow() }),
  );
  await ctx.fault({ target: 'callback.VERIFICATION_RESULT', mode: 'drop', times: 1, verificationUuid });
  await ctx.untilSandbox(async () => ((await api.verification(verificationUuid)).result ? true : undefined));
  const { txHash } = await payFromFaucet(ctx, from, amount);
  await api.reportTransaction(verificationUuid, txHash);
  const isCredited = await ctx.untilPaid(ctx.world.sandboxMs, async () => {
    const { payments: deposits } = await api.receivedPayments({ limit: 20 });
    return deposits.some(each => each.txHash === txHash && each.status === 'CREDITED') || undefined;
  });
  if (!isCredited) ctx.trouble(`The money for the robot was not credited: ${amount} ${symbol}.`);
}

type FaucetOptions = Parameters<ModuleContext['api']['faucet']>[3];

/** Does not wait for the close interval of the embedded XRP Ledger. */
export async function payFromFaucet(ctx: ModuleContext, account: string, amount: string, options: FaucetOptions = {}) {
  let isDone = false;
  const paid = givenByFaucet(ctx, account, amount, options).finally(() => {
    isDone = true;
  });
  paid.catch(() => {});
  await ctx.untilPaid(ctx.world.sandboxMs, () => isDone || undefined);
  const { txHash } = await paid;
  const chain = await ctx.world.chain(ctx.symbol);
  // Another run may hold the ledger: then the faucet does not wait.
  await ctx.untilPaid(ctx.world.sandboxMs, async () => {
    const { status } = await chain.stateOf(txHash);
    return status === 'unknown' || status === 'pending' ? undefined : true;
  });
  return { txHash };
}

/** The faucet refuses while another run holds the ledger. Runs take it one after another. */
const MAX_REFUSALS = 20;

async function givenByFaucet(ctx: ModuleContext, account: string, amount: string, options: FaucetOptions) {
  for (let refusals = 1; ; refusals++) {
    await ctx.untilSandbox(() => ctx.world.isLedgerFree(ctx.symbol) || undefined);
    try {
      return await ctx.api.faucet(ctx.symbol, account, amount, options);
    } catch (error) {
      const isRefused = error instanceof Refused && error.code === 'CHAIN-REFUSED';
      if (!isRefused || !ctx.world.isShared() || refusals === MAX_REFUSALS) throw error;
    }
  }
}

/** The XRP Ledger pays less than its reserve to existing accounts only. */
export async function ensureAccount(ctx: ModuleContext, address: string): Promise<void> {
  const { symbol, world } = ctx;
  if (symbol !== 'XRP' || !world.isEmbedded(symbol)) return;
  const chain = await world.chain(symbol);
  const parsed = chain.parseAddress(address);
  if (!parsed) ctx.skip(`${address} is no address of ${symbol}.`);
  const { total } = await chain.balanceOf(parsed.account).catch(() => ({ total: 0n }));
  if (total === 0n) await payFromFaucet(ctx, parsed.account, ACCOUNT_MONEY);
}

/** A customer whom the robot can pay. Default: the first one. */
export async function payableCustomer(ctx: ModuleContext, customer = ctx.customer()): Promise<Customer> {
  await ensureFunds(ctx);
  await ensureAccount(ctx, ctx.accountOf(customer));
  return customer;
}

/** The robot pays a VERIFIED verification. Returns the hash when the payment is in the ledger. */
export async function robotPays(
  ctx: ModuleContext,
  verificationUuid: string,
  { omitTxReport = false } = {},
): Promise<string> {
  await ctx.api.robotWithdraw(verificationUuid, omitTxReport);
  return inLedger(ctx, verificationUuid, omitTxReport);
}

/** The payment that the robot has taken an order for. */
export async function inLedger(ctx: ModuleContext, verificationUuid: string, omitTxReport = false): Promise<string> {
  const chain = await ctx.world.chain(ctx.symbol);
  const paid = await ctx.untilPaid(ctx.world.sandboxMs, async () => {
    const [transfer] = (await ctx.api.transfers({ verificationUuid })).transfers;
    if (transfer?.transactionStatus === 'CANCELED') ctx.skip(`The robot could not pay: ${transfer.why}.`);
    const txHash = transfer?.txHash;
    if (!txHash || !(omitTxReport || transfer.reportedTxHash)) return undefined;
    const { status } = await chain.stateOf(txHash);
    return status === 'included' || status === 'final' ? txHash : undefined;
  });
  return paid ?? ctx.trouble('The payment of the robot did not reach the ledger.');
}

/** The robot names a payment. Returns the callback to the VASP. */
export async function reportPayment(ctx: ModuleContext, verificationUuid: string, txHash: string) {
  await ctx.api.robotReport(verificationUuid, txHash);
  return callbackSent(ctx, 'TX_REPORT', verificationUuid);
}

/** The first callback of this type to the VASP; undefined: none was sent within its time. */
export async function callbackSent(
  ctx: ModuleContext,
  type: string,
  verificationUuid: string,
): Promise<LoggedExchange | undefined> {
  if (ctx.world.target.url('callback') === undefined) return undefined;
  const sent = () => callbacksSent(ctx, type, verificationUuid)[0];
  const isHeldUp = () => ctx.evidence.sent('callback', verificationUuid).some(({ status }) => status !== 200);
  const first = await ctx.untilSandbox(() => sent() ?? (isHeldUp() || undefined));
  // D-13: a callback waits until the one before it is answered with 200.
  return first === true ? ctx.until(ctx.world.waitMs, sent) : first;
}

export const callbacksSent = (ctx: ModuleContext, type: string, verificationUuid: string): LoggedExchange[] =>
  ctx.evidence
    .sent('callback', verificationUuid)
    .filter(({ request }) => request?.includes(`"callbackType":"${type}"`));

/** Only the members: whether result and reason belong together is a condition of its own. */
export const UserAnswerShape = z.looseObject(VaspVerifyUserAnswer.shape);
export const AccountAnswerShape = z.looseObject(VaspVerifyAccountAnswer.shape);
export type UserAnswer = z.output<typeof UserAnswerShape>;

interface Asked {
  uuid: string;
  request: VerifyUserRequest;
  /** Undefined: the VASP has no such endpoint, so nothing was sent. */
  exchange: LoggedExchange | undefined;
}

/** The robot opens a user verification with the tested VASP. Resolves when the call has ended. */
export async function robotVerifies(ctx: ModuleContext, request: VerifyUserRequest): Promise<Asked> {
  requireInTime(ctx, 'verifyUser');
  const { verificationUuid: uuid } = await ctx.api.robotVerifyUser(request);
  const isAsked = ctx.world.target.url('verifyUser') !== undefined;
  const exchange = isAsked ? await ctx.untilSandbox(() => ctx.evidence.sent('verifyUser', uuid)[0]) : undefined;
  await ctx.untilSandbox(async () => (await ctx.api.verification(uuid)).result);
  return { uuid, request, exchange };
}

/** A VERIFIED deposit; otherwise `word` fails, and the module ends. Skips the module where nobody can be asked. */
export async function verifiedDeposit<W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  order: DepositRequest,
): Promise<Asked> {
  if (ctx.world.target.url('verifyUser') === undefined) return ctx.skip(noAddress('verifyUser'));
  const asked = await robotVerifies(ctx, depositRequest(ctx, order));
  const { result, reason } = await ctx.api.verification(asked.uuid);
  if (result === 'VERIFIED') return asked;
  const got = pair(result ?? 'no result', reason);
  ctx.check(word, false, {
    expected: 'the user verification before it is VERIFIED',
    got,
    from: [asked.exchange],
    cause: unverifiedCause('verifyUser', got),
  });
  return ctx.stop();
}

/** REF-2.3: does the reason belong to the result? */
export function belongs(result: string, reason: string | undefined): boolean {
  if (result === 'VERIFIED') return (reason ?? 'OK') === 'OK';
  const row = REASONS[reason as keyof typeof REASONS];
  if (row === undefined || reason === 'OK') return false;
  return result === 'UNKNOWN' ? reason === 'UNKNOWN-ADDRESS' : row.result === result || result === 'ERROR';
}

/** What a run holds back from the VASP while other modules go on. */

/** A VASP with a time-out of its own would have acted within this real time. */
export const HELD_BACK_MS = 11_000;

/**
 * The premise of a module that watches what the VASP does before a callback: from now on that callback is lost, however busy
 * the machine and however quick its cause. Returns what ends this.
 */
export async function keepBack(
  ctx: ModuleContext,
  verificationUuid: string,
  callbackType: CallbackType,
): Promise<() => Promise<void>> {
  const target = `callback.${callbackType}` as const;
  const fault = await ctx.fault({ target, mode: 'drop', times: 1, verificationUuid });
  return async () => {
    await ctx.idle();
    await ctx.removeFault(fault);
  };
}

/** Sends a callback that was lost. */
export async function bringLost(
  { api }: Pick<ModuleContext, 'api'>,
  verificationUuid: string,
  callbackType: CallbackType,
): Promise<void> {
  const { callbacks } = await api.callbacks({ verificationUuid });
  const lost = callbacks.find(each => each.callbackType === callbackType);
  if (lost) await api.replay(lost.id).catch(() => {});
}

/** The callback of this type that `work` causes is lost. */
export async function withoutCallback(
  ctx: ModuleContext,
  verificationUuid: string,
  callbackType: CallbackType,
  work: () => Promise<unknown>,
): Promise<void> {
  const release = await keepBack(ctx, verificationUuid, callbackType);
  await work();
  await release();
}

/** The callback of this type, which was lost, comes at the end of the module `late`, or when the VASP needs it. */
export function holdBack(world: RunWorld, verificationUuid: string, callbackType: CallbackType): void {
  const { held } = world.watch;
  const bring = async () => {
    held.delete(bring);
    await bringLost(world, verificationUuid, callbackType);
  };
  held.add(bring);
}

export async function bringHeld({ watch }: Pick<RunWorld, 'watch'>): Promise<void> {
  for (const bring of [...watch.held]) await bring();
}

/** Looks for an act of a VASP that may first need what the run holds back. `until`: how to look. */
export async function untilActed<T>(
  ctx: ModuleContext,
  ms: number,
  until: (ms: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  const { held } = ctx.world.watch;
  // Another module may begin to hold something meanwhile. Nobody holds a public ledger, and the wait for its blocks is long.
  const waits = ctx.world.isEmbedded(ctx.symbol) ? [ms / 2, ms / 2] : [held.size > 0 ? ms / 2 : ms];
  for (const each of waits) {
    const found = await until(each);
    if (found !== undefined) return found;
    if (held.size > 0) break;
  }
  if (held.size === 0) return undefined;
  await bringHeld(ctx.world);
  return until(ms);
}

const SCALE: Readonly<Record<AssetSymbol, number>> = { ETH: 1e18, XRP: 1e6 };

/** An amount with all decimals of the asset that floating point loses: 18 for ETH, 6 for XRP. */
export function exactAmount(ctx: ModuleContext, nth: number): string {
  const { symbol } = ctx;
  for (let units = leastOf(symbol, toBaseUnits(symbol, ctx.amountOf(nth))); ; units++) {
    const amount = toCoins(symbol, units);
    if (units % 10n !== 0n && isLost(symbol, amount)) return amount;
  }
}

/** More than 2^53 wei; 16 to 16.777 XRP, where floating point loses one drop in five. */
const leastOf = (symbol: AssetSymbol, units: bigint): bigint =>
  symbol === 'ETH' ? units + 10n ** 16n + 7_777n : (units * 2n) / 5n + 14_400_000n;

function isLost(symbol: AssetSymbol, amount: string): boolean {
  const units = toBaseUnits(symbol, amount);
  const floating = Number(amount) * SCALE[symbol];
  if (symbol === 'XRP') return BigInt(Math.trunc(floating)) !== units;
  return BigInt(Math.round(floating)) !== units && String(Number(amount)) !== amount;
}

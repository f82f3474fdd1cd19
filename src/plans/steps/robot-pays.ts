import { Refused } from '../../client/client.ts';
import { toBaseUnits } from '../../contract/assets.ts';
import type { Customer } from '../../contract/customers.ts';
import { userRequest } from '../../contract/sample-requests.ts';
import type { ModuleContext } from '../context.ts';
import type { LoggedExchange } from '../evidence.ts';
import { requireInTime } from './answers.ts';
import { PAYER } from './deposit-requests.ts';

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
    const { deposits } = await api.deposits({ limit: 20 });
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

import type { Chain, Cursor, IncomingTransfer } from '../../chains/port.ts';
import { toBaseUnits } from '../../contract/assets.ts';
import { accountOf } from '../../contract/customers.ts';
import type { ModuleContext } from '../context.ts';
import { json } from '../evidence.ts';

/** Does the VASP pay for a verification in which it is the beneficiary? */

export interface PaidMemo {
  uuid: string;
  txHash: string;
  /** Undefined: a public ledger, of which only the reports of the VASP are read. */
  since: Cursor | undefined;
}

export async function watchedFrom(ctx: ModuleContext, uuid: string, txHash: string): Promise<PaidMemo> {
  if (!ctx.world.isEmbedded(ctx.symbol)) return { uuid, txHash, since: undefined };
  return { uuid, txHash, since: await headOf(await ctx.world.chain(ctx.symbol)) };
}

async function headOf(chain: Chain): Promise<Cursor> {
  const { height, hash } = await chain.head();
  return { height, hash, genesis: await chain.genesis() };
}

/** A payment of this amount to the account of the customer that is not the robot's. No other module has the amount. */
export async function judgePaidBack(
  ctx: ModuleContext<'no-payment'>,
  { uuid, txHash, since }: PaidMemo,
): Promise<void> {
  const from = ctx.evidence.received('report-transaction', uuid).slice(0, 1);
  const paid = since && (await paymentSince(ctx, since, txHash));
  ctx.check('no-payment', from.length === 0 && !paid, {
    expected: 'no payment',
    got: paid ? `paid in transaction ${paid}` : from.length > 0 ? 'the VASP reports a payment for it' : 'none',
    from,
  });
}

async function paymentSince(ctx: ModuleContext, since: Cursor, txHash: string): Promise<string | undefined> {
  const amount = toBaseUnits(ctx.symbol, ctx.amount);
  const address = ctx.accountOf(ctx.customer());
  const { tag } = (await ctx.world.chain(ctx.symbol)).parseAddress(address)!;
  const found = await paymentsTo(
    ctx,
    { since, address },
    each => each.amount === amount && each.to.tag === tag && each.txHash !== txHash,
  );
  return found[0]?.txHash;
}

async function paymentsTo(
  ctx: ModuleContext,
  { since, address }: { since: Cursor; address: string },
  isIt: (each: IncomingTransfer) => boolean,
): Promise<IncomingTransfer[]> {
  const chain = await ctx.world.chain(ctx.symbol);
  const { account } = chain.parseAddress(address)!;
  const found: IncomingTransfer[] = [];
  for (let cursor = since; ; ) {
    const page = await chain.incoming(cursor, new Set([account]));
    found.push(...page.transfers.filter(isIt));
    if (page.caughtUp) return found;
    cursor = page.cursor;
  }
}

export interface SentMemo {
  since: Cursor;
  sender: string;
}

/** The payment that the VASP must keep. */
export async function sentFrom(ctx: ModuleContext, txHash: string): Promise<SentMemo | undefined> {
  const chain = await ctx.world.chain(ctx.symbol);
  const since = await headOf(chain);
  const [transfer] = (await chain.lookup(txHash)).transfers;
  return transfer && { since, sender: transfer.from };
}

/**
 * The whole amount, which nobody else pays, or less from an account of the VASP: it may keep a fee. Anybody may pay the
 * sender, which is the faucet.
 */
export async function sentBack(ctx: ModuleContext, { since, sender }: SentMemo): Promise<string | undefined> {
  const whole = toBaseUnits(ctx.symbol, ctx.amount);
  const near = await paymentsTo(
    ctx,
    { since, address: sender },
    ({ amount }) => amount <= whole && amount >= whole - whole / 10n,
  );
  const found = near.find(({ amount }) => amount === whole);
  if (found || near.length === 0) return found?.txHash;
  const own = await accountsOfVasp(ctx);
  return near.find(({ from }) => own.has(from))?.txHash;
}

/** Those of its customers, and those that have paid what it has reported. */
async function accountsOfVasp(ctx: ModuleContext): Promise<Set<string>> {
  const chain = await ctx.world.chain(ctx.symbol);
  const addresses = (ctx.world.customers?.customers ?? []).flatMap(each => accountOf(each, ctx.symbol) ?? []);
  const own = new Set(addresses.flatMap(each => chain.parseAddress(each)?.account ?? []));
  for (const { request } of ctx.ofRun.received('report-transaction').filter(({ status }) => status === 200)) {
    const { transfers } = await chain.lookup(String(json(request)?.txHash));
    for (const { from } of transfers) own.add(from);
  }
  return own;
}

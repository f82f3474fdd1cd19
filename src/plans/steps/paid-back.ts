import type { Cursor, IncomingTransfer } from '../../chains/port.ts';
import { toBaseUnits } from '../../contract/assets.ts';
import type { ModuleContext } from '../context.ts';

/** Does the VASP pay for a verification in which it is the beneficiary? */

export interface PaidMemo {
  uuid: string;
  txHash: string;
  /** Undefined: a public ledger, of which only the reports of the VASP are read. */
  since: Cursor | undefined;
}

export async function watchedFrom(ctx: ModuleContext, uuid: string, txHash: string): Promise<PaidMemo> {
  if (!ctx.world.isEmbedded(ctx.symbol)) return { uuid, txHash, since: undefined };
  const chain = await ctx.world.chain(ctx.symbol);
  const { height, hash } = await chain.head();
  return { uuid, txHash, since: { height, hash, genesis: await chain.genesis() } };
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
    got: paid
      ? `paid in transaction ${paid}`
      : from.length > 0
        ? 'the VASP reports a payment for it'
        : 'none',
    from,
  });
}

function paymentSince(ctx: ModuleContext, since: Cursor, txHash: string): Promise<string | undefined> {
  const amount = toBaseUnits(ctx.symbol, ctx.amount);
  return paymentTo(ctx, since, {
    address: ctx.accountOf(ctx.customer()),
    isIt: (each, tag) => each.amount === amount && each.to.tag === tag && each.txHash !== txHash,
  });
}

async function paymentTo(
  ctx: ModuleContext,
  since: Cursor,
  { address, isIt }: { address: string; isIt(each: IncomingTransfer, tag: number | undefined): boolean },
): Promise<string | undefined> {
  const chain = await ctx.world.chain(ctx.symbol);
  const { account, tag } = chain.parseAddress(address)!;
  for (let cursor = since; ; ) {
    const page = await chain.incoming(cursor, new Set([account]));
    const found = page.transfers.find(each => isIt(each, tag));
    if (found || page.caughtUp) return found?.txHash;
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
  const { height, hash } = await chain.head();
  const [transfer] = (await chain.lookup(txHash)).transfers;
  if (!transfer) return undefined;
  const since = { height, hash, genesis: await chain.genesis() };
  return { since, sender: transfer.from };
}

/** Some of it may be kept for a fee. The sender is the faucet, which gets nothing of the kind from others. */
export function sentBack(ctx: ModuleContext, { since, sender }: SentMemo): Promise<string | undefined> {
  const most = toBaseUnits(ctx.symbol, ctx.amount);
  return paymentTo(ctx, since, {
    address: sender,
    isIt: ({ amount }) => amount <= most && amount >= most - most / 10n,
  });
}

import type { Chain, Fee } from '../../chains/port.ts';
import { ASSETS } from '../../contract/assets.ts';
import { type Tx, writeDurably } from '../../db/transaction.ts';
import { toUnits } from '../../kernel/decimal.ts';
import type { RobotDeps } from '../deps.ts';
import { recordEvent } from './lifecycle.ts';
import type { Attempt, Transfer, Wallet } from './store.ts';

/** SEND-1: signed, then stored for good; whatever is broadcast is read from the store. */

export const unitsOf = ({ symbol, amount }: Transfer): bigint => toUnits(amount, ASSETS[symbol].decimals);

interface Order {
  transfer: Transfer;
  sequence: number;
  fee: Fee;
  /** Why there is another one; undefined: it is the first. */
  again?: string;
}

/** Signs and stores all in one transaction. `nextSequence`: where the wallet goes on, stored with them. */
export async function signAndStore(
  deps: RobotDeps,
  chain: Chain,
  wallet: Wallet,
  orders: Order[],
  nextSequence?: number,
): Promise<void> {
  const signed = await Promise.all(
    orders.map(async order => ({ ...order, signed: await chain.sign(orderOf(order)) })),
  );
  writeDurably(deps.db, (tx: Tx) => {
    const at = deps.clock.machineNow();
    for (const { transfer, sequence, fee, signed: bytes, again } of signed) {
      deps.transfers.addAttempt(tx, transfer, sequence, fee, bytes, at);
      if (again === undefined) continue;
      const detail = { txHash: bytes.hash, sequence, fee, replaces: transfer.txHash };
      recordEvent(deps, tx, transfer, { event: 'signed-again', cause: again, detail });
    }
    if (nextSequence !== undefined) deps.transfers.saveNextSequence(tx, wallet, nextSequence);
  });
}

const orderOf = ({ transfer, sequence, fee }: Order) => ({
  from: transfer.walletIndex,
  to: { account: transfer.toAccount, ...(transfer.toTag === null ? {} : { tag: transfer.toTag }) },
  amount: unitsOf(transfer),
  sequence,
  fee,
  ...(transfer.tag === null ? {} : { sourceTag: transfer.tag }),
});

/** Another transaction with the same number: any of them may win, one at most can. */
export async function signAgain(
  deps: RobotDeps,
  chain: Chain,
  wallet: Wallet,
  transfer: Transfer,
  last: Attempt,
  isReplacement: boolean,
): Promise<void> {
  const replaced = isReplacement ? (JSON.parse(last.fee) as Fee) : undefined;
  const fee = await chain.quoteFee(transfer.toAccount, replaced);
  const again = isReplacement ? 'a higher bid takes its place' : 'the one before it has expired';
  await signAndStore(deps, chain, wallet, [{ transfer, sequence: last.sequence, fee, again }]);
}

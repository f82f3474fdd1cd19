import type { BlockPayouts, ContractPayouts, IncomingTransfer } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import * as deposits from '../deposit/store.ts';
import type { RobotDeps } from '../deps.ts';
import type { Explained } from './explained.ts';
import type { Baseline } from './store.ts';

/** The source of a surplus, as far as the node shows it. */
export interface FoundPayment {
  /** It arrived after this block, in `height` at the latest. */
  afterHeight: number;
  height: number;
  /** Base units, of these blocks. */
  surplus: bigint;
  /** Epoch milliseconds of the block. Undefined: the block is not known. */
  at?: number;
  /** Empty: the transaction is not known. */
  transfers: IncomingTransfer[];
}

interface Search {
  symbol: AssetSymbol;
  baseline: Baseline;
  expected: Explained;
  /** After the block `upTo`. */
  surplus: bigint;
  upTo: number;
}

/** The first block after the baseline whose balance is not explained, and the transactions in it that paid. */
export async function findPayment(
  deps: Pick<RobotDeps, 'db'>,
  payouts: ContractPayouts,
  search: Search,
): Promise<FoundPayment> {
  const { symbol, baseline } = search;
  const range = await narrow(payouts, search);
  if (range.height - range.afterHeight > 1) return { ...range, transfers: [] };
  const block = await payouts.inBlock(range.height, baseline.account);
  const transfers = block.transfers ?? transferByElimination(deps, symbol, baseline.account, range, block);
  return { ...range, at: block.at, transfers };
}

type Range = Pick<FoundPayment, 'afterHeight' | 'height' | 'surplus'>;

/** Halves the range as long as the node has the balances. */
async function narrow(
  payouts: ContractPayouts,
  { baseline, expected, surplus, upTo }: Search,
): Promise<Range> {
  const { account } = baseline;
  let range: Range = { afterHeight: baseline.height, height: upTo, surplus };
  while (range.height - range.afterHeight > 1) {
    const middle = Math.floor((range.afterHeight + range.height) / 2);
    const balance = (await payouts.balances({ height: middle }, [account]))?.get(account);
    if (balance === undefined) break;
    const difference = balance - expected.at(baseline, middle);
    if (difference > 0n) range = { ...range, height: middle, surplus: difference };
    else range = { ...range, afterHeight: middle };
  }
  return range;
}

/** Without tracing: only one transaction of the block can have paid. */
function transferByElimination(
  deps: Pick<RobotDeps, 'db'>,
  symbol: AssetSymbol,
  account: string,
  { height, surplus }: Range,
  { candidates, blockHash, at, final }: BlockPayouts,
): IncomingTransfer[] {
  const [only, ...others] = candidates.filter(
    ({ txHash }) => !deposits.ofTx(deps.db, symbol, txHash).some(deposit => deposit.account === account),
  );
  if (!only || others.length > 0) return [];
  const { txHash, contract: from } = only;
  const paid = { txHash, index: null, from, to: { account }, amount: surplus, via: 'contract' };
  return [{ ...paid, height, blockHash, at, final }];
}

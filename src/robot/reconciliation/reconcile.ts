import type { BlockPayouts, Chain, ContractPayouts, Cursor, IncomingTransfer } from '../../chains/port.ts';
import { type AssetSymbol, toBaseUnits, toCoins } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { write } from '../../db/transaction.ts';
import { grouped } from '../../kernel/members.ts';
import { recordTransfer } from '../deposit/lifecycle.ts';
import * as deposits from '../deposit/store.ts';
import type { RobotDeps } from '../deps.ts';
import type { Watched } from '../users/users.ts';
import type { Baseline } from './store.ts';
import * as reconciliation from './store.ts';

/** The most blocks that a reorganisation goes back. */
const MOVEMENTS_KEPT_BLOCKS = 2_048;
/** The most payments to one account that are found in one round; the next round finds the others. */
const MAX_PAYMENTS = 8;

interface Round {
  deps: RobotDeps;
  chain: Chain;
  payouts: ContractPayouts;
  cursor: Cursor;
  watched: Watched;
}

/**
 * D-26: compares the balances of the watched accounts with what is expected, up to the block that was read last. A surplus
 * becomes a deposit where its transaction is found, otherwise it is kept as unexplained. An account without a baseline
 * gets one. Throws `ChainUnreachable`.
 */
export async function reconcile(deps: RobotDeps, chain: Chain, cursor: Cursor, watched: Watched): Promise<void> {
  const { payouts, symbol } = chain;
  if (!payouts) return;
  const accounts = [...watched.accounts];
  const first = await payouts.balances(cursor, accounts);
  if (!first) return;
  const round = { deps, chain, payouts, cursor, watched };
  const baselines = new Map(reconciliation.baselinesOf(deps.db, symbol, cursor).map(row => [row.account, row]));
  const expected = explained(deps.db, chain, [...baselines.values()], cursor);
  const isExpected = (account: string) => {
    const baseline = baselines.get(account);
    return baseline !== undefined && first.get(account) === expected(baseline, cursor.height);
  };
  // A node that is making the next block may have answered with the balances after it.
  const others = accounts.filter(account => !isExpected(account));
  const again = others.length > 0 ? await payouts.balances(cursor, others) : first;
  if (!again) return;
  const balances = new Map([...first, ...again]);
  const unexplained = new Set<string>();
  for (const account of accounts) {
    const baseline = baselines.get(account);
    const balance = balances.get(account)!;
    if (!baseline || balance <= expected(baseline, cursor.height)) continue;
    if (!(await explain(round, baseline, balance))) unexplained.add(account);
  }
  write(deps.db, tx => {
    const { height, genesis } = cursor;
    for (const account of accounts) {
      const baseline = baselines.get(account);
      const balance = balances.get(account)!.toString();
      if (unexplained.has(account) || (baseline?.height === height && baseline.balance === balance)) continue;
      reconciliation.saveBaseline(tx, { symbol, account, height, genesis, balance });
    }
    reconciliation.forgetMovementsUpTo(tx, symbol, height - MOVEMENTS_KEPT_BLOCKS);
  });
}

const explained = (db: Db, { symbol }: Chain, baselines: Baseline[], { height }: Cursor): Explained =>
  explainedSince(db, symbol, Math.min(height, ...baselines.map(baseline => baseline.height)), height);

/** Finds the payments behind a surplus; keeps the rest as unexplained. False: there are more payments. */
async function explain(round: Round, baseline: Baseline, balance: bigint): Promise<boolean> {
  const { deps, chain, cursor } = round;
  for (let found = 0; found < MAX_PAYMENTS; found++) {
    const expected = explained(deps.db, chain, [baseline], cursor);
    const surplus = balance - expected(baseline, cursor.height);
    if (surplus <= 0n) return true;
    await explainOne(round, baseline, expected, surplus);
  }
  return false;
}

async function explainOne(round: Round, baseline: Baseline, expected: Explained, surplus: bigint): Promise<void> {
  const { deps, chain, cursor, watched } = round;
  const { symbol } = chain;
  const { account } = baseline;
  const payment = await findPayment(round, baseline, expected, surplus);
  const owner = watched.ownerOf({ account });
  write(deps.db, tx => {
    // A look-up may have found the payment meanwhile.
    const before = explained(tx, chain, [baseline], cursor)(baseline, payment.height);
    const left = payment.surplus + expected(baseline, payment.height) - before;
    if (left <= 0n) return;
    const isNew = payment.transfers.map(transfer => recordTransfer(deps, tx, symbol, transfer, owner));
    if (isNew.includes(true)) return;
    reconciliation.addSurplus(tx, {
      symbol,
      account,
      amount: toCoins(symbol, left),
      afterHeight: payment.afterHeight,
      height: payment.height,
      vaspId: owner ?? null,
      at: payment.at ?? deps.clock.machineNow(),
    });
  });
}

/** The source of a surplus, as far as the node shows it. */
interface FoundPayment {
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

/** The first block after the baseline whose balance is not explained, and the transactions in it that paid. */
async function findPayment(
  round: Round,
  baseline: Baseline,
  expected: Explained,
  surplus: bigint,
): Promise<FoundPayment> {
  const { deps, chain, payouts } = round;
  const range = await narrow(round, baseline, expected, surplus);
  if (range.height - range.afterHeight > 1) return { ...range, transfers: [] };
  const block = await payouts.inBlock(range.height, baseline.account);
  const transfers = block.transfers ?? transferByElimination(deps, chain.symbol, baseline.account, range, block);
  return { ...range, at: block.at, transfers };
}

type Range = Pick<FoundPayment, 'afterHeight' | 'height' | 'surplus'>;

/** Halves the range as long as the node has the balances. */
async function narrow(
  { payouts, cursor }: Round,
  baseline: Baseline,
  expected: Explained,
  surplus: bigint,
): Promise<Range> {
  const { account } = baseline;
  let range: Range = { afterHeight: baseline.height, height: cursor.height, surplus };
  while (range.height - range.afterHeight > 1) {
    const middle = Math.floor((range.afterHeight + range.height) / 2);
    const balance = (await payouts.balances({ height: middle }, [account]))?.get(account);
    if (balance === undefined) break;
    const difference = balance - expected(baseline, middle);
    if (difference > 0n) range = { ...range, height: middle, surplus: difference };
    else range = { ...range, afterHeight: middle };
  }
  return range;
}

/** Without tracing: only one transaction of the block can have paid. */
function transferByElimination(
  deps: RobotDeps,
  symbol: AssetSymbol,
  account: string,
  { height, surplus }: Range,
  { candidates, blockHash, at, final }: BlockPayouts,
): IncomingTransfer[] {
  const [only, ...others] = candidates.filter(
    ({ txHash }) => !deposits.ofTx(deps.db, { symbol, txHash }).some(deposit => deposit.account === account),
  );
  if (!only || others.length > 0) return [];
  const { txHash, contract: from } = only;
  const paid = { txHash, index: null, from, to: { account }, amount: surplus, via: 'contract' };
  return [{ ...paid, height, blockHash, at, final }];
}

/** The balance of an account after a block that the known changes explain. Base units. */
type Explained = (baseline: Baseline, height: number) => bigint;

/** Everything known after the oldest baseline. */
function explainedSince(db: Db, symbol: AssetSymbol, after: number, upTo: number): Explained {
  const movements = reconciliation.movementsBetween(db, symbol, after, upTo);
  const surpluses = reconciliation.surplusesBetween(db, symbol, after, upTo);
  const all = [
    ...movements.map(({ account, height, amount }) => ({ account, height, units: BigInt(amount) })),
    ...surpluses.map(({ account, height, amount }) => ({ account, height, units: toBaseUnits(symbol, amount) })),
  ];
  const changes = grouped(all, ({ account }) => account);
  return (baseline, last) =>
    (changes.get(baseline.account) ?? [])
      .filter(({ height }) => height > baseline.height && height <= last)
      .reduce((sum, { units }) => sum + units, BigInt(baseline.balance));
}

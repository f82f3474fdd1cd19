import type { Chain, ContractPayouts, Cursor } from '../../chains/port.ts';
import { toCoins } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { write } from '../../db/transaction.ts';
import { recordTransfer } from '../deposit/record-transfer.ts';
import type { CreditDeps, RobotDeps } from '../deps.ts';
import type { Watched } from '../users/watched.ts';
import { type Explained, explainedSince } from './explained.ts';
import { findPayment } from './find-payment.ts';
import type { Baseline } from './store.ts';
import * as reconciliation from './store.ts';

type Deps = CreditDeps & Pick<RobotDeps, 'db' | 'inquiry'>;

/** The most blocks that a reorganisation goes back. */
const MOVEMENTS_KEPT_BLOCKS = 2_048;
/** The most payments to one account that are found in one round; the next round finds the others. */
const MOST_PAYMENTS = 8;

interface Round {
  deps: Deps;
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
export async function reconcile(deps: Deps, chain: Chain, cursor: Cursor, watched: Watched): Promise<void> {
  const { payouts, symbol } = chain;
  if (!payouts) return;
  const accounts = [...watched.accounts];
  const first = await payouts.balances(cursor, accounts);
  if (!first) return;
  const round = { deps, chain, payouts, cursor, watched };
  const baselines = new Map(
    reconciliation.baselinesOf(deps.db, symbol, cursor).map(row => [row.account, row]),
  );
  const expected = explained(deps.db, chain, [...baselines.values()], cursor);
  const isExpected = (account: string) => {
    const baseline = baselines.get(account);
    return baseline !== undefined && first.get(account) === expected.at(baseline, cursor.height);
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
    if (!baseline || balance <= expected.at(baseline, cursor.height)) continue;
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
  for (let found = 0; found < MOST_PAYMENTS; found++) {
    const expected = explained(deps.db, chain, [baseline], cursor);
    const surplus = balance - expected.at(baseline, cursor.height);
    if (surplus <= 0n) return true;
    await explainOne(round, baseline, expected, surplus);
  }
  return false;
}

async function explainOne(
  { deps, chain, payouts, cursor, watched }: Round,
  baseline: Baseline,
  expected: Explained,
  surplus: bigint,
): Promise<void> {
  const { symbol } = chain;
  const { account } = baseline;
  const payment = await findPayment(deps, payouts, {
    symbol,
    baseline,
    expected,
    surplus,
    upTo: cursor.height,
  });
  const owner = watched.ownerOf({ account });
  write(deps.db, tx => {
    // A look-up may have found the payment meanwhile.
    const before = explained(tx, chain, [baseline], cursor).at(baseline, payment.height);
    const left = payment.surplus + expected.at(baseline, payment.height) - before;
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

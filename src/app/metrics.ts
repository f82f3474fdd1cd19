import { toCoins } from '../contract/assets.ts';
import { countBy, countUndelivered } from '../db/count.ts';
import type { Db } from '../db/open.ts';
import { transfers } from '../db/schema/robot.ts';
import { timers } from '../db/schema/runtime.ts';
import type { Series } from '../http/monitoring.ts';
import type { Clock } from '../kernel/clock.ts';
import type { ChainFigures } from '../sandbox/deps.ts';
import type { ChainSupervisor } from './chains/supervisor.ts';

/** Requests since the start, by operation and status. */
export type Served = ReturnType<typeof countServed>;

export function countServed() {
  const counts = new Map<string, { labels: Record<string, string>; value: number }>();
  return {
    count(operation: string, status: number): void {
      const key = `${operation} ${status}`;
      const entry = counts.get(key) ?? { labels: { operation, status: String(status) }, value: 0 };
      entry.value += 1;
      counts.set(key, entry);
    },
    values: () => [...counts.values()],
  };
}

interface Sources {
  db: Db;
  clock: Clock;
  watch: ChainSupervisor;
  served: Served;
}

/** The figures of `/metrics`, collected for each request. */
export async function collectMetrics({ db, clock, watch, served }: Sources): Promise<Series[]> {
  const chains = await watch.figures();
  return [
    gauge('ready', '1 when the sandbox is ready.', [{ labels: {}, value: watch.missing().length === 0 ? 1 : 0 }]),
    ...chainSeries(chains, clock.now()),
    gauge('timers_pending', 'Pending timers by kind.', countBy(db, timers, ['kind'])),
    gauge('callbacks_undelivered', 'Callbacks that are not delivered, by status.', countUndelivered(db)),
    gauge('transfers', 'Transfers of the robot by status.', countBy(db, transfers, ['symbol', 'status'])),
    { ...gauge('http_requests_total', 'Requests since the start.', served.values()), kind: 'counter' },
  ];
}

function chainSeries(chains: ChainFigures[], now: number): Series[] {
  /** Undefined: the chain has no such figure. */
  const perChain = (name: string, help: string, of: (chain: ChainFigures) => number | undefined): Series =>
    gauge(
      name,
      help,
      chains.flatMap(chain => {
        const value = of(chain);
        return value === undefined ? [] : [{ labels: { chain: chain.symbol }, value }];
      }),
    );
  const calls = chains.flatMap(({ symbol, calls: counted }) =>
    [...counted].map(([method, value]) => ({ labels: { chain: symbol, method }, value })),
  );
  const spendable = chains.flatMap(({ symbol, funds }) =>
    [...funds].map(([account, { spendable: units }]) => ({
      labels: { chain: symbol, account },
      value: Number(toCoins(symbol, units)),
    })),
  );
  return [
    perChain('chain_reader_up', '1 when the chain is read up to its head.', ({ isRead }) => (isRead ? 1 : 0)),
    perChain('chain_head_height', 'Newest block or validated ledger.', ({ head }) => head?.height),
    perChain(
      'chain_head_age_seconds',
      'Age of the newest block or validated ledger.',
      ({ head }) => head && Math.max(0, now - head.at) / 1000,
    ),
    { ...gauge('chain_calls_total', 'Calls to the node or server since the start.', calls), kind: 'counter' },
    perChain(
      'chain_call_budget',
      'Most calls in a minute, of ETH_RPC_BUDGET.',
      ({ callBudget }) => callBudget?.perMinute,
    ),
    perChain(
      'chain_calls_last_minute',
      'Calls of the last minute, where ETH_RPC_BUDGET limits them.',
      ({ callBudget }) => callBudget?.lastMinute,
    ),
    gauge(
      'account_spendable',
      'Spendable balance of a robot account on a chain reached by URL, in whole coins.',
      spendable,
    ),
  ];
}

const gauge = (name: string, help: string, values: Series['values']): Series => ({
  name: `robot_vasp_${name}`,
  help,
  kind: 'gauge',
  values,
});

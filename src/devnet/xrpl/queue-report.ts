import { compareWithinAccount } from './canonical-order.ts';
import type { Engine } from './engine.ts';
import { byLevel, type Queued } from './retry-pool.ts';

/** `queue_data` of `account_info`: the queued transactions of one account. */
export function queueDataOf({ submissions }: Engine, address: string): Record<string, unknown> {
  const queued = submissions.retryPool.queued(address).sort((a, b) => compareWithinAccount(a.tx, b.tx));
  const sequences = queued.filter(({ tx }) => tx.ticket === undefined).map(({ tx }) => tx.sequence);
  return {
    txn_count: queued.length,
    ...(queued.length === 0 ? {} : { transactions: queued.map(described) }),
    ...(sequences.length === 0
      ? {}
      : {
          sequence_count: sequences.length,
          lowest_sequence: Math.min(...sequences),
          highest_sequence: Math.max(...sequences),
        }),
  };
}

/** `queue_data` of `ledger`: the whole queue. Without a queue there is no such field. */
export function queueDump({ submissions }: Engine): Record<string, unknown> {
  const list = submissions.retryPool
    .queued()
    .sort(byLevel)
    .map(each => ({ ...described(each), account: each.tx.account, tx: { ...each.tx.json, hash: each.tx.hash } }));
  return list.length === 0 ? {} : { queue_data: list };
}

const described = ({ tx, level }: Queued): Record<string, unknown> => ({
  ...(tx.ticket === undefined ? { seq: tx.sequence } : { ticket: tx.ticket }),
  fee: String(tx.fee),
  fee_level: level.toString(),
  ...(tx.lastLedger === undefined ? {} : { LastLedgerSequence: tx.lastLedger }),
});

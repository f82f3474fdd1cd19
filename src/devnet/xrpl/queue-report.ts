import type { Engine } from './engine.ts';
import { isBlocker } from './fee-queue.ts';
import type { Transaction } from './transaction.ts';

/** `queue_data` of `account_info`: the queued transactions of one account. */
export function queueDataOf({ submissions }: Engine, address: string): Record<string, unknown> {
  const queued = submissions.queue.of(address);
  if (queued.length === 0) return { txn_count: 0 };
  const sequences = queued.filter(({ tx }) => tx.ticket === undefined).map(({ tx }) => tx.sequence);
  const tickets = queued.flatMap(({ tx }) => tx.ticket ?? []);
  return {
    txn_count: queued.length,
    transactions: queued.map(({ tx, level }) => ({
      ...(tx.ticket === undefined ? { seq: tx.sequence } : { ticket: tx.ticket }),
      ...described(tx, level),
    })),
    ...span('sequence', sequences),
    ...span('ticket', tickets),
    auth_change_queued: queued.some(({ tx }) => isBlocker(tx)),
    max_spend_drops_total: queued.reduce((sum, { tx }) => sum + spend(tx), 0n).toString(),
  };
}

function span(kind: 'sequence' | 'ticket', numbers: readonly number[]): Record<string, number> {
  if (numbers.length === 0) return {};
  const [lowest, highest] = [Math.min(...numbers), Math.max(...numbers)];
  return { [`${kind}_count`]: numbers.length, [`lowest_${kind}`]: lowest, [`highest_${kind}`]: highest };
}

/** `queue_data` of `ledger`: the whole queue. Without a queue there is no such field. */
export function queueDump({ submissions, open }: Engine): Record<string, unknown> {
  const queued = submissions.queue.candidates(open.index);
  if (queued.length === 0) return {};
  const list = queued.map(({ tx, level }) => ({
    ...described(tx, level),
    account: tx.account,
    preflight_result: 'tesSUCCESS',
    tx: { ...tx.json, hash: tx.hash },
  }));
  return { queue_data: list };
}

const described = (tx: Transaction, level: bigint): Record<string, unknown> => ({
  fee_level: level.toString(),
  ...(tx.lastLedger === undefined ? {} : { LastLedgerSequence: tx.lastLedger }),
  fee: String(tx.fee),
  max_spend_drops: spend(tx).toString(),
  auth_change: isBlocker(tx),
});

function spend({ json, fee = 0n }: Transaction): bigint {
  return (
    fee + (json.TransactionType === 'Payment' && typeof json.Amount === 'string' ? BigInt(json.Amount) : 0n)
  );
}

import type { Engine } from './engine.ts';

/** What `account_info` says of an account's queued transactions. */
export function queueDataOf({ intake }: Engine, address: string): Record<string, unknown> {
  const queued = intake.queue.of(address);
  if (queued.length === 0) return { txn_count: 0 };
  const spend = ({ json, fee = 0n }: (typeof queued)[number]['tx']) =>
    fee + (json.TransactionType === 'Payment' && typeof json.Amount === 'string' ? BigInt(json.Amount) : 0n);
  const sequences = queued.filter(({ tx }) => tx.ticket === undefined).map(({ tx }) => tx.sequence);
  const tickets = queued.flatMap(({ tx }) => tx.ticket ?? []);
  return {
    txn_count: queued.length,
    transactions: queued.map(({ tx, level }) => ({
      ...(tx.ticket === undefined ? { seq: tx.sequence } : { ticket: tx.ticket }),
      fee_level: level.toString(),
      ...(tx.lastLedger === undefined ? {} : { LastLedgerSequence: tx.lastLedger }),
      fee: String(tx.fee),
      max_spend_drops: spend(tx).toString(),
      auth_change: false,
    })),
    ...span('sequence', sequences),
    ...span('ticket', tickets),
    auth_change_queued: false,
    max_spend_drops_total: queued.reduce((sum, { tx }) => sum + spend(tx), 0n).toString(),
  };
}

function span(kind: 'sequence' | 'ticket', numbers: readonly number[]): Record<string, number> {
  if (numbers.length === 0) return {};
  const [lowest, highest] = [Math.min(...numbers), Math.max(...numbers)];
  return { [`${kind}_count`]: numbers.length, [`lowest_${kind}`]: lowest, [`highest_${kind}`]: highest };
}

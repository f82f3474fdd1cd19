import { randomBytes } from 'node:crypto';
import { toHex } from '../hash.ts';
import { type Json, rpcError } from './errors.ts';
import type { RpcRequest } from './request.ts';

export const ping = ({ admin }: RpcRequest): Json => (admin ? { role: 'admin', unlimited: true } : {});

export const random = (): Json => ({ random: toHex(randomBytes(32)) });

export const ledgerClosed = ({ engine }: RpcRequest): Json => ({
  ledger_hash: engine.closed.hash,
  ledger_index: engine.closed.index,
});

export const ledgerCurrent = ({ engine }: RpcRequest): Json => ({ ledger_current_index: engine.open.index });

/** Closes the ledger now. Admin only. */
export function ledgerAccept({ engine, admin }: RpcRequest): Json {
  if (!admin) throw rpcError('forbidden');
  engine.close();
  return { ledger_current_index: engine.open.index };
}

export function fee({ engine }: RpcRequest): Json {
  const { base } = engine.fees;
  const openLevel = engine.submissions.openLevel;
  return {
    current_ledger_size: String(engine.open.transactions.size),
    current_queue_size: String(engine.submissions.queue.size),
    expected_ledger_size: String(engine.submissions.queue.expectedSize),
    max_queue_size: String(engine.submissions.queue.maxSize),
    drops: {
      base_fee: base.toString(),
      median_fee: ((base * engine.submissions.queue.multiplier) / 256n).toString(),
      minimum_fee: (base * BigInt(engine.loadFactor)).toString(),
      open_ledger_fee: engine.submissions.openFee.toString(),
    },
    levels: {
      median_level: engine.submissions.queue.multiplier.toString(),
      minimum_level: String(256 * engine.loadFactor),
      open_ledger_level: openLevel.toString(),
      reference_level: '256',
    },
    ledger_current_index: engine.open.index,
  };
}

import { randomBytes } from 'node:crypto';
import { AMENDMENTS } from '../amendments.ts';
import { definitions } from '../definitions.ts';
import { BASE_LEVEL, MEDIAN_LEVEL } from '../fees.ts';
import { parseHash, toHex } from '../hash.ts';
import { invalidField, type Json, rpcError } from './errors.ts';
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
  const { expectedSize, maxQueueSize, openFee, openLevel, retryPool } = engine.submissions;
  return {
    current_ledger_size: String(engine.open.transactions.size),
    current_queue_size: String(retryPool.queued().length),
    expected_ledger_size: String(expectedSize),
    max_queue_size: String(maxQueueSize),
    drops: {
      base_fee: base.toString(),
      median_fee: ((base * MEDIAN_LEVEL) / BASE_LEVEL).toString(),
      minimum_fee: (base * BigInt(engine.loadFactor)).toString(),
      open_ledger_fee: openFee.toString(),
    },
    levels: {
      median_level: MEDIAN_LEVEL.toString(),
      minimum_level: String(256 * engine.loadFactor),
      open_ledger_level: openLevel.toString(),
      reference_level: '256',
    },
    ledger_current_index: engine.open.index,
  };
}

/** `server_definitions`: only the hash for a client that already has them. */
export function serverDefinitions({ params: { hash } }: RpcRequest): Json {
  if (hash !== undefined && !parseHash(hash)) throw invalidField('hash');
  return parseHash(hash) === definitions.hash ? { hash: definitions.hash } : { ...definitions };
}

/** The amendments. All of them are enabled, and nobody votes here. */
export function feature({ params, admin }: RpcRequest): Json {
  const { feature: asked, vetoed } = params;
  if (asked === undefined) return { features: Object.fromEntries(AMENDMENTS.map(described)) };
  if (typeof asked !== 'string') throw rpcError('invalidParams');
  const found = AMENDMENTS.find(({ id, name }) => name === asked || id === parseHash(asked));
  if (!found) throw rpcError('badFeature');
  if (vetoed !== undefined && !admin) throw rpcError('noPermission');
  return Object.fromEntries([described(found)]);
}

const described = ({ id, name }: (typeof AMENDMENTS)[number]): [string, Json] => [
  id,
  { enabled: true, name, supported: true },
];

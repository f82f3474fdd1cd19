import type { CallerId } from '../../contract/tenancy.ts';
import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';
import type { ExchangeQuery } from './store.ts';

export function listExchanges({ exchanges }: SandboxDeps, query: ExchangeQuery, caller: CallerId) {
  const { rows, next } = exchanges.listOf(caller, query);
  return {
    exchanges: rows.map(({ vaspId: _, afterHistory: __, standstillMs: ___, ...row }) => ({
      ...row,
      id: String(row.id),
      at: toIso(row.at),
    })),
    next,
    total: exchanges.countOf(caller, query),
  };
}

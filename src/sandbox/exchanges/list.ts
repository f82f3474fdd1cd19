import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';
import type { ExchangeQuery } from './store.ts';

export const listExchanges = (deps: SandboxDeps, query: ExchangeQuery, caller: string) => ({
  exchanges: deps.exchanges
    .listOf(caller, query)
    .map(({ vaspId: _, afterHistory: __, ...row }) => ({ ...row, id: String(row.id), at: toIso(row.at) })),
});

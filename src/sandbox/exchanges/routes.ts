import type { CallerId } from '../../contract/tenancy.ts';
import { control, type Endpoint } from '../../http/endpoint.ts';
import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';
import { exchangeCalls } from './schema.ts';
import type { ExchangeQuery } from './store.ts';

export const exchangeEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(exchangeCalls.exchanges, {
    summary: 'List the HTTP exchanges with this VASP, newest first',
    run: ({ query }, caller) => listExchanges(deps, query, caller),
  }),
];

function listExchanges({ exchanges }: SandboxDeps, query: ExchangeQuery, caller: CallerId) {
  const { rows, next } = exchanges.listOf(caller, query);
  return {
    exchanges: rows.map(({ vaspId: _, afterHistory: __, stallMs: ___, ...row }) => ({
      ...row,
      id: String(row.id),
      at: toIso(row.at),
    })),
    next,
    total: exchanges.countOf(caller, query),
  };
}

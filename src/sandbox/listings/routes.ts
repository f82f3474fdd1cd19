import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { BalancesResponse } from '../api/balances.ts';
import { HealthResponse } from '../api/health.ts';
import { TransfersQuery, TransfersResponse } from '../api/transfers.ts';
import { VerificationsQuery, VerificationsResponse } from '../api/verifications.ts';
import type { SandboxDeps } from '../deps.ts';
import { listBalances } from './balances.ts';
import { health } from './health.ts';
import { listTransfers } from './transfers.ts';
import { listVerifications } from './verifications.ts';

const GET = { operation: 'sandbox', raises: [], method: 'GET' } as const;
const at = <P extends string>(path: P) => ({ path: `/sandbox/v1${path}` }) as const;

/** What there is, as somebody wants to see it at a glance. Everything concerns the calling VASP alone. */
export const listingEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    ...GET,
    ...at('/verifications'),
    summary: 'Verifications of this VASP to search and filter, with where their money stands',
    query: VerificationsQuery,
    response: VerificationsResponse,
    run: ({ query }, caller) => listVerifications(deps, query, caller),
  }),
  endpoint({
    ...GET,
    ...at('/transfers'),
    summary: 'What the robot pays to this VASP, with every signed transaction',
    query: TransfersQuery,
    response: TransfersResponse,
    run: ({ query }, caller) => listTransfers(deps, query, caller),
  }),
  endpoint({
    ...GET,
    ...at('/balances'),
    summary: 'What this VASP has at the addresses of the robot',
    response: BalancesResponse,
    run: (_, caller) => listBalances(deps, caller),
  }),
  endpoint({
    ...GET,
    ...at('/health'),
    summary: 'Whether everything is there, and what needs attention',
    response: HealthResponse,
    run: (_, caller) => health(deps, caller),
  }),
];

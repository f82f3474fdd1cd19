import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { listTransfers } from './list.ts';
import { TransfersQuery, TransfersResponse } from './schema.ts';

export const transferEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control.get('/sandbox/v1/transfers', {
    summary: 'List the transfers of the robot to this VASP with every signed transaction',
    query: TransfersQuery,
    response: TransfersResponse,
    run: ({ query }, caller) => listTransfers(deps, query, caller),
  }),
];

import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { listTransfers } from './list.ts';
import { transferCalls } from './schema.ts';

export const transferEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(transferCalls.transfers, {
    summary: 'List the transfers of the robot to this VASP with every signed transaction',
    run: ({ query }, caller) => listTransfers(deps, query, caller),
  }),
];

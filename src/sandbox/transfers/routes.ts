import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { listTransfers } from './list.ts';
import { TransferRequest, TransferResponse, TransfersQuery, TransfersResponse } from './schema.ts';
import { sendTransfer } from './send.ts';

export const transferEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    operation: 'sandbox',
    refusals: [],
    method: 'GET',
    path: '/sandbox/v1/transfers',
    summary: 'List the transfers of the robot to this VASP with every signed transaction',
    query: TransfersQuery,
    response: TransfersResponse,
    run: ({ query }, caller) => listTransfers(deps, query, caller),
  }),
  endpoint({
    operation: 'sandbox',
    refusals: ['not-found', 'unknown-address'],
    method: 'POST',
    path: '/sandbox/v1/transfers',
    summary: 'Send me a deposit: the robot verifies, gets money, pays and reports',
    description:
      'The steps of a deposit test in one call. The robot need not have been paid before where the chain is embedded. ' +
      'It answers when the report was sent to you, or at the step that failed.',
    body: TransferRequest,
    callbacks: ['TX_REPORT', 'ERROR_REPORT'],
    examples: { default: { body: { symbol: 'ETH', amount: '0.5' } } },
    response: TransferResponse,
    run: ({ body }, caller) => sendTransfer(deps, body, caller),
  }),
];

import { BalanceQuery, BalanceResponse, InquireTransactionRequest } from '../contract/requests.ts';
import { TransactionStatusResult } from '../contract/transaction-status.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { inquireTx } from './actions/inquire-tx.ts';
import { balance } from './balance.ts';
import type { RobotDeps } from './deps.ts';

const PREFIX = '/vega/robot/v1.0';

/** §4.6: the simulation endpoints of the test counterpart. */
export const robotEndpoints = (deps: RobotDeps): Endpoint[] => [
  endpoint({
    operation: 'robot-balance',
    method: 'GET',
    path: `${PREFIX}/testnet/balance`,
    summary: 'Has a deposit been reflected?',
    query: BalanceQuery,
    response: BalanceResponse,
    run: ({ query }, caller) => balance(deps, query, caller),
  }),
  endpoint({
    operation: 'robot-inquire-tx',
    method: 'POST',
    path: `${PREFIX}/action/tx/inquiry`,
    summary: 'Let the robot query the transaction status at once',
    body: InquireTransactionRequest,
    response: TransactionStatusResult,
    run: ({ body }, caller) => inquireTx(deps, body, caller),
  }),
];

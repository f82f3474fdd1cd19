import type { RobotOperation } from '../contract/errors.ts';
import {
  Accepted,
  BalanceQuery,
  BalanceResponse,
  InquireTransactionRequest,
  ReportErrorRequest,
  ReportTransactionRequest,
  VerifyAccountRequest,
  VerifyAccountResponse,
  VerifyUserRequest,
  VerifyUserResponse,
  WithdrawRequest,
  WithdrawResponse,
} from '../contract/requests.ts';
import { TransactionStatusResult } from '../contract/transaction-status.ts';
import { type Endpoint, type EndpointsOf, endpoint } from '../http/endpoint.ts';
import { inquireTx } from './actions/inquire-tx.ts';
import { reportError } from './actions/report-error.ts';
import { reportTx } from './actions/report-tx.ts';
import { verifyAccount } from './actions/verify-account.ts';
import { verifyUser } from './actions/verify-user.ts';
import { withdraw } from './actions/withdraw.ts';
import { getBalance } from './balance/get-balance.ts';
import type { RobotDeps } from './deps.ts';

const PREFIX = '/vega/robot/v1.0';

/** REF-4.6: the simulation endpoints of the test counterpart. */
export const robotEndpoints = (deps: RobotDeps): Endpoint[] => Object.values(endpointsOf(deps));

const endpointsOf = (deps: RobotDeps): EndpointsOf<RobotOperation> => ({
  'robot-balance': endpoint({
    operation: 'robot-balance',
    method: 'GET',
    path: `${PREFIX}/testnet/balance`,
    summary: 'Has a deposit been reflected?',
    query: BalanceQuery,
    description: 'Credited, less what is paid out or reserved (REF-4.6, D-19).',
    response: BalanceResponse,
    run: ({ query }, caller) => getBalance(deps, query, caller),
  }),
  'robot-inquire-tx': endpoint({
    operation: 'robot-inquire-tx',
    method: 'POST',
    path: `${PREFIX}/action/tx/inquiry`,
    summary: 'Let the robot query the transaction status at once',
    body: InquireTransactionRequest,
    description: 'Instead of after the waiting time; you are asked (`transactionStatus`): REF-4.6, D-20.',
    after: 'paid',
    response: TransactionStatusResult,
    run: ({ body }, caller) => inquireTx(deps, body, caller),
  }),
  'robot-verify-account': endpoint({
    operation: 'robot-verify-account',
    method: 'POST',
    path: `${PREFIX}/action/verifications/account`,
    summary: 'Let the robot send an account verification to the caller',
    body: VerifyAccountRequest,
    description: 'You are asked (`verifyAccount`), and your answer is the answer (REF-4.6, D-20).',
    response: VerifyAccountResponse,
    run: ({ body }, caller) => verifyAccount(deps, body, caller),
  }),
  'robot-verify-user': endpoint({
    operation: 'robot-verify-user',
    method: 'POST',
    path: `${PREFIX}/action/verifications`,
    summary:
      'Let the robot send a user verification to the caller; with `Idempotency-Key` sent again: the same one',
    body: VerifyUserRequest,
    description:
      'Answers at once; then you are asked (`verifyUser`). The address that pays is the robot’s (REF-4.6, D-22).',
    takesIdempotencyKey: true,
    response: VerifyUserResponse,
    run: ({ body, idempotencyKey }, caller) => verifyUser(deps, body, caller, idempotencyKey),
  }),
  'robot-withdraw': endpoint({
    operation: 'robot-withdraw',
    method: 'POST',
    path: `${PREFIX}/action/withdrawal`,
    summary: 'Let the robot transfer for a VERIFIED verification, once',
    body: WithdrawRequest,
    description:
      'Never more than was received: a withdrawal test precedes (REF-4.6.1). Asked again it is the same transfer. ' +
      'A transfer that fails is told by an error report.',
    causes: ['TX_REPORT', 'ERROR_REPORT'],
    after: 'robot-holds-money',
    response: WithdrawResponse,
    run: ({ body }, caller) => withdraw(deps, body, caller),
  }),
  'robot-report-tx': endpoint({
    operation: 'robot-report-tx',
    method: 'POST',
    path: `${PREFIX}/action/verifications/tx`,
    summary: 'Force the robot to report a transaction',
    body: ReportTransactionRequest,
    description: 'Also of a hash that exists nowhere (REF-4.6).',
    causes: ['TX_REPORT'],
    after: 'verified-for-robot',
    response: Accepted,
    run: ({ body }, caller) => reportTx(deps, body, caller),
  }),
  'robot-report-error': endpoint({
    operation: 'robot-report-error',
    method: 'POST',
    path: `${PREFIX}/action/verifications/error`,
    summary: 'Force the robot to report an error',
    body: ReportErrorRequest,
    description: 'With any result, reason and message (REF-4.6).',
    causes: ['ERROR_REPORT'],
    after: 'verified-for-robot',
    response: Accepted,
    run: ({ body }, caller) => reportError(deps, body, caller),
  }),
});

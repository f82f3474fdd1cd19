import type { RobotOperation } from '../contract/errors.ts';
import { refusals } from '../contract/refusals.ts';
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
import { requireOriginated } from './actions/require-originated.ts';
import { verifyUser } from './actions/verify-user.ts';
import { withdraw } from './actions/withdraw.ts';
import { getBalance } from './balance/get-balance.ts';
import { inquireNow } from './deposit/inquire.ts';
import type { CreditDeps, RobotDeps } from './deps.ts';

type Deps = CreditDeps & Pick<RobotDeps, 'answers' | 'chain' | 'db' | 'inquiry' | 'reconciliation' | 'users'>;

const PREFIX = '/vega/robot/v1.0';

/** REF-4.6: the simulation endpoints of the test counterpart. */
export const robotEndpoints = (deps: Deps): Endpoint[] => Object.values(endpointsOf(deps));

const endpointsOf = (deps: Deps): EndpointsOf<RobotOperation> => ({
  'robot-balance': endpoint({
    operation: 'robot-balance',
    method: 'GET',
    path: `${PREFIX}/testnet/balance`,
    summary: 'Read your balance at an address of the robot',
    query: BalanceQuery,
    description: 'The credited deposits, less the paid and the reserved amounts (REF-4.6, D-19).',
    response: BalanceResponse,
    run: ({ query }, caller) => getBalance(deps, query, caller),
  }),
  'robot-inquire-tx': endpoint({
    operation: 'robot-inquire-tx',
    method: 'POST',
    path: `${PREFIX}/action/tx/inquiry`,
    summary: 'Let the robot query the transaction status at once',
    body: InquireTransactionRequest,
    description:
      'The robot does not wait its ten minutes: it calls your `transactionStatus` now (REF-4.6, D-20).',
    precondition: 'paid',
    response: TransactionStatusResult,
    run({ body: { verificationUuid } }, caller) {
      const { beneficiaryVaspId } = deps.enclave.get(verificationUuid, caller);
      if (beneficiaryVaspId !== deps.vaspId) throw refusals.notBeneficiary('The robot is');
      return inquireNow(deps, verificationUuid);
    },
  }),
  'robot-verify-account': endpoint({
    operation: 'robot-verify-account',
    method: 'POST',
    path: `${PREFIX}/action/verifications/account`,
    summary: 'Let the robot send an account verification to the caller',
    body: VerifyAccountRequest,
    description: 'The robot calls your `verifyAccount` and answers with your answer (REF-4.6, D-20).',
    response: VerifyAccountResponse,
    run({ body }, caller) {
      if (body.beneficiaryVaspId !== caller) throw refusals.unknownVasp();
      return deps.enclave.verifyAccount(body, deps.vaspId);
    },
  }),
  'robot-verify-user': endpoint({
    operation: 'robot-verify-user',
    method: 'POST',
    path: `${PREFIX}/action/verifications`,
    summary: 'Let the robot send a user verification to the caller',
    body: VerifyUserRequest,
    description:
      'Answers at once, then calls your `verifyUser`. The originator account is an address of the robot (REF-4.6, ' +
      'D-22). The same `Idempotency-Key` again answers with the same verification.',
    acceptsIdempotencyKey: true,
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
      'The robot pays no more than it has received, so run a withdrawal test first (REF-4.6.1). The same request ' +
      'again answers with the same transfer. After a transfer that failed you get an error report.',
    callbacks: ['TX_REPORT', 'ERROR_REPORT'],
    precondition: 'robot-holds-money',
    response: WithdrawResponse,
    run: ({ body }, caller) => withdraw(deps, body, caller),
  }),
  'robot-report-tx': endpoint({
    operation: 'robot-report-tx',
    method: 'POST',
    path: `${PREFIX}/action/verifications/tx`,
    summary: 'Force the robot to report a transaction',
    body: ReportTransactionRequest,
    description: 'Also with a hash that exists on no chain (REF-4.6).',
    callbacks: ['TX_REPORT'],
    precondition: 'verified-for-robot',
    response: Accepted,
    run({ body }, caller) {
      requireOriginated(deps, body.verificationUuid, caller);
      return deps.enclave.reportTransaction(body, deps.vaspId);
    },
  }),
  'robot-report-error': endpoint({
    operation: 'robot-report-error',
    method: 'POST',
    path: `${PREFIX}/action/verifications/error`,
    summary: 'Force the robot to report an error',
    body: ReportErrorRequest,
    description: 'With any result, reason and message (REF-4.6).',
    callbacks: ['ERROR_REPORT'],
    precondition: 'verified-for-robot',
    response: Accepted,
    run({ body }, caller) {
      requireOriginated(deps, body.verificationUuid, caller);
      return deps.enclave.reportError(body, deps.vaspId);
    },
  }),
});

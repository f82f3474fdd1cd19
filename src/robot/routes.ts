import type { RobotOperation } from '../contract/errors.ts';
import { refusals } from '../contract/refusals.ts';
import { type Endpoint, endpoint, operations } from '../http/endpoint.ts';
import { requireOriginated, verifyUser, withdraw } from './actions.ts';
import { getBalance } from './balance/store.ts';
import { robotCalls } from './calls.ts';
import { inquireNow } from './deposit/inquire.ts';
import type { RobotDeps } from './deps.ts';

/** REF-4.6: the simulation endpoints of the test counterpart. */
export const robotEndpoints = (deps: RobotDeps): Endpoint[] =>
  operations<RobotOperation>({
    'robot-balance': endpoint(robotCalls.balance, {
      summary: 'Read your balance at an address of the robot',
      description: 'The credited payments, less the paid and the reserved amounts (REF-4.6, D-19).',
      run: ({ query }, caller) => getBalance(deps, query, caller),
    }),
    'robot-inquire-tx': endpoint(robotCalls.robotInquire, {
      summary: 'Let the robot query the transaction status at once',
      description: 'The robot does not wait its ten minutes: it calls your `transactionStatus` now (REF-4.6, D-20).',
      precondition: 'paid',
      run({ body: { verificationUuid } }, caller) {
        const { beneficiaryVaspId } = deps.enclave.get(verificationUuid, caller);
        if (beneficiaryVaspId !== deps.vaspId) throw refusals.notBeneficiary('The robot is');
        return inquireNow(deps, verificationUuid);
      },
    }),
    'robot-verify-account': endpoint(robotCalls.robotVerifyAccount, {
      summary: 'Let the robot send an account verification to the caller',
      description: 'The robot calls your `verifyAccount` and answers with your answer (REF-4.6, D-20).',
      run({ body }, caller) {
        if (body.beneficiaryVaspId !== caller) throw refusals.unknownVasp();
        return deps.enclave.verifyAccount(body, deps.vaspId);
      },
    }),
    'robot-verify-user': endpoint(robotCalls.robotVerifyUser, {
      summary: 'Let the robot send a user verification to the caller',
      description:
        'Answers at once, then calls your `verifyUser`. The originator account is an address of the robot (REF-4.6, ' +
        'D-22). The same `Idempotency-Key` again answers with the same verification.',
      acceptsIdempotencyKey: true,
      run: ({ body, idempotencyKey }, caller) => verifyUser(deps, body, caller, idempotencyKey),
    }),
    'robot-withdraw': endpoint(robotCalls.robotWithdraw, {
      summary: 'Let the robot transfer for a VERIFIED verification, once',
      description:
        'The robot pays no more than it has received, so run a withdrawal test first (REF-4.6.1). The same request ' +
        'again answers with the same transfer. After a transfer that failed you get an error report.',
      callbacks: ['TX_REPORT', 'ERROR_REPORT'],
      precondition: 'robot-holds-money',
      run: ({ body }, caller) => withdraw(deps, body, caller),
    }),
    'robot-report-tx': endpoint(robotCalls.robotReport, {
      summary: 'Force the robot to report a transaction',
      description: 'Also with a hash that exists on no chain (REF-4.6).',
      callbacks: ['TX_REPORT'],
      precondition: 'verified-for-robot',
      run({ body }, caller) {
        requireOriginated(deps, body.verificationUuid, caller);
        return deps.enclave.reportTransaction(body, deps.vaspId);
      },
    }),
    'robot-report-error': endpoint(robotCalls.robotReportError, {
      summary: 'Force the robot to report an error',
      description: 'With any result, reason and message (REF-4.6).',
      callbacks: ['ERROR_REPORT'],
      precondition: 'verified-for-robot',
      run({ body }, caller) {
        requireOriginated(deps, body.verificationUuid, caller);
        return deps.enclave.reportError(body, deps.vaspId);
      },
    }),
  });

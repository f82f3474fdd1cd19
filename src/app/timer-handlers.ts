import { deliver } from '../enclave/callbacks/deliver.ts';
import { recoverCallbacks } from '../enclave/callbacks/enqueue.ts';
import type { EnclaveDeps } from '../enclave/deps.ts';
import { followEnclave, isCopying } from '../enclave/http-enclave/copies.ts';
import { collectResult } from '../enclave/risk/collect-result.ts';
import { askBeneficiary } from '../enclave/verification/ask-beneficiary.ts';
import { timeOut } from '../enclave/verification/time-out.ts';
import { inquire } from '../robot/deposit/inquire.ts';
import type { RobotDeps } from '../robot/deps.ts';
import { lookUpReport } from '../robot/report/look-up.ts';
import { runWallet } from '../robot/transfer/run-wallet.ts';
import type { Timers } from '../timers/timers.ts';

const timerHandlers = (enclave: EnclaveDeps, robot: RobotDeps): Parameters<Timers['start']>[0] => ({
  'enclave.verification.ask': payload => askBeneficiary(enclave, payload),
  'enclave.verification.time-out': payload =>
    isCopying(enclave) ? followEnclave(enclave, payload) : timeOut(enclave, payload),
  'enclave.risk.collect': payload => collectResult(enclave, payload),
  'enclave.callback.deliver': (payload, owner) => deliver(enclave, payload, owner),
  'robot.deposit.inquire': payload => inquire(robot, payload),
  'robot.report.look-up': payload => lookUpReport(robot, payload),
  'robot.wallet.pay': payload => runWallet(robot, payload),
});

/** Callbacks without a timer get theirs first. */
export function startTimers(enclave: EnclaveDeps, robot: RobotDeps): void {
  recoverCallbacks(enclave);
  enclave.timers.start(timerHandlers(enclave, robot));
}

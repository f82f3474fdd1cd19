import { expectations } from '../../db/schema/robot.ts';
import { stateful } from '../../db/transition.ts';
import { machine } from '../../kernel/machine.ts';

/** As beneficiary the robot answered VERIFIED and expects one deposit for it. */
export const expectationMachine = machine('expectation', 'OPEN', {
  OPEN: { credited: 'CREDITED', 'error-reported': 'STOPPED', 'chain-restarted': 'STOPPED', moved: 'STOPPED' },
  CREDITED: { 'credit-taken-back': 'OPEN' },
  STOPPED: {},
});

export const expectationStatus = stateful({
  machine: expectationMachine,
  table: expectations,
  key: 'verificationUuid',
  verificationOf: row => row.verificationUuid,
});

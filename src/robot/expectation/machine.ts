import { expectations } from '../../db/schema/robot.ts';
import { stateful } from '../../db/transition.ts';
import { machine } from '../../kernel/machine.ts';

/** A verification that the robot answered VERIFIED as beneficiary: it awaits the money, once. */
export const expectationMachine = machine('expectation', 'OPEN', {
  OPEN: { credited: 'CREDITED', 'error-reported': 'STOPPED' },
  CREDITED: {},
  STOPPED: {},
});

export const expectationStatus = stateful({
  machine: expectationMachine,
  table: expectations,
  key: 'verificationUuid',
  verificationOf: row => row.verificationUuid,
});

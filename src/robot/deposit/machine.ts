import { deposits } from '../../db/schema/robot.ts';
import { stateful } from '../../db/transition.ts';
import { machine } from '../../kernel/machine.ts';

/**
 * D-18: a transfer to an account of the robot. A final deposit (CONFIRMED) is credited once, to one verification. An
 * UNATTRIBUTED deposit is shown and never returned. It may still be credited later.
 */
export const depositMachine = machine('deposit', 'SEEN', {
  SEEN: { final: 'CONFIRMED', reorganised: 'REORGANISED' },
  REORGANISED: { seen: 'SEEN' },
  CONFIRMED: { credited: 'CREDITED', 'nobody-expects-it': 'UNATTRIBUTED' },
  UNATTRIBUTED: { credited: 'CREDITED', 'is-expected': 'CONFIRMED' },
  CREDITED: {},
});

export const depositStatus = stateful({
  machine: depositMachine,
  table: deposits,
  key: 'id',
  verificationOf: row => row.verificationUuid,
});

import { deposits } from '../../db/schema/robot.ts';
import { stateful } from '../../db/transition.ts';
import { machine } from '../../kernel/machine.ts';

/**
 * A transfer that reached an account of the robot. Only what is final (CONFIRMED) is credited, once, to one
 * verification (D-18); UNATTRIBUTED is kept, shown and never returned, and may still find its verification.
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

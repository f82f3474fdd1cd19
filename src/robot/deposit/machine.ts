import { deposits } from '../../db/schema/robot.ts';
import { stateful } from '../../db/transition.ts';
import { machine } from '../../kernel/machine.ts';

/**
 * D-18: a transfer to an account of the robot. A final deposit (CONFIRMED) is credited once, to one verification. An
 * UNATTRIBUTED deposit is shown and never returned. It may still be credited later. What no plain payment delivered is
 * UNEXPLAINED (D-26). A reorganisation deeper than the confirmations takes a credit back.
 */
export const depositMachine = machine('deposit', 'SEEN', {
  SEEN: { final: 'CONFIRMED', reorganised: 'REORGANISED' },
  REORGANISED: { seen: 'SEEN' },
  CONFIRMED: {
    credited: 'CREDITED',
    'nobody-expects-it': 'UNATTRIBUTED',
    unexplained: 'UNEXPLAINED',
    reorganised: 'REORGANISED',
  },
  UNATTRIBUTED: { credited: 'CREDITED', 'is-expected': 'CONFIRMED', reorganised: 'REORGANISED' },
  UNEXPLAINED: { credited: 'CREDITED', reorganised: 'REORGANISED' },
  CREDITED: { reorganised: 'TAKEN-BACK' },
  'TAKEN-BACK': { seen: 'SEEN' },
});

export const depositStatus = stateful({
  machine: depositMachine,
  table: deposits,
  key: 'id',
  verificationOf: row => row.verificationUuid,
  vaspOf: row => (row.verificationUuid === null ? row.vaspId : null),
});

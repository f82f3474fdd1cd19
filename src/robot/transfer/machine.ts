import { transfers } from '../../db/schema/robot.ts';
import { stateful } from '../../db/transition.ts';
import { machine } from '../../kernel/machine.ts';

/** REF-2.4, REF-3: a transfer that the robot pays. Its states are the statuses that a status query answers. */
export const transferMachine = machine('transfer', 'PENDING', {
  PENDING: { broadcast: 'PROCESSING', cancel: 'CANCELED' },
  PROCESSING: { mined: 'WAIT-CONFIRM', cancel: 'CANCELED' },
  // `mined` again: another block has taken the place of its block, and the transaction does otherwise there.
  'WAIT-CONFIRM': { mined: 'WAIT-CONFIRM', final: 'CONFIRMED', reorged: 'PROCESSING', cancel: 'CANCELED' },
  // A reorganisation deeper than the confirmations.
  CONFIRMED: { reorged: 'PROCESSING' },
  // Its transaction failed in a block that a reorganisation removed, and succeeded in another one.
  CANCELED: { 'paid-after-all': 'CONFIRMED' },
});

export const transferStatus = stateful({
  machine: transferMachine,
  table: transfers,
  key: 'verificationUuid',
  verificationOf: row => row.verificationUuid,
});

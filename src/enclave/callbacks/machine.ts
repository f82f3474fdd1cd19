import { callbacks } from '../../db/schema/enclave.ts';
import { stateful } from '../../db/transition.ts';
import { machine } from '../../kernel/machine.ts';

/**
 * The outbox (D-13). A PENDING callback is tried until it is DELIVERED or GIVEN-UP. A fault may lose it. Without a callback
 * address it stays in the MAILBOX. Only `replay` sends it again. Per verification and receiver the oldest PENDING one goes first.
 */
export const callbackMachine = machine('callback', 'PENDING', {
  PENDING: { delivered: 'DELIVERED', lost: 'LOST', 'gave-up': 'GIVEN-UP', 'no-endpoint': 'MAILBOX' },
  DELIVERED: { replay: 'PENDING' },
  LOST: { replay: 'PENDING' },
  'GIVEN-UP': { replay: 'PENDING' },
  MAILBOX: { replay: 'PENDING' },
});

export const callbackStatus = stateful({
  machine: callbackMachine,
  table: callbacks,
  key: 'id',
  verificationOf: row => row.verificationUuid,
  vaspOf: row => row.receiverVaspId,
});

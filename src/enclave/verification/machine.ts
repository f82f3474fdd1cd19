import { verifications } from '../../db/schema/enclave.ts';
import { stateful } from '../../db/transition.ts';
import { type EventOf, machine } from '../../kernel/machine.ts';

/**
 * The results of REF-2.3, and OPEN before there is one (D-02). Only an error report (D-15), a chain that starts over (D-33) and the
 * enclave that leads, where this one keeps a copy, move a VERIFIED one.
 */
export const verificationMachine = machine('verification', 'OPEN', {
  OPEN: { verified: 'VERIFIED', denied: 'DENIED', unknown: 'UNKNOWN', failed: 'ERROR' },
  VERIFIED: {
    'error-reported': 'ERROR',
    'chain-restarted': 'ERROR',
    'enclave-failed': 'ERROR',
    'enclave-denied': 'DENIED',
  },
  DENIED: {},
  UNKNOWN: {},
  ERROR: {},
});
export type VerificationEvent = EventOf<typeof verificationMachine>;

export const verificationStatus = stateful({
  machine: verificationMachine,
  table: verifications,
  key: 'uuid',
  verificationOf: row => row.uuid,
});

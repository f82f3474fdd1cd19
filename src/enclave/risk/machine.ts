import { assessments } from '../../db/schema/enclave.ts';
import { stateful } from '../../db/transition.ts';
import { machine } from '../../kernel/machine.ts';

/** REF-3. While the provider fails, an assessment stays REGISTERED and is tried again. It is never given up. */
export const assessmentMachine = machine('assessment', 'REGISTERED', {
  REGISTERED: { processed: 'PROCESSED' },
  PROCESSED: {},
});

export const assessmentStatus = stateful({
  machine: assessmentMachine,
  table: assessments,
  key: 'id',
  verificationOf: row => row.verificationUuid,
  vaspOf: row => row.callerVaspId,
});

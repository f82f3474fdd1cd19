import { verdict } from '../../contract/clauses.ts';
import { formatDuration } from '../../kernel/duration.ts';
import type { Outcome } from '../../timers/registry.ts';
import type { EnclaveDeps } from '../deps.ts';
import { type Completion, completeOpen } from './complete.ts';

/** Timer `enclave.verification.time-out`: ERROR / REQUEST-TIMEOUT (D-12). */
export const timeOut = (deps: EnclaveDeps, { uuid }: { uuid: string }): Outcome => ({
  apply: tx => completeOpen(deps, tx, uuid, timedOut(deps)),
});

export const timedOut = ({ timeoutMs }: EnclaveDeps): Completion => ({
  verdict: verdict('REQUEST-TIMEOUT'),
  nearMiss: {
    field: 'answer',
    expected: `an answer within ${formatDuration(timeoutMs.verifyUser)}`,
    got: 'no answer in time',
  },
});

import type { Outcome } from '../../timers/registry.ts';
import type { EnclaveDeps } from '../deps.ts';
import { timedOut } from './ask-beneficiary.ts';
import { complete } from './complete.ts';

/** Timer `enclave.verification.time-out`: D-12, ERROR / REQUEST-TIMEOUT. */
export function timeOut(deps: EnclaveDeps, { uuid }: { uuid: string }): Outcome {
  const row = deps.verifications.find(uuid);
  return row ? { apply: tx => complete(deps, tx, row, timedOut(deps)) } : {};
}

import type { CallerId, Own } from '../contract/tenancy.ts';
import { callbackControl } from './callbacks/control.ts';
import type { EnclaveDeps } from './deps.ts';
import { presentAssessment } from './risk/present.ts';
import * as assessments from './risk/store.ts';
import { timersOf } from './timers-of.ts';
import { vaspControl } from './vasps/control.ts';
import { verificationChanges, verificationReads } from './verification/control.ts';

/**
 * The actions of the sandbox inside the enclave. `caller` is the vaspId of the VASP that asks. Times are epoch
 * milliseconds on the clock of that VASP. A change is committed when the method returns, unless it takes a transaction.
 */
export type EnclaveControl = ReturnType<typeof createEnclaveControl>;
export type { CallbackAttempt, ListedCallback } from './callbacks/control.ts';
export type { OutgoingExchange, RegisteredVasp, SealedVasp } from './vasps/control.ts';
export type { ListedVerification, Parties } from './verification/control.ts';

export const createEnclaveControl = (deps: EnclaveDeps) => ({
  /** Time limit of each call to a VASP, in milliseconds. */
  timeoutMs: deps.timeoutMs,
  /** The smallest price that exceeds the threshold, as decimal text by currency. */
  thresholds: deps.thresholds,
  /** The users of the robot that provoke the outcomes of an assessment. */
  riskScenarios: deps.risk.scenarios,
  /** Decides which addresses of a VASP may be called. */
  guard: deps.guard,
  /** Signs what a run sends to the callback address by itself. */
  signer: deps.signing.signer,
  ...verificationReads(deps),
  ...verificationChanges(deps),
  ...callbackControl(deps),
  ...vaspControl(deps),
  /** Newest first, at most `limit`; of one verification, or of all. `riskAssessment`: as the answer or the callback has it. */
  listAssessments: (verificationUuid: string | undefined, limit: number, caller: CallerId) =>
    assessments
      .listOf(deps.db, caller, verificationUuid, limit)
      .map(row => ({ ...row, riskAssessment: presentAssessment(row) })),
  timersOf: (verificationUuid: Own<string>, caller: CallerId) => timersOf(deps, verificationUuid, caller),
});

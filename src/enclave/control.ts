import type { CallerId, Scoped } from '../contract/tenancy.ts';
import type { TimerKind } from '../timers/registry.ts';
import type { TimerKey } from '../timers/timers.ts';
import { callbackControl } from './callbacks/control.ts';
import { deliveryKey } from './callbacks/enqueue.ts';
import type { EnclaveDeps } from './deps.ts';
import { presentAssessment } from './risk/async-assessment.ts';
import * as assessments from './risk/store.ts';
import { vaspControl } from './vasps/control.ts';
import { type Parties, verificationChanges, verificationReads } from './verification/control.ts';
import * as verifications from './verification/store.ts';

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
  timersOf: (verificationUuid: Scoped<string>, caller: CallerId) => timersOf(deps, verificationUuid, caller),
});

const MAX_ASSESSMENTS = 100;

type EnclaveTimerKind = Extract<TimerKind, `enclave.${string}`>;
type Subject = Parties & { verificationUuid: string; caller: string };

/** The keys of the timers of a verification. A new kind of timer does not compile without them. */
const TIMER_KEYS: Record<EnclaveTimerKind, (deps: EnclaveDeps, subject: Subject) => string[]> = {
  'enclave.verification.ask': (_, { verificationUuid }) => [verificationUuid],
  'enclave.verification.time-out': (_, { verificationUuid }) => [verificationUuid],
  'enclave.callback.deliver': ({ residentVaspId }, subject) =>
    [subject.originatingVaspId, subject.beneficiaryVaspId]
      .filter(receiver => receiver === subject.caller || receiver === residentVaspId)
      .map(receiver => deliveryKey(subject.verificationUuid, receiver)),
  'enclave.risk.collect': ({ db }, { verificationUuid, caller }) =>
    assessments.listOf(db, caller, verificationUuid, MAX_ASSESSMENTS).map(({ requestId }) => requestId),
};

/** Timers that can be pending for a verification, as far as they concern `caller`. */
export function timersOf(deps: EnclaveDeps, verificationUuid: Scoped<string>, caller: string): TimerKey[] {
  const parties = verifications.find(deps.db, verificationUuid);
  if (!parties) return [];
  const subject = { ...parties, verificationUuid, caller };
  return Object.entries(TIMER_KEYS).flatMap(([kind, keysOf]) =>
    keysOf(deps, subject).map(key => ({ kind: kind as EnclaveTimerKind, key })),
  );
}

import type { Own } from '../contract/tenancy.ts';
import type { TimerKind } from '../timers/registry.ts';
import type { TimerKey } from '../timers/timers.ts';
import { deliveryKey } from './callbacks/enqueue.ts';
import type { EnclaveDeps } from './deps.ts';
import * as assessments from './risk/store.ts';
import type { Parties } from './verification/control.ts';
import * as verifications from './verification/store.ts';

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
export function timersOf(deps: EnclaveDeps, verificationUuid: Own<string>, caller: string): TimerKey[] {
  const parties = verifications.find(deps.db, verificationUuid);
  if (!parties) return [];
  const subject = { ...parties, verificationUuid, caller };
  return Object.entries(TIMER_KEYS).flatMap(([kind, keysOf]) =>
    keysOf(deps, subject).map(key => ({ kind: kind as EnclaveTimerKind, key })),
  );
}

import type * as z from 'zod';
import type { CallName } from '../contract/calls.ts';

/** What each call takes and returns. Types only: to build every schema takes longer than a call. */
type Calls = Complete<
  typeof import('../enclave/calls.ts').enclaveCalls &
    typeof import('../robot/calls.ts').robotCalls &
    typeof import('../sandbox/assessments.ts').assessmentCalls &
    typeof import('../sandbox/balances.ts').balanceCalls &
    typeof import('../sandbox/callbacks.ts').callbackCalls &
    typeof import('../sandbox/chains.ts').chainCalls &
    typeof import('../sandbox/checks.ts').checkCalls &
    typeof import('../sandbox/clock.ts').clockCalls &
    typeof import('../sandbox/received-payments.ts').receivedPaymentCalls &
    typeof import('../sandbox/events/schema.ts').eventCalls &
    typeof import('../sandbox/exchanges.ts').exchangeCalls &
    typeof import('../sandbox/faults.ts').faultCalls &
    typeof import('../sandbox/health.ts').healthCalls &
    typeof import('../sandbox/info.ts').infoCalls &
    typeof import('../sandbox/ivms101.ts').ivms101Calls &
    typeof import('../sandbox/reference-vasp.ts').referenceVaspCalls &
    typeof import('../sandbox/clock.ts').resetCalls &
    typeof import('../sandbox/scenarios/schema.ts').scenarioCalls &
    typeof import('../sandbox/vasps.ts').signingCalls &
    typeof import('../sandbox/statistics.ts').statisticsCalls &
    typeof import('../sandbox/timeline/schema.ts').timelineCalls &
    typeof import('../sandbox/transfers.ts').transferCalls &
    typeof import('../sandbox/users.ts').userCalls &
    typeof import('../sandbox/vasps.ts').vaspCalls &
    typeof import('../sandbox/verifications.ts').verificationCalls &
    typeof import('../sandbox/why.ts').whyCalls &
    typeof import('../tenants/audit.ts').auditCalls &
    typeof import('../tenants/keys.ts').keyCalls &
    typeof import('../tenants/registrations.ts').registrationCalls &
    typeof import('../tenants/usage.ts').usageCalls &
    typeof import('../tenants/vasps/schema.ts').tenantCalls &
    typeof import('../sandbox/runs/schema.ts').runCalls
>;
/** Each call of the API has its schema here. */
type Complete<C extends Readonly<Record<CallName, unknown>>> = C;

export type CallOf<N extends CallName> = Calls[N];
/** The body of a call, before its defaults are filled in. */
export type Order<N extends CallName> = CallOf<N> extends { body: infer B extends z.ZodType } ? z.input<B> : never;

import type { AssessmentRegistered } from '../../contract/risk.ts';
import type { Tx } from '../../db/transaction.ts';
import { AccessRefused, GroupNotFound, type Registered } from '../../screening/port.ts';
import type { AssessmentDeps, OutboxDeps } from '../deps.ts';
import { type AssessmentContext, createAssessment } from './assessment.ts';
import {
  type AsyncKind,
  asyncProvider,
  PROVIDER_WORKS,
  recordFailure,
  retryAfterMs,
} from './collect-result.ts';
import { asRefusal, failureText, providerKeysOf } from './provider-errors.ts';
import type { Assessment } from './store.ts';
import * as assessments from './store.ts';

type Deps = OutboxDeps & AssessmentDeps;

type FirstCall = (Registered & { error: null }) | { reference: null; error: string };

/**
 * REF-4.2, REF-4.3: registers the request at the provider. A timer that commits with the row collects the result. If the
 * provider refuses, the caller is refused and nothing is stored. If the provider fails, a person screening is refused
 * too (REF-7); a monitoring is REGISTERED without the provider's reference (REF-2.6) and tried again.
 */
export async function registerAssessment(
  deps: Deps,
  context: AssessmentContext<AsyncKind>,
  request: object,
): Promise<AssessmentRegistered> {
  const firstCall = await callProvider(deps, context, request);
  const row = createAssessment(deps, context, { request, ...firstCall }, (tx, created) => {
    if (firstCall.error !== null)
      recordFailure(deps, tx, context.verification, created, deps.clock.now(context.owner));
    scheduleCollection(deps, tx, created, firstCall, context.owner);
    return created;
  });
  return { requestId: row.requestId };
}

function scheduleCollection(deps: Deps, tx: Tx, row: Assessment, firstCall: FirstCall, owner: string): void {
  const { error } = firstCall;
  deps.timers.schedule(tx, 'enclave.risk.collect', {
    ...collectionTimer(row, owner),
    dueAt: deps.clock.now(owner) + (error === null ? firstCall.readyInMs : retryAfterMs(row.failures)),
    why: error === null ? PROVIDER_WORKS : `attempt 1 failed: ${error}`,
  });
}

/** The reset of a VASP has deleted its timers. Its assessments that wait for a result get theirs again. */
export function collectAgain(deps: Deps, tx: Tx, vaspId: string): void {
  for (const row of assessments.registeredOf(tx, vaspId))
    deps.timers.ensure(tx, 'enclave.risk.collect', {
      ...collectionTimer(row, vaspId),
      dueAt: deps.clock.now(vaspId),
      why: PROVIDER_WORKS,
    });
}

const collectionTimer = ({ requestId, verificationUuid }: Assessment, owner: string) => ({
  key: requestId,
  owner,
  // Results of one verification arrive in the order of the requests.
  queue: `assessment ${verificationUuid}`,
  payload: { requestId, verificationUuid },
});

async function callProvider(
  deps: Deps,
  { kind, caller }: AssessmentContext<AsyncKind>,
  request: object,
): Promise<FirstCall> {
  try {
    const keys = providerKeysOf(deps, caller);
    const registered = await asyncProvider(deps, kind, caller).register(keys, request, 1);
    return { ...registered, error: null };
  } catch (error) {
    const isRefused = error instanceof AccessRefused || error instanceof GroupNotFound;
    if (isRefused || kind === 'wco') throw asRefusal(error);
    return { reference: null, error: failureText(error) };
  }
}

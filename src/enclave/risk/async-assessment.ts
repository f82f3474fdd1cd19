import type { CallbackData } from '../../contract/callbacks.ts';
import { type Refusal, refusals } from '../../contract/refusals.ts';
import type { AssessmentRegistered, KytApiType, ProviderASanction } from '../../contract/risk.ts';
import type { Tx } from '../../db/transaction.ts';
import { recordEvent, transition } from '../../db/transition.ts';
import { toIso } from '../../kernel/clock.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { pick } from '../../kernel/members.ts';
import {
  type AsyncScreening,
  isStillWorking,
  type MonitoredTransfer,
  type MonitoringFinding,
  type PersonFinding,
  ProviderError,
  type ProviderKeys,
  type Registered,
  type SanctionFinding,
  type ScreenedAddress,
} from '../../screening/port.ts';
import type { Outcome, TimerPayloads } from '../../timers/registry.ts';
import { enqueue, type NewCallback, RETRY_AFTER_MS } from '../callbacks/deliver.ts';
import { type EnclaveDeps, nowFor } from '../deps.ts';
import type { Verification } from '../verification/store.ts';
import * as verifications from '../verification/store.ts';
import { type AssessmentContext, createAssessment } from './assessment.ts';
import { assessmentStatus } from './machine.ts';
import type { Assessment } from './store.ts';
import * as assessments from './store.ts';

const WAITS = {
  PAYMENT: 'no block holds the reported transaction, or it does not pay the verified address',
  LEDGER: 'the ledger of the reported transaction cannot be reached',
} as const;

/** The providers whose result comes later. The VASP gets it by callback (REF-6). */
type AsyncKind = 'kyt' | 'wco';
type AsyncAssessment = Assessment & { kind: AsyncKind };

/** Its subject is a request as JSON keeps it. */
const asyncProvider = ({ risk }: EnclaveDeps, kind: AsyncKind, vaspId: string) =>
  risk.screening(vaspId)[kind] as AsyncScreening<unknown, object>;

type FirstCall = (Registered & { error: null }) | { reference: null; error: string };

/**
 * REF-4.2, REF-4.3: registers the request at the provider. A timer that commits with the row collects the result. If the
 * provider refuses, the caller is refused and nothing is stored. If the provider fails, a person screening is refused
 * too (REF-7); a monitoring is REGISTERED without the provider's reference (REF-2.6) and tried again.
 */
export async function registerAssessment(
  deps: EnclaveDeps,
  context: AssessmentContext<AsyncKind>,
  request: object,
): Promise<AssessmentRegistered> {
  const first = await firstCall(deps, context, request);
  const row = createAssessment(deps, context, { request, ...first }, (tx, created) => {
    if (first.error !== null) recordFailure(deps, tx, context.verification, created, deps.clock.now(context.owner));
    deps.timers.schedule(tx, 'enclave.risk.collect', {
      ...collectionTimer(created, context.owner),
      dueAt: deps.clock.now(context.owner) + (first.error === null ? first.readyInMs : retryAfterMs(created.failures)),
      why: first.error === null ? undefined : `attempt 1 failed: ${first.error}`,
    });
    return created;
  });
  return { requestId: row.requestId };
}

/** The reset of a VASP has deleted its timers. Its assessments that wait for a result get theirs again. */
export function collectAgain(deps: EnclaveDeps, tx: Tx, vaspId: string): void {
  for (const row of assessments.registeredOf(tx, vaspId))
    deps.timers.ensure(tx, 'enclave.risk.collect', { ...collectionTimer(row, vaspId), dueAt: deps.clock.now(vaspId) });
}

const collectionTimer = ({ requestId, verificationUuid }: Assessment, owner: string) => ({
  owner,
  // Results of one verification arrive in the order of the requests.
  queue: `assessment ${verificationUuid}`,
  payload: { requestId, verificationUuid },
});

async function firstCall(
  deps: EnclaveDeps,
  { kind, caller }: AssessmentContext<AsyncKind>,
  request: object,
): Promise<FirstCall> {
  try {
    const keys = providerKeysOf(deps, caller);
    const registered = await asyncProvider(deps, kind, caller).register(keys, request, 1);
    return { ...registered, error: null };
  } catch (error) {
    const isTriedAgain = error instanceof ProviderError && error.why === 'FAILED' && kind === 'kyt';
    if (!isTriedAgain) throw asRefusal(error);
    return { reference: null, error: error.message };
  }
}

const nextAttempt = ({ failures }: Assessment): number => failures + 1;

interface Collection {
  row: AsyncAssessment;
  verification: Verification;
  /** On the clock of the VASP that requested the assessment. */
  now(): number;
}

/** Timer `enclave.risk.collect`: calls the provider once, to register the request or to fetch its result. */
export async function collectResult(
  deps: EnclaveDeps,
  { requestId }: TimerPayloads['enclave.risk.collect'],
): Promise<Outcome> {
  const row = assessments.find(deps.db, requestId);
  const verification = row && verifications.find(deps.db, row.verificationUuid);
  if (!row || !isAsync(row) || row.status !== 'REGISTERED' || !verification) return {};
  const now = () => nowFor(deps, row.callerVaspId, row.counterpartyVaspId);
  const collection = { row, verification, now };
  const outcome = await callProvider(deps, collection).catch(error => tryAgain(deps, collection, error));
  const apply = (tx: Tx) => {
    // A reset may have deleted the assessment while the provider was called.
    if (assessments.find(tx, requestId)) outcome.apply?.(tx);
  };
  return { ...outcome, apply };
}

async function callProvider(deps: EnclaveDeps, { row, verification, now }: Collection): Promise<Outcome> {
  const { callerVaspId, request } = row;
  const provider = asyncProvider(deps, row.kind, callerVaspId);
  const keys = providerKeysOf(deps, callerVaspId);
  const attempt = nextAttempt(row);
  if (row.reference === null) {
    const { reference, readyInMs } = await provider.register(keys, request, attempt);
    return { apply: tx => assessments.patch(tx, row.id, { reference }), againAt: now() + readyInMs };
  }
  const finding = await provider.result(keys, row.reference, request, attempt);
  if (isStillWorking(finding)) {
    // A result that may never come is asked for less and less often.
    const waitMs = Math.max(finding.readyInMs, Math.floor((now() - row.createdAt) / 4));
    return { againAt: now() + waitMs, why: finding.waitsFor && WAITS[finding.waitsFor] };
  }
  return {
    apply: tx => {
      const at = now();
      const processed = transition(tx, assessmentStatus, row, 'processed', {
        patch: { result: finding, assessedAt: at, lastError: null },
        at,
        cause: 'the provider answered',
      });
      enqueue(deps, tx, verification, callbackOf(processed as AsyncAssessment));
    },
  };
}

function tryAgain(deps: EnclaveDeps, { row, verification, now }: Collection, error: unknown): Outcome {
  if (!(error instanceof ProviderError)) throw error;
  const failure = { failures: nextAttempt(row), lastError: error.message };
  return {
    apply: tx => {
      assessments.patch(tx, row.id, failure);
      recordFailure(deps, tx, verification, { ...row, ...failure }, now());
    },
    againAt: now() + retryAfterMs(failure.failures),
    why: `attempt ${failure.failures} failed: ${failure.lastError}`,
  };
}

/** The pauses of callbacks (D-13). The last pause repeats: an assessment is never given up. */
const retryAfterMs = (failures: number): number => RETRY_AFTER_MS[failures - 1] ?? RETRY_AFTER_MS.at(-1)!;

/** REF-2.6: every failure stands in the timeline. Only the first one is called back. */
function recordFailure(deps: EnclaveDeps, tx: Tx, verification: Verification, row: Assessment, at: number): void {
  const retryIn = formatDuration(retryAfterMs(row.failures));
  recordEvent(tx, assessmentStatus, row, 'provider-failed', {
    at,
    cause: `attempt ${row.failures} failed: ${row.lastError}; the next one follows in ${retryIn}`,
  });
  if (row.failures === 1 && isAsync(row)) enqueue(deps, tx, verification, callbackOf(row));
}

const isAsync = (row: Assessment): row is AsyncAssessment => row.kind !== 'sanction';

/** With the result, or as REGISTERED. */
function callbackOf(row: AsyncAssessment): NewCallback {
  const { callerVaspId: receiverVaspId, verificationUuid } = row;
  if (row.kind === 'kyt') {
    const data = { verificationUuid, riskAssessment: presentKyt(row) };
    return { receiverVaspId, callbackType: 'PROVIDER_A_KYT_RESULT', data };
  }
  const data = { verificationUuid, riskAssessment: presentWco(row) };
  return { receiverVaspId, callbackType: 'PROVIDER_B_WCO_RESULT', data };
}

type KytAssessment = CallbackData<'PROVIDER_A_KYT_RESULT'>['riskAssessment'];
type WcoAssessment = CallbackData<'PROVIDER_B_WCO_RESULT'>['riskAssessment'];
type SanctionAssessment = { providerASanction: ProviderASanction };

/** The request to the provider, and the members that only the result has. */
export type KytRequest = MonitoredTransfer & { apiType: KytApiType; timestamp: string };

const commonOf = (row: Assessment) => pick(row, 'requestId', 'counterpartyVaspId', 'direction');
const assessedAtOf = ({ assessedAt }: Assessment) => (assessedAt === null ? {} : { assessedAt: toIso(assessedAt) });
const findingOf = <F>({ result }: Assessment): F | undefined => (result ?? undefined) as F | undefined;

/** REF-2.5 */
export function presentSanction(row: Assessment): SanctionAssessment {
  const listing = findingOf<SanctionFinding>(row)?.listing;
  return {
    providerASanction: {
      ...commonOf(row),
      address: (row.request as ScreenedAddress).address,
      status: listing ? 'SANCTION' : 'NOHIT',
      ...(listing ? { ofacName: listing.name, ofacDescription: listing.description, ofacUrl: listing.url } : {}),
      createdAt: toIso(row.createdAt),
    },
  };
}

/** REF-2.6, REF-2.7 */
function presentKyt(row: Assessment): KytAssessment {
  const request = row.request as KytRequest;
  const { alerts, transferredAt } = findingOf<MonitoringFinding>(row) ?? {};
  const externalId = row.reference;
  return {
    providerAKYT: {
      ...commonOf(row),
      ...pick(request, 'apiType', 'network', 'asset', 'amount', 'outputAddress'),
      userId: row.counterpartyVaspId,
      ...(request.usdPrice === null ? {} : { usdPrice: request.usdPrice }),
      ...(request.transferRef === undefined ? {} : { transferRef: request.transferRef }),
      timestamp: transferredAt === undefined ? request.timestamp : toIso(transferredAt),
      ...(externalId === null ? {} : { externalId }),
      status: row.status,
      alertCount: alerts?.length ?? null,
      createdAt: toIso(row.createdAt),
      ...assessedAtOf(row),
    },
    ...(alerts === undefined || alerts.length === 0
      ? {}
      : {
          providerAKYTAlerts: alerts.map(alert => ({
            ...pick(row, 'counterpartyVaspId', 'direction'),
            externalId: externalId!,
            ...alert,
            createdAt: toIso(row.assessedAt!),
          })),
        }),
  };
}

/** REF-2.8 */
function presentWco(row: Assessment): WcoAssessment {
  const finding = findingOf<PersonFinding>(row);
  return {
    providerBWCO: {
      ...commonOf(row),
      ...(row.reference === null ? {} : { caseSystemId: row.reference }),
      status: row.status,
      ...(finding?.matchStrength ? { matchStrength: finding.matchStrength } : {}),
      ...(finding ? { aggregatedSummaryResult: finding.aggregatedSummaryResult } : {}),
      createdAt: toIso(row.createdAt),
      ...assessedAtOf(row),
    },
  };
}

const PRESENT = { sanction: presentSanction, kyt: presentKyt, wco: presentWco } as const;

export const presentAssessment = (row: Assessment) => PRESENT[row.kind](row);

/** The keys that the VASP registered, completed by the configured ones. */
export const providerKeysOf = (deps: EnclaveDeps, vaspId: string): ProviderKeys => ({
  ...deps.risk.keys,
  ...deps.vasps.find(vaspId)?.providerKeys,
});

const REFUSALS = {
  'ACCESS-REFUSED': refusals.providerRefused,
  'GROUP-NOT-FOUND': refusals.groupNotFound,
  FAILED: refusals.providerFailed,
};

/** REF-7: the refusal for a provider's error. Any other error is returned as it is. */
export const asRefusal = (error: unknown): Refusal | unknown =>
  error instanceof ProviderError ? REFUSALS[error.why]() : error;

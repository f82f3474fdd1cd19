import { record } from '../../db/history.ts';
import type { Tx } from '../../db/transaction.ts';
import { transition } from '../../db/transition.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { isStillWorking } from '../../screening/port.ts';
import type { Outcome } from '../../timers/registry.ts';
import { RETRY_AFTER_MS } from '../callbacks/deliver.ts';
import { clockOwner, type EnclaveDeps } from '../deps.ts';
import type { Verification } from '../verification/store.ts';
import { ASYNC_PROVIDERS, attemptOf } from './async-providers.ts';
import { assessmentStatus } from './machine.ts';
import { failureText } from './provider-errors.ts';
import type { Assessment } from './store.ts';

interface Collection {
  row: Assessment & { kind: 'kyt' | 'wco' };
  verification: Verification;
  /** On the clock of the VASP that asked. */
  now(): number;
}

/** Timer `enclave.risk.collect`: one call of the provider, for its number or for the result. */
export async function collectResult(
  deps: EnclaveDeps,
  { requestId }: { requestId: string },
): Promise<Outcome> {
  const row = deps.assessments.find(requestId);
  const verification = row && deps.verifications.find(row.verificationUuid);
  if (!row || row.kind === 'sanction' || row.status !== 'REGISTERED' || !verification) return {};
  const owner = clockOwner(deps, row.callerVaspId, row.counterpartyVaspId);
  const collection = { row: { ...row, kind: row.kind }, verification, now: () => deps.clock.now(owner) };
  const outcome = await callProvider(deps, collection).catch(error => failed(deps, collection, error));
  const apply = (tx: Tx) => {
    // A reset may have taken it away while the provider was asked.
    if (deps.assessments.find(requestId)) outcome.apply?.(tx);
  };
  return { ...outcome, apply };
}

async function callProvider(deps: EnclaveDeps, { row, verification, now }: Collection): Promise<Outcome> {
  const provider = ASYNC_PROVIDERS[row.kind];
  const laterBy = (readyInMs: number) => ({
    againAt: now() + readyInMs,
    why: 'the provider works on the result',
  });
  if (row.reference === null) {
    const request: unknown = JSON.parse(row.request);
    const { reference, readyInMs } = await provider.register(deps, row.callerVaspId, request, attemptOf(row));
    return { apply: tx => deps.assessments.patch(tx, row.id, { reference }), ...laterBy(readyInMs) };
  }
  const answer = await provider.result(deps, row);
  if (isStillWorking(answer)) return laterBy(answer.readyInMs);
  return { apply: tx => complete(deps, tx, verification, row, answer, now()) };
}

function failed(deps: EnclaveDeps, { row, verification, now }: Collection, error: unknown): Outcome {
  const failure = { failures: attemptOf(row), lastError: failureText(error) };
  return {
    apply: tx => {
      deps.assessments.patch(tx, row.id, failure);
      recordFailure(deps, tx, verification, { ...row, ...failure }, now());
    },
    againAt: now() + retryAfterMs(failure.failures),
    why: `attempt ${failure.failures} failed: ${failure.lastError}`,
  };
}

/** As callbacks are tried (D-13), but never given up: the last distance stays. */
export const retryAfterMs = (failures: number): number =>
  RETRY_AFTER_MS[failures - 1] ?? RETRY_AFTER_MS.at(-1)!;

function complete(
  deps: EnclaveDeps,
  tx: Tx,
  verification: Verification,
  row: Assessment,
  finding: object,
  at: number,
): void {
  const processed = transition(tx, assessmentStatus, row, 'processed', {
    patch: { result: JSON.stringify(finding), assessedAt: at, lastError: null },
    at,
    cause: 'the provider has answered',
  });
  ASYNC_PROVIDERS[row.kind as 'kyt' | 'wco'].enqueueResult(deps, tx, verification, processed);
}

/** REF-2.6: the VASP learns once that there is no result yet; the timeline learns every time. */
export function recordFailure(
  deps: EnclaveDeps,
  tx: Tx,
  verification: Verification,
  row: Assessment,
  at: number,
): void {
  record(tx, {
    machine: 'assessment',
    rowKey: String(row.id),
    verificationUuid: verification.uuid,
    vaspId: row.callerVaspId,
    from: row.status,
    event: 'provider-failed',
    to: row.status,
    at,
    cause: `attempt ${row.failures}: ${row.lastError}; again in ${formatDuration(retryAfterMs(row.failures))}`,
  });
  if (row.failures === 1)
    ASYNC_PROVIDERS[row.kind as 'kyt' | 'wco'].enqueueResult(deps, tx, verification, row);
}

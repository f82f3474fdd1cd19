import type { Tx } from '../../db/transaction.ts';
import { recordEvent } from '../../db/transition.ts';
import type { Outcome, TimerPayloads } from '../../timers/registry.ts';
import { applyEffects, isPostponed, type Postponed } from '../../vasps/port.ts';
import { type EnclaveDeps, nowFor } from '../deps.ts';
import { completeOpen } from './complete.ts';
import { verificationStatus } from './machine.ts';
import { ask, completionOf } from './reply.ts';
import { verificationTimer } from './schedule-time-out.ts';
import type { Verification } from './store.ts';
import * as verifications from './store.ts';

type Ask = TimerPayloads['enclave.verification.ask'];

export function scheduleAsk(deps: EnclaveDeps, tx: Tx, row: Verification): void {
  const timer = { ...verificationTimer(deps, row), dueAt: row.createdAt, why: 'ask the beneficiary VASP' };
  deps.timers.schedule(tx, 'enclave.verification.ask', timer);
}

/** Timer `enclave.verification.ask`: asks the beneficiary VASP once. Its answer completes the verification (D-12). */
export async function askBeneficiary(deps: EnclaveDeps, { uuid, answer: postponedAnswer }: Ask): Promise<Outcome<Ask>> {
  const row = verifications.find(deps.db, uuid);
  if (!row) return {};
  if (row.status !== 'OPEN') return { apply: tx => recordLateAnswer(deps, tx, row) };
  if (postponedAnswer) return { apply: tx => completeOpen(deps, tx, uuid, completionOf(row, postponedAnswer)) };
  // It was suspended after the verification was opened. The time-out ends it.
  if (!deps.vasps.isActive(row.beneficiaryVaspId)) return {};
  const { effects, completion } = await ask(deps, row);
  if (isPostponed(completion) && nowOf(deps, row) < row.createdAt + completion.postponedMs)
    return { ...againAfter(row, completion), apply: tx => applyEffects(tx, effects) };
  const end = isPostponed(completion) ? completionOf(row, completion.answer) : completion;
  return {
    apply(tx) {
      applyEffects(tx, effects);
      completeOpen(deps, tx, uuid, end);
    },
  };
}

/** An answer that never comes needs no run: the time-out has a timer of its own. */
const againAfter = ({ uuid, createdAt }: Verification, { postponedMs, answer }: Postponed): Outcome<Ask> =>
  Number.isFinite(postponedMs)
    ? { againAt: createdAt + postponedMs, why: 'the beneficiary VASP postponed its answer', payload: { uuid, answer } }
    : {};

const recordLateAnswer = (deps: EnclaveDeps, tx: Tx, row: Verification): void =>
  recordEvent(tx, verificationStatus, row, 'late-answer', {
    at: nowOf(deps, row),
    cause: 'the beneficiary VASP answered after the time limit, so its answer is ignored',
  });

const nowOf = (deps: EnclaveDeps, row: Verification): number =>
  nowFor(deps, row.originatingVaspId, row.beneficiaryVaspId);

import { pause } from '../timers/loop.ts';
import { BadAnswer, isPostponed, NoAnswer, type Vasp } from '../vasps/port.ts';
import type { FaultHit, FaultInjector } from './port.ts';
import type { FaultTarget } from './targets.ts';

interface FaultyVaspDeps {
  faults: FaultInjector;
  timeoutMs: { verifyAccount: number; transactionStatus: number };
  /** Who waits for the answer. */
  counterpartyOf(verificationUuid: string): string | undefined;
  /** Ends every wait. */
  stopping: AbortSignal;
}

/** A resident VASP whose answers fail as its counterparty has ordered. It does its work all the same. */
export function faultyVasp(vasp: Vasp, deps: FaultyVaspDeps): Vasp {
  const hitOn = (vaspId: string | undefined, target: FaultTarget, uuid: string | null, occasion?: string) =>
    vaspId === undefined
      ? undefined
      : deps.faults.consume({
          vaspId,
          targets: [target],
          verificationUuid: uuid,
          ...(occasion === undefined ? {} : { occasion }),
        });
  return {
    async verifyAccount(request) {
      const answer = await vasp.verifyAccount(request);
      const hit = hitOn(request.originatingVaspId, 'robot.verifyAccount', null);
      await answerLate(hit, deps.timeoutMs.verifyAccount, deps.stopping);
      return spoilt(hit, answer);
    },
    async verifyUser(request) {
      const answer = await vasp.verifyUser(request);
      const { originatingVaspId, verificationUuid } = request;
      const hit = hitOn(originatingVaspId, 'robot.verifyUser', verificationUuid, 'robot.verifyUser');
      const moreMs = postponementMs(hit);
      if (moreMs === undefined) return spoilt(hit, answer);
      return isPostponed(answer)
        ? { ...answer, postponedMs: answer.postponedMs + moreMs }
        : { postponedMs: moreMs, answer };
    },
    async transactionStatus(request) {
      const answer = await vasp.transactionStatus(request);
      const { verificationUuid } = request;
      const hit = hitOn(deps.counterpartyOf(verificationUuid), 'robot.transactionStatus', verificationUuid);
      await answerLate(hit, deps.timeoutMs.transactionStatus, deps.stopping);
      return spoilt(hit, answer);
    },
    callback: (callback, spoil) => vasp.callback(callback, spoil),
  };
}

/** How the answer to a question without a clock of its own is late; undefined: it is not. */
function postponementMs(hit: FaultHit | undefined): number | undefined {
  if (hit?.mode === 'delay') return hit.delayMs;
  return hit?.mode === 'never-answer' ? Number.POSITIVE_INFINITY : undefined;
}

/** Somebody waits for this answer, so the wait is real. */
async function answerLate(hit: FaultHit | undefined, limitMs: number, stopping: AbortSignal): Promise<void> {
  const lateMs = postponementMs(hit);
  if (lateMs === undefined) return;
  await pause(Math.min(lateMs, limitMs), stopping);
  if (lateMs > limitMs) throw new NoAnswer(limitMs);
}

/** D-12, in the words for a VASP behind HTTP. */
function spoilt<T>(hit: FaultHit | undefined, answer: T): T {
  switch (hit?.mode) {
    case 'drop':
      throw new BadAnswer('The VASP closed the connection without an answer.');
    case 'status':
      throw new BadAnswer(`The VASP answered with status ${hit.status} instead of 200.`);
    case 'malformed':
      throw new BadAnswer('The VASP answered with something that is not JSON.');
    default:
      return answer;
  }
}

import { BadAnswer, isPostponed, NoAnswer, type Vasp } from '../vasps/port.ts';
import type { FaultHit, FaultInjector } from './port.ts';

interface FaultyVaspDeps {
  faults: FaultInjector;
  timeoutMs: { verifyAccount: number; transactionStatus: number };
  /** The VASP that waits for the answer about this verification. */
  counterpartyOf(verificationUuid: string): string | undefined;
  /** Ends every pause when the program stops. */
  stopping: AbortSignal;
}

/** A resident VASP whose answers fail as its counterparty ordered. It does its work before the answer fails. */
export function faultyVasp(vasp: Vasp, deps: FaultyVaspDeps): Vasp {
  const { faults, timeoutMs } = deps;
  return {
    async verifyAccount(request) {
      const answer = await vasp.verifyAccount(request);
      const hit = faults.consume({
        vaspId: request.originatingVaspId,
        targets: ['robot.verifyAccount'],
        verificationUuid: null,
      });
      await waitOrTimeOut(deps, hit, timeoutMs.verifyAccount);
      return spoil(hit, answer);
    },
    async verifyUser(request, effects) {
      const answer = await vasp.verifyUser(request, effects);
      const hit = faults.consume({
        vaspId: request.originatingVaspId,
        targets: ['robot.verifyUser'],
        verificationUuid: request.verificationUuid,
        name: 'robot.verifyUser',
      });
      const faultMs = postponementMs(hit);
      if (faultMs === undefined) return spoil(hit, answer);
      return isPostponed(answer)
        ? { ...answer, postponedMs: answer.postponedMs + faultMs }
        : { postponedMs: faultMs, answer };
    },
    async transactionStatus(request) {
      const answer = await vasp.transactionStatus(request);
      const { verificationUuid } = request;
      const vaspId = deps.counterpartyOf(verificationUuid);
      if (vaspId === undefined) return answer;
      const isFinal = answer.transactionStatus === 'CONFIRMED';
      const hit = faults.consume({
        vaspId,
        targets: ['robot.transactionStatus'],
        verificationUuid,
        except: isFinal ? [] : ['outdated'],
      });
      if (hit?.mode === 'outdated') return { ...answer, transactionStatus: 'WAIT-CONFIRM' };
      await waitOrTimeOut(deps, hit, timeoutMs.transactionStatus);
      return spoil(hit, answer);
    },
    callback: (callback, delivery) => vasp.callback(callback, delivery),
  };
}

/** By how much the answer is late; undefined: it is in time. */
function postponementMs(hit: FaultHit | undefined): number | undefined {
  if (hit?.mode === 'delay') return hit.delayMs;
  return hit?.mode === 'never-answer' ? Number.POSITIVE_INFINITY : undefined;
}

/** The caller holds a connection open, so the pause runs on the machine's clock. */
async function waitOrTimeOut(
  { faults, stopping }: FaultyVaspDeps,
  hit: FaultHit | undefined,
  limitMs: number,
): Promise<void> {
  const lateMs = postponementMs(hit);
  if (hit === undefined || lateMs === undefined) return;
  const isRemoved = await faults.hold(hit, Math.min(lateMs, limitMs), stopping);
  if (!isRemoved && lateMs > limitMs) throw new NoAnswer(limitMs);
}

/** D-12: the same errors as from a VASP behind HTTP. */
function spoil<T>(hit: FaultHit | undefined, answer: T): T {
  switch (hit?.mode) {
    case 'drop':
      throw new BadAnswer('The VASP closed the connection without an answer.', { fault: hit.mode });
    case 'status':
      throw new BadAnswer(`The VASP answered with status ${hit.status} instead of 200.`, {
        fault: { status: hit.status },
      });
    case 'malformed':
      throw new BadAnswer('The answer of the VASP is not JSON.', { fault: hit.mode });
    default:
      return answer;
  }
}

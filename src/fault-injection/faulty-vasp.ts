import type { Operation } from '../contract/errors.ts';
import { firstAborted } from '../kernel/turns.ts';
import { BadAnswer, isPostponed, NoAnswer, type Vasp } from '../vasps/port.ts';
import { type FaultHit, type FaultInjector, LONGEST_SILENCE_MS, NODE_METHODS } from './port.ts';

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

interface Answer {
  status: number;
  text: string;
}
interface ServedCall {
  vaspId: string;
  operation: Operation;
  verificationUuid: string | null;
  answer: Answer;
  /** Aborted when the caller disconnects. */
  disconnected(): AbortSignal;
}

/**
 * Changes the answer to an HTTP call as a fault of the caller orders; undefined: there is none. `answer` undefined: the
 * connection is closed. The call has taken effect already. Calls of the sandbox API are never changed.
 */
export const faultyAnswer =
  (faults: FaultInjector, stopping: AbortSignal) =>
  ({ vaspId, operation, verificationUuid, answer, disconnected }: ServedCall) => {
    if (operation === 'sandbox' || !faults.isArmed(vaspId)) return undefined;
    const targets = ['answer', `answer.${operation}`] as const;
    const hit = faults.consume({ vaspId, targets, verificationUuid });
    if (!hit) return undefined;
    const ended = firstAborted(disconnected(), stopping);
    return apply(faults, answer, hit, ended.signal)
      .finally(ended.release)
      .then(changed => ({ answer: changed, cause: hit.cause }));
  };

async function apply(
  faults: FaultInjector,
  answer: Answer,
  hit: FaultHit,
  ended: AbortSignal,
): Promise<Answer | undefined> {
  switch (hit.mode) {
    case 'delay':
      await faults.hold(hit, hit.delayMs, ended);
      return answer;
    case 'status':
      return { status: hit.status, text: JSON.stringify(errorOf(hit)) };
    case 'malformed':
      return { ...answer, text: answer.text.slice(0, Math.ceil(answer.text.length / 2)) };
    case 'never-answer':
      return (await faults.hold(hit, LONGEST_SILENCE_MS, ended)) ? answer : undefined;
    case 'drop':
      return undefined;
    default:
      return answer;
  }
}

const errorOf = ({ cause, code = 'SIMULATED-FAULT', message }: Extract<FaultHit, { mode: 'status' }>) => ({
  code,
  message: message ?? `Ordered by ${cause}.`,
});

type DevnetHit = Extract<FaultHit, { mode: 'delay' | 'drop' | 'error' | 'never-answer' }>;

/** The fault of this VASP that hits a call to an embedded ledger. */
export function devnetFault(
  faults: FaultInjector,
  vaspId: string,
  symbol: 'ETH' | 'XRP',
  method: string,
): DevnetHit | undefined {
  const targets = ['devnet', `devnet.${symbol}`] as const;
  const ofMethod = NODE_METHODS.filter(each => each === method).map(each => `devnet.${each}` as const);
  const hit = faults.consume({ vaspId, targets: [...ofMethod, ...targets], verificationUuid: null });
  return hit as DevnetHit | undefined;
}

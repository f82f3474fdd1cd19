import type { Operation } from '../contract/errors.ts';
import { firstAborted } from '../kernel/turns.ts';
import type { FaultHit, FaultInjector } from './port.ts';
import { LONGEST_SILENCE_MS } from './targets.ts';

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
interface FaultyAnswer {
  /** Undefined: the connection is closed without an answer. */
  answer: Answer | undefined;
  cause: string;
}

/**
 * Changes the answer to an HTTP call as a fault of the caller orders; undefined: there is none. The call has taken
 * effect already. Calls of the sandbox API are never changed.
 */
export const faultyAnswer =
  (faults: FaultInjector, stopping: AbortSignal) =>
  ({ vaspId, operation, verificationUuid, answer, disconnected }: ServedCall): Promise<FaultyAnswer> | undefined => {
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
    case 'duplicate':
    case 'reorder':
    case 'outdated':
    case 'error':
      return answer;
  }
}

const errorOf = ({ cause, code = 'SIMULATED-FAULT', message }: Extract<FaultHit, { mode: 'status' }>) => ({
  code,
  message: message ?? `Ordered by ${cause}.`,
});

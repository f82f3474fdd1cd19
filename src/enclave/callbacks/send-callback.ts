import type { Callback } from '../../contract/callbacks.ts';
import type { FaultHit } from '../../fault-injection/port.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import { maskedUrl } from '../../kernel/masked-url.ts';
import { BadAnswer, NoAnswer } from '../../vasps/port.ts';
import type { EnclaveDeps } from '../deps.ts';
import { bodyOf } from './attempt-store.ts';
import type { CallbackRow } from './store.ts';

/** One attempt to send a callback: the status of the answer, or the error that stands for it. */
export interface Attempt {
  /** The address and the body on the wire; null: nothing left the process. */
  url: string | null;
  request: string | null;
  isUnchanged: boolean;
  status: number | null;
  answer: string | null;
  error: string | null;
  durationMs: number;
  /** D-40: the VASP asks for this pause before the next attempt. */
  retryAfterMs?: number | undefined;
  /** It would be refused again. */
  isRefused?: boolean | undefined;
}

const NOT_SENT = { url: null, request: null, isUnchanged: false, status: null, answer: null, durationMs: 0 };

/** Sends a callback once, unless the fault `hit` says otherwise. */
export async function sendCallback(
  deps: EnclaveDeps,
  row: CallbackRow,
  hit: FaultHit | undefined,
): Promise<[Attempt, ...Attempt[]]> {
  switch (hit?.mode) {
    case 'drop':
      return [{ ...NOT_SENT, error: hit.cause }];
    case 'duplicate':
      return [await send(deps, row), await send(deps, row)];
    case 'status':
      return [{ ...(await send(deps, row, hit)), status: hit.status, error: hit.cause }];
    case 'never-answer':
      return [{ ...(await send(deps, row, hit)), status: null, error: hit.cause }];
    case 'malformed':
      return [await send(deps, row, hit, firstHalf)];
    default:
      return [await send(deps, row)];
  }
}

/** Half a JSON object is no JSON. */
const firstHalf = (body: string): string => body.slice(0, Math.ceil(body.length / 2));

async function send(
  deps: EnclaveDeps,
  row: CallbackRow,
  hit?: FaultHit,
  changeBody?: (body: string) => string,
): Promise<Attempt> {
  const startedAt = elapsedMs();
  const callback = { callbackType: row.callbackType, data: row.data } as Callback;
  const url = deps.directory.callbackUrl(row.receiverVaspId, row.callbackType) ?? null;
  const body = bodyOf(row);
  let request: string | null = null;
  const onSend = (sent: string): void => {
    request = sent;
  };
  const attempt = (result: Pick<Attempt, 'status' | 'answer' | 'error'>): Attempt => ({
    url: request === null || url === null ? null : maskedUrl(url),
    request,
    isUnchanged: request === body,
    durationMs: Math.round(elapsedMs() - startedAt),
    ...result,
  });
  try {
    const vasp = deps.directory.find(row.receiverVaspId)!;
    const delivery = { name: row.name, id: row.id, body, changeBody, onSend, fault: hit?.cause };
    const reply = await vasp.callback(callback, delivery);
    const { status, body: answer, retryAfterMs, refusal } = reply;
    const error = status === 200 ? null : (refusal ?? `answered with status ${status} instead of 200`);
    return { retryAfterMs, isRefused: refusal !== undefined, ...attempt({ status, answer, error }) };
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof BadAnswer)) throw error;
    return attempt({ status: null, answer: null, error: error.message });
  }
}

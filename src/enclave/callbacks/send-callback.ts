import type { Callback } from '../../contract/callbacks.ts';
import type { FaultHit } from '../../fault-injection/port.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import { BadAnswer, NoAnswer } from '../../vasps/port.ts';
import type { EnclaveDeps } from '../deps.ts';
import type { CallbackRow } from './store.ts';

/** What came of sending a callback: a status, or an error that says why there is none. */
export interface Attempt {
  /** Where it went and what was sent; null: nothing left the process. */
  url: string | null;
  request: string | null;
  status: number | null;
  answer: string | null;
  error: string | null;
  durationMs: number;
}

/** Sends a callback as an ordered fault wants it: usually once. */
export async function sendCallback(
  deps: EnclaveDeps,
  row: CallbackRow,
  hit: FaultHit | undefined,
): Promise<[Attempt, ...Attempt[]]> {
  switch (hit?.mode) {
    case 'drop':
      return [{ url: null, request: null, status: null, answer: null, error: hit.cause, durationMs: 0 }];
    case 'duplicate':
      return [await send(deps, row), await send(deps, row)];
    case 'status':
      return [{ ...(await send(deps, row)), status: hit.status, error: hit.cause }];
    case 'never-answer':
      return [{ ...(await send(deps, row)), status: null, error: hit.cause }];
    case 'malformed':
      return [await send(deps, row, broken)];
    default:
      return [await send(deps, row)];
  }
}

/** Without its end an object is no JSON. */
const broken = (body: string): string => body.slice(0, Math.ceil(body.length / 2));

async function send(deps: EnclaveDeps, row: CallbackRow, spoil = asItIs): Promise<Attempt> {
  const startedAt = elapsedMs();
  const callback = { callbackType: row.callbackType, data: JSON.parse(row.data) } as Callback;
  const url = deps.vasps.find(row.receiverVaspId)?.endpoints.callback ?? null;
  let request: string | null = null;
  const told = (outcome: Pick<Attempt, 'status' | 'answer' | 'error'>): Attempt => ({
    url: request === null ? null : url,
    request,
    ...outcome,
    durationMs: Math.round(elapsedMs() - startedAt),
  });
  const written = (body: string): string => {
    request = spoil(body);
    return request;
  };
  try {
    const { status, body } = await deps.directory.find(row.receiverVaspId)!.callback(callback, written);
    const error = status === 200 ? null : `answered with status ${status} instead of 200`;
    return told({ status, answer: body, error });
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof BadAnswer)) throw error;
    return told({ status: null, answer: null, error: error.message });
  }
}

const asItIs = (body: string): string => body;

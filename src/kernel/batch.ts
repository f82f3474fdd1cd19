import { later, nextTurn } from './clock.ts';
import { firstAborted, limitPerKey, type Turns, turnByTurn } from './turns.ts';

/** The calls of one body or frame. */
export interface Batch<C> {
  /** Its calls. Called when it begins: while it waits, only its text is held. */
  read(): readonly C[];
  /** Empty: it shares the process with nobody, so its batches are served at the same time. */
  owner: string;
  /** Of the calls after the first one, which counts with its request. What comes in is read before each of them. */
  turns: Turns;
  /** Its caller has left. */
  gone?: AbortSignal | undefined;
  /** From its beginning. Undefined: as long as it takes. */
  withinMs?: number | undefined;
  serve(call: C, timeIsUp: AbortSignal): Promise<string>;
  /** The answer to a call that is not served. */
  refuse(call: C, why: 'late' | 'too long'): string;
}

/**
 * Serves batches: their calls one after the other, each in its turn, and one batch of an owner at a time, because the answers to
 * all its calls are held until the last one. `maxLength`: of them together.
 */
export function batches() {
  const oneOfEach = limitPerKey(1);
  return <C>(batch: Batch<C>, maxLength: number): Promise<string[]> =>
    batch.owner === '' ? answersTo(batch, maxLength) : oneOfEach(batch.owner, () => answersTo(batch, maxLength));
}

async function answersTo<C>(batch: Batch<C>, maxLength: number): Promise<string[]> {
  const { gone, withinMs } = batch;
  const late = new AbortController();
  const stop = withinMs === undefined ? () => {} : later(withinMs, () => late.abort());
  const { signal, release } = firstAborted(late.signal, ...(gone ? [gone] : []));
  try {
    return await answersUntil(signal, batch, maxLength);
  } finally {
    stop();
    release();
  }
}

async function answersUntil<C>(
  timeIsUp: AbortSignal,
  { read, turns, serve, refuse }: Batch<C>,
  maxLength: number,
): Promise<string[]> {
  const answers: string[] = [];
  const inTurn = turnByTurn(turns, timeIsUp);
  let room = maxLength;
  let why: 'late' | 'too long' | undefined = timeIsUp.aborted ? 'late' : undefined;
  for (const [index, call] of read().entries()) {
    if (!why && index > 0) {
      await nextTurn();
      if (!(await inTurn())) why = 'late';
    }
    const answer = why ? undefined : await serve(call, timeIsUp);
    if (answer !== undefined && answer.length > room) why = 'too long';
    else room -= answer?.length ?? 0;
    answers.push(why ? refuse(call, why) : answer!);
  }
  return answers;
}

/** Somebody who asks for one turn after the other. */
export interface Turn {
  /** Begins the work, now or when it is its turn. Not called again before. */
  ask(): void;
  end(): void;
}

/** Decides when the work of somebody begins. */
export type Turns = (begin: () => void) => Turn;

export const atOnce: Turns = begin => ({ ask: begin, end: () => {} });

/** Waits for one turn after the other. False: the time was up before the turn began. */
export function turnByTurn(turns: Turns, timeIsUp: AbortSignal): () => Promise<boolean> {
  let answer: (hasBegun: boolean) => void = () => {};
  const turn = turns(() => answer(true));
  timeIsUp.addEventListener('abort', () => {
    turn.end();
    answer(false);
  });
  return () =>
    new Promise(resolve => {
      if (timeIsUp.aborted) return resolve(false);
      answer = resolve;
      turn.ask();
    });
}

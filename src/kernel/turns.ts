/** Somebody who asks for one turn after the other. */
export interface Turn {
  /** Begins the work, now or when it is its turn. Not called again before. */
  ask(): void;
  /** Takes back what was asked for. */
  end(): void;
}

/** Decides when the work of somebody begins. */
export type Turns = (begin: () => void) => Turn;

export const atOnce: Turns = begin => ({ ask: begin, end: () => {} });

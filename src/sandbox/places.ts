import { refusals } from '../contract/refusals.ts';

/** A limited number of open connections of one kind, so that nobody fills the memory with them. */
export interface Places {
  /** Throws `Refusal` too-many. */
  requireFree(): void;
  /** Returns a function that gives the place back. */
  take(): () => void;
}

const MOST = 1_000;

/** `what` in the plural, for the refusal. */
export function places(what: string): Places {
  let used = 0;
  return {
    requireFree() {
      if (used >= MOST) throw refusals.tooMany(what, MOST);
    },
    take() {
      used += 1;
      return () => {
        used -= 1;
      };
    },
  };
}

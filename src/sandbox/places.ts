import { refusals } from '../contract/refusals.ts';

/** A limited number of open connections of one kind, so that nobody fills the memory with them. */
export type Places = ReturnType<typeof places>;

const MAX_PLACES = 1_000;

/** `what` in the plural, for the refusal. */
export function places(what: string) {
  let used = 0;
  return {
    /** Throws `Refusal` too-many. */
    requireFree(): void {
      if (used >= MAX_PLACES) throw refusals.tooMany(what, MAX_PLACES);
    },
    /** Returns a function that gives the place back. */
    take(): () => void {
      used += 1;
      return () => {
        used -= 1;
      };
    },
  };
}

import type { Db } from './open.ts';
import { onCommit, onUndo } from './transaction.ts';

/**
 * Numbers of rows by a key, in memory: each is counted once, and then changed with the rows, in their transaction. After an
 * undo only those are counted again that its transaction has touched: the refusal of one caller costs the others nothing.
 */
export function keptCounts(db: Db) {
  const counts = new Map<string, number>();
  const touched = new Set<string>();
  onCommit(db, () => touched.clear());
  onUndo(db, () => {
    for (const key of touched) counts.delete(key);
    touched.clear();
  });

  function set(key: string, count: number): void {
    counts.set(key, count);
    touched.add(key);
  }

  return {
    /** `count`: reads a number that is not known. */
    of(key: string, count: () => number): number {
      if (!counts.has(key)) set(key, count());
      return counts.get(key)!;
    },
    /** Rows have come, or gone. A number that is not known yet stays so. */
    change(key: string, by: number): void {
      const known = counts.get(key);
      if (known !== undefined) set(key, known + by);
    },
    /** Those that are known. */
    all: (): Iterable<[string, number]> => [...counts],
    forget: () => counts.clear(),
  };
}

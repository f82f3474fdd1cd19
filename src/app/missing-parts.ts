import type { Db } from '../db/open.ts';
import { troubleOf } from '../db/transaction.ts';
import { storageTrouble } from '../kernel/storage-trouble.ts';

/** The parts that are missing before tests can run. Empty: ready. */
export function missingParts(db: Db, lost: () => string[], ofChains: () => string[]): string[] {
  try {
    const trouble = troubleOf(db)?.error.message;
    return [...(trouble === undefined ? [] : [trouble]), ...lost(), ...ofChains()];
  } catch (error) {
    return [storageTrouble(error)?.message ?? 'the database does not answer'];
  }
}

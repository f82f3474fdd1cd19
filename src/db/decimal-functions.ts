import type Sqlite from 'better-sqlite3';
import { add, subtract } from '../kernel/decimal.ts';

/** Functions of SQLite's decimal extension, which the library leaves out. Migrations call them. */
export function addDecimalFunctions(sqlite: Sqlite.Database): void {
  sqlite.function('decimal_add', { deterministic: true }, (a, b) => add(String(a), String(b)));
  sqlite.function('decimal_sub', { deterministic: true }, (a, b) => subtract(String(a), String(b)));
  sqlite.aggregate('decimal_sum', {
    start: '0',
    deterministic: true,
    step: (sum, each) => add(sum, String(each)),
  });
}

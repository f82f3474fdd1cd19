import { type SQL, sql } from 'drizzle-orm';
import type { deposits, transfers } from '../../db/schema/robot.ts';

/** D-19: the rows that make up one balance. Placeholders: `vaspId`, `symbol`, `account`, `tag` (null: none). */
export const atAddress = (table: typeof deposits | typeof transfers): SQL =>
  sql`${table.vaspId} = ${sql.placeholder('vaspId')} AND ${table.symbol} = ${sql.placeholder('symbol')}
    AND ${table.account} = ${sql.placeholder('account')} AND ${table.tag} IS ${sql.placeholder('tag')}`;

import { and, eq, lt } from 'drizzle-orm';
import { type AssetSymbol, nodeHash } from '../contract/assets.ts';
import type { Db } from '../db/open.ts';
import { deleteRows, deleteSome, findRow } from '../db/prepared-statements.ts';
import { submissions } from '../db/schema/robot.ts';
import type { Tx } from '../db/transaction.ts';

export type Submission = typeof submissions.$inferSelect;

/** Undefined: nobody knows. */
export const vaspOf = (db: Db, symbol: AssetSymbol, txHash: string): string | undefined =>
  findRow(db, submissions, { symbol, txHash: nodeHash(symbol, txHash) })?.vaspId;

/** The first submission of a transaction stays. */
export function add(tx: Tx, { symbol, txHash, ...others }: Submission): void {
  const row = { symbol, txHash: nodeHash(symbol, txHash), ...others };
  tx.orm.insert(submissions).values(row).onConflictDoNothing().run();
}

/** At most `limit` of a VASP from before a time. Returns how many. */
export const removeSome = (tx: Tx, vaspId: string, before: number, limit: number): number =>
  deleteSome(tx, submissions, and(eq(submissions.vaspId, vaspId), lt(submissions.at, before)), limit);

export const removeOf = (tx: Tx, vaspId: string) => void deleteRows(tx, submissions, { vaspId });

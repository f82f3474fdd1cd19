import { and, asc, desc, eq, inArray, isNull } from 'drizzle-orm';
import type { ModuleReport } from '../contract/plans.ts';
import type { Db } from '../db/open.ts';
import { runModules, runs } from '../db/schema/plans.ts';
import type { Tx } from '../db/transaction.ts';

export type RunRow = typeof runs.$inferSelect;
export type ModuleRow = typeof runModules.$inferSelect;

/** Older runs of a VASP are deleted: the evidence of a run may take a megabyte. */
const MOST_RUNS = 30;

/** Runs with all their results and evidence. */
export const runStore = (db: Db) => ({
  find: (id: string, vaspId: string): RunRow | undefined =>
    db.orm
      .select()
      .from(runs)
      .where(and(eq(runs.id, id), eq(runs.vaspId, vaspId)))
      .get(),
  /** Newest first. */
  of: (vaspId: string): RunRow[] =>
    db.orm.select().from(runs).where(eq(runs.vaspId, vaspId)).orderBy(desc(runs.startedAt)).all(),
  unfinished: (): RunRow[] => db.orm.select().from(runs).where(isNull(runs.endedAt)).all(),
  modulesOf: (runId: string): ModuleRow[] =>
    db.orm
      .select()
      .from(runModules)
      .where(eq(runModules.runId, runId))
      .orderBy(asc(runModules.position))
      .all(),
  insert(tx: Tx, run: RunRow, modules: readonly ModuleReport[]): void {
    tx.orm.insert(runs).values(run).run();
    modules.forEach((report, position) => {
      tx.orm.insert(runModules).values({ runId: run.id, position, report, memo: null }).run();
    });
  },
  save: (tx: Tx, runId: string, position: number, report: ModuleReport, memo: unknown): void =>
    void tx.orm
      .update(runModules)
      .set({ report, memo })
      .where(and(eq(runModules.runId, runId), eq(runModules.position, position)))
      .run(),
  end: (tx: Tx, runId: string, endedAt: number, isStopped: boolean): void =>
    void tx.orm.update(runs).set({ endedAt, isStopped }).where(eq(runs.id, runId)).run(),
  /** Keeps the newest runs of a VASP, or none. */
  prune(tx: Tx, vaspId: string, keep = MOST_RUNS): void {
    const old = this.of(vaspId)
      .filter(({ endedAt }) => keep === 0 || endedAt !== null)
      .slice(keep)
      .map(({ id }) => id);
    if (old.length === 0) return;
    tx.orm.delete(runModules).where(inArray(runModules.runId, old)).run();
    tx.orm.delete(runs).where(inArray(runs.id, old)).run();
  },
});
export type RunStore = ReturnType<typeof runStore>;

import { and, eq, inArray, lte } from 'drizzle-orm';
import type { ModuleReport, RunRequest } from '../contract/plans.ts';
import { deleteRunHistory } from '../db/history.ts';
import type { Db } from '../db/open.ts';
import { findRow, findRows, insertRow, updateRows } from '../db/prepared-statements.ts';
import { runModules, runs } from '../db/schema/plans.ts';
import type { Tx } from '../db/transaction.ts';
import type { SecretBox } from '../kernel/secrets.ts';

type StoredRun = typeof runs.$inferSelect;
export interface RunRow extends Omit<StoredRun, 'settings'> {
  settings: RunRequest;
}
export type ModuleRow = typeof runModules.$inferSelect;

/** Older runs of a VASP are deleted: the evidence of a run may take a megabyte. */
const MAX_RUNS = 30;

const placeOf = (id: string): string => `${id} settings`;

/** Runs with all their results and evidence. `box`: the settings are stored encrypted. */

export const find = (db: Db, box: SecretBox, id: string, vaspId: string): RunRow | undefined =>
  findRows(db, runs, { id, vaspId }).map(row => opened(row, box))[0];
/** Newest first. */
export const ofVasp = (db: Db, box: SecretBox, vaspId: string): RunRow[] =>
  findRows(db, runs, { vaspId }, 'startedAt')
    .reverse()
    .map(row => opened(row, box));
export const unfinished = (db: Db, box: SecretBox): RunRow[] =>
  findRows(db, runs, { endedAt: null }).map(row => opened(row, box));

/** It is stored and has not ended. */
export const isOpen = (db: Db, id: string): boolean => findRow(db, runs, { id, endedAt: null }) !== undefined;

/** Another VASP is being checked now. */
export const hasOther = (db: Db, vaspId: string): boolean =>
  findRows(db, runs, { endedAt: null }).some(run => run.vaspId !== vaspId);

export const modulesOf = (db: Db, runId: string): ModuleRow[] => findRows(db, runModules, { runId }, 'position');

export function insert(tx: Tx, box: SecretBox, run: RunRow, modules: readonly ModuleReport[]): void {
  const settings = box.seal(JSON.stringify(run.settings), placeOf(run.id));
  insertRow(tx, runs, { ...run, settings });
  modules.forEach((report, position) => {
    insertRow(tx, runModules, { runId: run.id, position, report, memo: null });
  });
}

export const save = (tx: Tx, runId: string, position: number, report: ModuleReport, memo: unknown): void =>
  void updateRows(tx, runModules, { runId, position }, { report, memo });

/** Forgets the customers, and the driver with its token: nothing needs them any more. */
export function end(
  tx: Tx,
  box: SecretBox,
  { id, settings: { customers, driver, ...kept }, endedAt, isStopped, problem, judgedBy, summary }: RunRow,
): void {
  const settings = box.seal(JSON.stringify(kept), placeOf(id));
  updateRows(tx, runs, { id }, { endedAt, isStopped, settings, problem, judgedBy, summary });
}

/** Keeps the newest runs of a VASP, or none. */
export function prune(tx: Tx, vaspId: string, keep = MAX_RUNS): void {
  const all = findRows(tx, runs, { vaspId }, 'startedAt').reverse();
  const old = all.filter(({ endedAt }) => keep === 0 || endedAt !== null).slice(keep);
  remove(
    tx,
    old.map(({ id }) => id),
  );
}

export function remove(tx: Tx, ids: readonly string[]): void {
  for (const id of ids) deleteRunHistory(tx, id);
  tx.orm.delete(runModules).where(inArray(runModules.runId, ids)).run();
  tx.orm.delete(runs).where(inArray(runs.id, ids)).run();
}

/** Ids of the runs of a VASP that ended at a time or before. */
export const endedBy = (db: Db, vaspId: string, at: number): string[] =>
  db.orm
    .select({ id: runs.id })
    .from(runs)
    .where(and(eq(runs.vaspId, vaspId), lte(runs.endedAt, at)))
    .all()
    .map(({ id }) => id);

const opened = ({ settings, ...run }: StoredRun, box: SecretBox): RunRow => ({
  ...run,
  settings: JSON.parse(box.open(settings, placeOf(run.id))) as RunRequest,
});

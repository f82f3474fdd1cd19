import { and, count, eq, gt, min } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { insertRow, updateRows } from '../../db/prepared-statements.ts';
import { trials } from '../../db/schema/tenants.ts';
import { afterCommit, type Tx } from '../../db/transaction.ts';
import { recordBegin, stateful, transition } from '../../db/transition.ts';
import { machine } from '../../kernel/machine.ts';

export type Trial = typeof trials.$inferSelect;
export type TrialStore = ReturnType<typeof trialStore>;

/** The SQL of trials. Those under way are kept in memory too, because every request asks for its quotas. */
export function trialStore(db: Db) {
  const alive = new Map<string, Trial>();
  for (const row of db.orm.select().from(trials).where(eq(trials.status, 'TRIAL')).all()) alive.set(row.vaspId, row);
  return {
    /** Undefined: the VASP is none, or its trial is over. */
    find: (vaspId: string): Trial | undefined => alive.get(vaspId),
    alive: (): Trial[] => [...alive.values()],
    /** Trials that have ended and are not forgotten yet. */
    ended: (): string[] =>
      db.orm
        .select({ vaspId: trials.vaspId })
        .from(trials)
        .where(and(eq(trials.status, 'ENDED'), eq(trials.isForgotten, false)))
        .all()
        .map(({ vaspId }) => vaspId),
    /** Trials that began after `since`, with the time of the first one. */
    ofNetwork: (network: string, since: number): { count: number; first: number | null } =>
      db.orm
        .select({ count: count(), first: min(trials.startedAt) })
        .from(trials)
        .where(and(eq(trials.network, network), gt(trials.startedAt, since)))
        .get()!,
    insert(tx: Tx, values: Omit<typeof trials.$inferInsert, 'status'>, cause: string) {
      const row = insertRow(tx, trials, { ...values, status: 'TRIAL' });
      recordBegin(tx, trialStatus, row, row.startedAt, cause);
      afterCommit(tx, () => alive.set(row.vaspId, row));
    },
    move(tx: Tx, trial: Trial, event: 'claimed' | 'ended', at: number, cause: string) {
      transition(tx, trialStatus, trial, event, { at, cause });
      afterCommit(tx, () => alive.delete(trial.vaspId));
    },
    /** The network may tell of a person. */
    forget(tx: Tx, vaspId: string) {
      updateRows(tx, trials, { vaspId }, { network: '', isForgotten: true });
    },
  };
}

const trialMachine = machine('trial', 'TRIAL', {
  TRIAL: { claimed: 'CLAIMED', ended: 'ENDED' },
  /** It is a VASP like every other one. */
  CLAIMED: {},
  /** It is forgotten. */
  ENDED: {},
});

const trialStatus = stateful({
  machine: trialMachine,
  table: trials,
  key: 'vaspId',
  verificationOf: () => null,
  vaspOf: row => row.vaspId,
});

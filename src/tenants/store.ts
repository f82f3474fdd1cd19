import { setMaxListeners } from 'node:events';
import { and, asc, count, desc, eq, gt, inArray, isNull, lt, lte, min } from 'drizzle-orm';
import type { QuotaName, Quotas } from '../contract/tenancy.ts';
import { allClosing, isClosing } from '../db/closing.ts';
import type { Db } from '../db/open.ts';
import { deleteRows, findRow, insertRow, updateRows, upsertRow } from '../db/prepared-statements.ts';
import { audit, invitations, keys, tenants, trials, usage } from '../db/schema/tenants.ts';
import { afterCommit, groupCommit, type Tx, write } from '../db/transaction.ts';
import { recordBegin, stateful, transition } from '../db/transition.ts';
import { add, subtract } from '../kernel/decimal.ts';
import type { Log } from '../kernel/log.ts';
import { machine } from '../kernel/machine.ts';

type AuditEntry = typeof audit.$inferSelect;
export type AuditStore = ReturnType<typeof auditStore>;

interface AuditPage {
  /** Id of the last entry of the page before. */
  after: number | undefined;
  order: 'oldest' | 'newest';
  limit: number;
  /** Only its own part. */
  vaspId: string | undefined;
}

/** A few at once: others wait meanwhile. */
const BATCH_SIZE = 100;
/** More than a year of ordinary work. What is refused is kept, too. */
const MAX_PER_VASP = 20_000;

/** What most entries have: nobody's key and address, and success. */
const USUAL = { key: null, address: '', outcome: 200 };
type NewEntry = Omit<AuditEntry, 'id' | 'at' | keyof typeof USUAL> & Partial<Pick<AuditEntry, keyof typeof USUAL>>;

/** The SQL of the audit log. Rows are only added, and deleted when their time is over. `now`: epoch ms of the machine. */
export function auditStore(db: Db, log: Log, now: () => number, maxPerVasp = MAX_PER_VASP) {
  /** Entries of each VASP since its oldest ones were removed. */
  const added = new Map<string, number>();
  function removeOldest(tx: Tx, vaspId: string): void {
    const count = (added.get(vaspId) ?? 0) + 1;
    added.set(vaspId, count % BATCH_SIZE);
    if (count < BATCH_SIZE) return;
    const isOf = eq(audit.vaspId, vaspId);
    const newest = tx.orm.select({ id: audit.id }).from(audit).where(isOf).orderBy(desc(audit.id));
    const [last] = newest.limit(1).offset(maxPerVasp).all();
    if (last)
      tx.orm
        .delete(audit)
        .where(and(isOf, lte(audit.id, last.id)))
        .run();
  }
  return {
    /** Committed with the other changes of this turn of the event loop. */
    add(entry: NewEntry) {
      const at = now();
      groupCommit(db, tx => {
        insertRow(tx, audit, { ...USUAL, ...entry, at });
        if (entry.vaspId !== null) removeOldest(tx, entry.vaspId);
      }).catch(error => log.error({ err: String(error), action: entry.action }, 'the audit log could not be written'));
    },
    page: ({ after, order, limit, vaspId }: AuditPage): AuditEntry[] =>
      db.orm
        .select()
        .from(audit)
        .where(
          and(
            after === undefined ? undefined : order === 'newest' ? lt(audit.id, after) : gt(audit.id, after),
            vaspId === undefined ? undefined : eq(audit.vaspId, vaspId),
          ),
        )
        .orderBy(order === 'newest' ? desc(audit.id) : asc(audit.id))
        .limit(limit)
        .all(),
    /** Removes the entries up to a time. Ids ascend with the time. Yields after each few. */
    *removeOld(before: number): Generator<void> {
      const isAfter = gt(audit.id, 0);
      for (;;) {
        const { id, at } = audit;
        const oldest = db.orm.select({ id, at }).from(audit).where(isAfter).orderBy(asc(id)).limit(BATCH_SIZE).all();
        const last = oldest.findLast(entry => entry.at <= before);
        if (!last) return;
        write(db, tx =>
          tx.orm
            .delete(audit)
            .where(and(isAfter, lte(id, last.id)))
            .run(),
        );
        yield;
      }
    },
    /** Addresses and targets may tell of persons. Who did what, and when, stays. */
    forgetDetails(tx: Tx, vaspId: string) {
      updateRows(tx, audit, { vaspId }, { address: '', target: '' });
    },
  };
}

export type Invitation = typeof invitations.$inferSelect;

export const insert = (tx: Tx, row: typeof invitations.$inferInsert): Invitation => insertRow(tx, invitations, row);

/** Not accepted yet; it may be out of date. */
export const findUnused = (db: Db, hash: string): Invitation | undefined =>
  db.orm
    .select()
    .from(invitations)
    .where(and(eq(invitations.hash, hash), isNull(invitations.usedAt)))
    .get();

/** Invitations that are not accepted, oldest first. */
export const unused = (db: Db): Invitation[] =>
  db.orm.select().from(invitations).where(isNull(invitations.usedAt)).orderBy(invitations.id).all();

export function use(tx: Tx, id: number, vaspId: string, usedAt: number): void {
  updateRows(tx, invitations, { id }, { vaspId, usedAt });
}

/** The name of an invitation names its VASP. */
export function forgetNames(tx: Tx, vaspId: string): void {
  updateRows(tx, invitations, { vaspId }, { name: '' });
}

/** The open connections of each key: streams, waiting reads, WebSockets. */
export type OpenConnections = ReturnType<typeof openConnections>;

export function openConnections() {
  const controllers = new Map<string, AbortController>();
  return {
    /** Aborts when the connections of the key are closed. */
    signalOf(key: string): AbortSignal {
      const found = controllers.get(key);
      if (found) return found.signal;
      const controller = new AbortController();
      // Each open connection listens to it.
      setMaxListeners(0, controller.signal);
      controllers.set(key, controller);
      return controller.signal;
    },
    close(key: string): void {
      controllers.get(key)?.abort();
      controllers.delete(key);
    },
  };
}

export type Key = typeof keys.$inferSelect;
export type KeyStore = ReturnType<typeof keyStore>;

/**
 * The SQL of API keys. They are kept in memory too, because every request asks for one. The open connections of a key end
 * with its row.
 */
export function keyStore(db: Db, connections: OpenConnections) {
  const byId = new Map<string, Key>();
  const byHash = new Map<string, Key>();
  const used = new Set<Key>();
  for (const key of db.orm.select().from(keys).all()) remember(key);

  function remember(key: Key): void {
    byId.set(key.id, key);
    byHash.set(key.hash, key);
  }
  function forget(key: Key): void {
    byId.delete(key.id);
    byHash.delete(key.hash);
    used.delete(key);
    connections.close(key.id);
  }

  return {
    find: (id: string): Key | undefined => byId.get(id),
    findByHash: (hash: string): Key | undefined => byHash.get(hash),
    /** Oldest first. */
    ofVasp: (vaspId: string): Key[] =>
      db.orm
        .select({ id: keys.id })
        .from(keys)
        .where(eq(keys.vaspId, vaspId))
        .orderBy(keys.createdAt)
        .all()
        .flatMap(({ id }) => byId.get(id) ?? []),
    insert(tx: Tx, key: Key) {
      insertRow(tx, keys, key);
      afterCommit(tx, () => remember(key));
    },
    setExpiry(tx: Tx, key: Key, expiresAt: number) {
      updateRows(tx, keys, { id: key.id }, { expiresAt });
      afterCommit(tx, () => {
        key.expiresAt = expiresAt;
      });
    },
    remove(tx: Tx, removed: readonly Key[]) {
      const ids = removed.map(({ id }) => id);
      tx.orm.delete(keys).where(inArray(keys.id, ids)).run();
      afterCommit(tx, () => removed.forEach(forget));
    },
    /** In memory; `flush` stores it. */
    noteUse(key: Key, at: number) {
      key.lastUsedAt = at;
      used.add(key);
    },
    /** Stores when the keys were used last. */
    flush() {
      if (used.size === 0) return;
      write(db, tx => {
        for (const { id, lastUsedAt } of used) updateRows(tx, keys, { id }, { lastUsedAt });
        afterCommit(tx, () => used.clear());
      });
    },
    /** Keys whose time is over. */
    expired: (now: number): Key[] => [...byId.values()].filter(key => isOver(key, now)),
  };
}

export const isOver = ({ expiresAt }: Key, now: number): boolean => expiresAt !== null && expiresAt <= now;

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

export type UsageStore = ReturnType<typeof usageStore>;

const DAY_MS = 86_400_000;

/** The SQL of daily quotas. Amounts are decimal text. `now`: epoch milliseconds of the machine. */
export function usageStore(db: Db, now: () => number) {
  const today = () => Math.floor(now() / DAY_MS);

  function usedToday(vaspId: string, quota: QuotaName): string {
    const row = findRow(db, usage, { vaspId, quota });
    return row?.day === today() ? row.used : '0';
  }
  const keep = (tx: Tx, vaspId: string, quota: QuotaName, used: string) =>
    upsertRow(tx, usage, ['vaspId', 'quota'], { vaspId, quota, day: today(), used });

  return {
    usedToday,
    /** When the day is over, epoch milliseconds. */
    freesAt: () => (today() + 1) * DAY_MS,
    /** Returns what gives it back. That does nothing when the day is over. */
    spend(tx: Tx, vaspId: string, quota: QuotaName, amount: string): (tx: Tx) => void {
      const day = today();
      keep(tx, vaspId, quota, add(usedToday(vaspId, quota), amount));
      return later => {
        if (today() === day) keep(later, vaspId, quota, subtract(usedToday(vaspId, quota), amount));
      };
    },
    removeOf(tx: Tx, vaspId: string) {
      deleteRows(tx, usage, { vaspId });
    },
  };
}

export type Tenant = typeof tenants.$inferSelect;
export type TenantStore = ReturnType<typeof tenantStore>;

/** The SQL of tenants: VASPs of the hosted mode. Every request asks for one, so they are kept in memory too. */
export function tenantStore(db: Db) {
  const byId = new Map<string, Tenant>();
  for (const row of db.orm.select().from(tenants).all()) byId.set(row.vaspId, row);

  return {
    find: (vaspId: string): Tenant | undefined => byId.get(vaspId),
    /** VASPs that are neither closing nor forgotten, in the order of their registration. */
    all(): Tenant[] {
      const closing = new Set(allClosing(db));
      return [...byId.values()].filter(({ vaspId }) => !closing.has(vaspId)).sort(inOrder);
    },
    /** It is being forgotten. */
    isClosing: (vaspId: string): boolean => byId.get(vaspId)?.forgottenAt === null && isClosing(db, vaspId),
    /** Those that are being forgotten. */
    closing: (): string[] => allClosing(db).filter(vaspId => byId.get(vaspId)?.forgottenAt === null),
    insert(tx: Tx, vaspId: string, registeredAt: number) {
      const row = insertRow(tx, tenants, { vaspId, registeredAt, quotas: {} });
      afterCommit(tx, () => byId.set(vaspId, row));
    },
    save(tx: Tx, row: Tenant) {
      upsertRow(tx, tenants, ['vaspId'], row);
      afterCommit(tx, () => byId.set(row.vaspId, row));
    },
    change(tx: Tx, vaspId: string, values: Partial<Omit<Tenant, 'vaspId'>>) {
      updateRows(tx, tenants, { vaspId }, values);
      const changed = { ...byId.get(vaspId)!, ...values };
      afterCommit(tx, () => byId.set(vaspId, changed));
    },
    quotasOf: (vaspId: string): Partial<Quotas> => byId.get(vaspId)?.quotas ?? {},
  };
}

/** Several may register in one millisecond. */
export const inOrder = (one: Tenant, other: Tenant): number =>
  one.registeredAt - other.registeredAt || (one.vaspId < other.vaspId ? -1 : Number(one.vaspId !== other.vaspId));

import { eq, inArray } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { insertRow, updateRows } from '../db/prepared-statements.ts';
import { keys } from '../db/schema/tenants.ts';
import { afterCommit, type Tx, write } from '../db/transaction.ts';
import type { OpenConnections } from './open-connections.ts';

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

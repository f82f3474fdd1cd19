import type { Store } from './store.ts';

/** The stored value, or `first()` stored now. */
export function kept(store: Store, name: string, first: () => string): string {
  store.run('INSERT OR IGNORE INTO settings VALUES (?, ?)', name, first());
  return store.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', name).value;
}

/** The newest address on which it listened. */
export const keepAddress = (store: Store, url: string): boolean =>
  store.run("INSERT OR REPLACE INTO settings VALUES ('url', ?)", url);

export const removeAddress = (store: Store): boolean => store.run("DELETE FROM settings WHERE name = 'url'");

export const address = (store: Store): string | undefined =>
  store.get<{ value: string } | undefined>("SELECT value FROM settings WHERE name = 'url'")?.value;

import { systemClock } from '../kernel/clock.ts';
import { lockFolder } from './folder-lock.ts';
import { awaitLease, holdLease, type LeaseLost } from './lease.ts';
import { type Db, makeFolderOf, migrated, openFile } from './open.ts';
import { noticeCopy, refuseUnfinishedRestore } from './restored-mark.ts';

/**
 * Like `openDb`, for this process alone: it takes the lock of the folder and the lease of the database, and marks a copy as
 * restored. `onLost` is called when another machine has taken over the lease. Closing releases both.
 */
export async function openOwnDb(
  path: string,
  holder: string,
  onLost: (error: LeaseLost) => void,
): Promise<Db> {
  makeFolderOf(path);
  const lock = lockFolder(path);
  try {
    refuseUnfinishedRestore(path);
    const sqlite = openFile(path);
    await awaitLease(sqlite);
    const db = migrated(sqlite, path);
    noticeCopy(sqlite, path, systemClock.now());
    const lease = holdLease(db, holder, onLost);
    const close = () => {
      lease.release();
      sqlite.close();
      lock.release();
    };
    return Object.assign(db, { close });
  } catch (error) {
    lock.release();
    throw error;
  }
}

import { systemClock } from '../kernel/clock.ts';
import { lockFolder } from './folder-lock.ts';
import { type Db, explained, makeFolderOf, migrated, openFile, refuseNoFile } from './open.ts';
import { noticeCopy, refuseUnfinishedRestore } from './restored-mark.ts';

/** Like `openDb`, for this process only: it takes the lock of the folder, and marks a copy as restored. Closing releases it. */
export function openOwnDb(path: string): Db {
  refuseNoFile(path);
  makeFolderOf(path);
  const lock = lockFolder(path);
  try {
    refuseUnfinishedRestore(path);
    const sqlite = openFile(path);
    const db = migrated(sqlite, path);
    explained(path, () => noticeCopy(sqlite, path, systemClock.now()));
    const close = () => {
      sqlite.close();
      lock.release();
    };
    return Object.assign(db, { close });
  } catch (error) {
    lock.release();
    throw error;
  }
}

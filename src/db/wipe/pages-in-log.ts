import { closeSync, openSync, readSync } from 'node:fs';

const HEADER = 32;
const FRAME_HEADER = 24;
const SALTS_AT = 16;
const FRAME_SALTS_AT = 8;
const SALTS = 8;

export interface PagesInLog {
  read(): ReadonlySet<number>;
  close(): void;
}

/**
 * The pages whose newest content stands in the write-ahead log, or may stand there. It remembers what it has read: the log
 * grows until it begins anew with other salts.
 */
export function pagesInLog(path: string, pageSize: number): PagesInLog {
  // SQLite locks the database and its shared memory, never the log: to close it releases no lock.
  const file = openSync(`${path}-wal`, 'r');
  const header = Buffer.alloc(HEADER);
  const frame = Buffer.alloc(FRAME_HEADER);
  let salts = Buffer.alloc(0);
  let readTo = HEADER;
  let pages = new Set<number>();
  return {
    read() {
      const isEmpty = readSync(file, header, 0, HEADER, 0) < HEADER;
      const current = isEmpty ? Buffer.alloc(0) : Buffer.from(header.subarray(SALTS_AT, SALTS_AT + SALTS));
      if (isEmpty || !current.equals(salts)) {
        salts = current;
        readTo = HEADER;
        pages = new Set();
      }
      for (; !isEmpty; readTo += FRAME_HEADER + pageSize) {
        if (readSync(file, frame, 0, FRAME_HEADER, readTo) < FRAME_HEADER) break;
        if (!frame.subarray(FRAME_SALTS_AT, FRAME_SALTS_AT + SALTS).equals(salts)) break;
        pages.add(frame.readUInt32BE(0));
      }
      return pages;
    },
    close: () => closeSync(file),
  };
}

import { elapsedMs } from '../../kernel/clock.ts';
import { sleep } from '../../kernel/interval.ts';
import type { Db } from '../open.ts';
import { type FreePages, freePages } from './free-pages.ts';
import { type PageFile, pageFile } from './page-file.ts';
import { type PagesInLog, pagesInLog } from './pages-in-log.ts';
import { zero, zeroUnused } from './unused-bytes.ts';

/** Others have their turn between two parts. */
const PART_MS = 10;
const PAUSE_MS = 10;
const PAGES_AT_ONCE = 256;
/** Another program that reads the database keeps its log from being cut. To try it stops everybody for a moment. */
const TRY_AGAIN_MS = 1_000;
const PATIENCE_MS = 30_000;
/** From here on a page number may begin like a b-tree page. */
const MOST_PAGES = 2 ** 25;

/**
 * Fills with zeros what deleted rows have left in the files of the database, part by part. They were deleted while
 * `deleteWithoutTraces` holds, so that their own places are zeros: what is left are copies that SQLite made when it moved
 * rows, and the log. SQLite itself has `VACUUM` alone for this, which stops all writers for the whole time.
 *
 * Zeros go straight into the file, where SQLite reads nothing. This process is the only writer, and a part is one turn of
 * the event loop. Pages in the log come last, after it was cut. False: it could not be cut for 30 s, or the database was
 * closed.
 */
export async function wipe({ sqlite }: Db): Promise<boolean> {
  if (sqlite.memory) return true;
  const file = pageFile(sqlite);
  if (file.count >= MOST_PAGES) throw new RangeError('the database is too large to be wiped: run VACUUM');
  const log = pagesInLog(sqlite.name, file.size);
  const endPart = async (pauseMs = PAUSE_MS) => {
    file.makeSqliteReadAgain();
    await sleep(pauseMs);
    return sqlite.open;
  };
  try {
    const later = new Set<number>();
    for (let next = 1; next <= file.count; ) {
      next = wipeFrom(next, file, log, later);
      if (!(await endPart())) return false;
    }
    let isFirst = true;
    for (const startedAt = elapsedMs(); isFirst || later.size > 0; ) {
      sqlite.pragma('wal_checkpoint(TRUNCATE)');
      const isCut = log.read().size === 0;
      if (!isCut && elapsedMs() - startedAt > PATIENCE_MS) return false;
      if (isCut) {
        const free = freePages(file.read);
        // Pages that become free later are zeros.
        if (isFirst) for (const number of [...free.leaves, ...free.trunks.keys()]) later.add(number);
        isFirst = false;
        wipeLater(later, file, free);
      }
      if (!(await endPart(isCut ? PAUSE_MS : TRY_AGAIN_MS))) return false;
    }
    await file.sync();
    return true;
  } finally {
    log.close();
  }
}

/** Wipes b-tree pages from `first` on, and adds those in the log to `later`. Answers the number of the next page. */
function wipeFrom(first: number, file: PageFile, log: PagesInLog, later: Set<number>): number {
  const startedAt = elapsedMs();
  const inLog = log.read();
  const pages = Buffer.alloc(PAGES_AT_ONCE * file.size);
  let next = first;
  while (next <= file.count && elapsedMs() - startedAt < PART_MS) {
    const wanted = Math.min(PAGES_AT_ONCE, file.count + 1 - next);
    const found = file.readFrom(next, pages.subarray(0, wanted * file.size));
    for (let i = 0; i < found; i++, next++) {
      const page = pages.subarray(i * file.size, (i + 1) * file.size);
      if (inLog.has(next)) later.add(next);
      else if (zeroUnused(page, next)) file.store(next, page);
    }
    // The rest was never copied from the log.
    if (found < wanted) for (; next <= file.count; next++) later.add(next);
  }
  return next;
}

/** The log is empty. */
function wipeLater(later: Set<number>, file: PageFile, free: FreePages): void {
  const startedAt = elapsedMs();
  for (const number of later) {
    if (elapsedMs() - startedAt > PART_MS) return;
    const page = file.read(number);
    if (wipePage(page, number, free)) file.store(number, page);
    later.delete(number);
  }
}

function wipePage(page: Buffer, number: number, { leaves, trunks }: FreePages): boolean {
  if (leaves.has(number)) return zero(page, 0, page.length);
  const end = trunks.get(number);
  return end === undefined ? zeroUnused(page, number) : zero(page, end, page.length);
}

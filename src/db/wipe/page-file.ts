import { fsync, openSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Db } from '../open.ts';

export type PageFile = ReturnType<typeof pageFile>;

/** One for each database, never closed: to close a file releases SQLite's locks of it. */
const files = new Map<string, number>();
function fileOf(path: string): number {
  const file = files.get(path) ?? openSync(path, 'r+');
  files.set(path, file);
  return file;
}

/** The pages of a database in its file. The first one has the number 1. */
export function pageFile(sqlite: Db['sqlite']) {
  const numberOf = (name: string) => Number(sqlite.pragma(name, { simple: true }));
  const size = numberOf('page_size');
  const file = fileOf(sqlite.name);
  let isChanged = false;
  return {
    size,
    count: numberOf('page_count'),
    /** Fills `pages` from page `first` on. Answers the number of pages. */
    readFrom: (first: number, pages: Buffer): number =>
      Math.floor(readSync(file, pages, 0, pages.length, (first - 1) * size) / size),
    read(number: number): Buffer {
      const page = Buffer.alloc(size);
      readSync(file, page, 0, size, (number - 1) * size);
      return page;
    },
    store(number: number, page: Buffer): void {
      writeSync(file, page, 0, size, (number - 1) * size);
      isChanged = true;
    },
    /** SQLite has pages in memory as they were. */
    makeSqliteReadAgain(): void {
      if (isChanged) sqlite.pragma('shrink_memory');
      isChanged = false;
    },
    sync: (): Promise<void> => promisify(fsync)(file),
  };
}

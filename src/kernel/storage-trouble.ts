/** The database cannot be used now: the disk is full, another process has locked it, or the disk fails. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
  /** True: another process has locked the database, so the trouble may end at once. */
  readonly isLocked: boolean;
  constructor(why: string, isLocked: boolean, cause: unknown) {
    super(why, { cause });
    this.isLocked = isLocked;
  }
}

const REASONS: readonly [code: RegExp, why: string][] = [
  [/^SQLITE_(BUSY|LOCKED)/, 'another process has locked the database'],
  [/^SQLITE_FULL/, 'the disk of the database is full'],
  [/^SQLITE_(READONLY|CANTOPEN|PERM)/, 'the database cannot be written'],
  [/^SQLITE_IOERR/, 'the disk refuses to read or write the database'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'the database file is damaged'],
];

/** The trouble behind an error of the database. Undefined: the error has another cause. */
export function storageTrouble(error: unknown): StorageUnavailable | undefined {
  if (error instanceof StorageUnavailable) return error;
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  const [match, why] = REASONS.find(([each]) => each.test(code)) ?? [];
  return match && new StorageUnavailable(why!, match === REASONS[0]![0], error);
}

import { afterAll, beforeAll } from 'vitest';

/** What the tests of a file or a block share. It has its members from the first of these tests on, and ends after the last. */
export function openOnce<T extends object & { close?(): unknown }>(
  open: () => T | Promise<T>,
  end = (opened: T): unknown => opened.close?.(),
): T {
  const opened: Partial<T> = {};
  beforeAll(async () => void Object.assign(opened, await open()));
  afterAll(() => end(opened as T));
  return opened as T;
}

import { afterAll, beforeAll } from 'vitest';

/** What the tests of a file or a block share. It has its members from the first of these tests on, and is closed after the last. */
export function openOnce<T extends { close(): unknown }>(open: () => Promise<T>): T {
  const opened: Partial<T> = {};
  beforeAll(async () => void Object.assign(opened, await open()));
  afterAll(() => opened.close?.());
  return opened as T;
}

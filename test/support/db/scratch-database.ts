import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder of this test file's own, removed at its end. Answers paths inside it. */
export function scratchDatabase(): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'robot-vasp-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return name => join(folder, name);
}

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/**
 * Answers paths inside a folder of this test file, which is removed at its end. Each name has a folder of its own: a
 * program locks its folder.
 */
export function scratchDatabase(): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'robot-vasp-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return name => {
    const own = join(folder, name.replaceAll('/', '-'));
    mkdirSync(own, { recursive: true });
    return join(own, name);
  };
}

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from './scratch-folder.ts';

/**
 * Answers paths inside a folder of this test file, which is removed at its end. Each name has a folder of its own: a
 * program locks its folder.
 */
export function scratchDatabase(): (name: string) => string {
  const folder = scratchFolder();
  return name => {
    const own = join(folder, name.replaceAll('/', '-'));
    mkdirSync(own, { recursive: true });
    return join(own, name);
  };
}

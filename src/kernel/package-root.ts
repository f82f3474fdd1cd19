import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds `drizzle/` and `fixtures/`, whether we run from `src/` or from the bundle. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'drizzle'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('the folder drizzle/ of the package is missing');
    folder = parent;
  }
  return folder;
}

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A file that the build makes beside the bundle. From `src/` there is none. */
export function builtFile(name: string): Buffer | undefined {
  try {
    return readFileSync(fileURLToPath(new URL(`./${name}`, import.meta.url)));
  } catch {
    return undefined;
  }
}

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../paths.ts';

const CLI = join(ROOT, 'dist/cli.js');
let isCurrent = false;

/** Path of the built program. Throws where the build is missing or older than `src/`. */
export function builtCli(): string {
  isCurrent ||= newest(join(ROOT, 'src')) <= changedAt(CLI);
  if (!isCurrent) throw new Error('dist/ is missing or older than src/. Run: npm run build');
  return CLI;
}

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const newest = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((latest, { parentPath, name }) => Math.max(latest, changedAt(join(parentPath, name))), 0);

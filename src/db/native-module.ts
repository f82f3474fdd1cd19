import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { StartProblem } from '../kernel/start-problem.ts';

/** Only modules that were compiled for Node.js 24.19 or newer call this function. */
const REMOVES_HOOKS = 'RemoveEnvironmentCleanupHook';

/**
 * Node.js 24.19 to 24.21 abort as soon as they free a query of a SQLite module that was compiled for them
 * (https://github.com/nodejs/node/issues/65446). A module compiled for another 24 works. Throws `StartProblem`.
 */
export function refuseAbortingModule(version = process.versions.node, file = moduleFile): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major !== 24 || minor < 19 || minor > 21 || !readFileSync(file()).includes(REMOVES_HOOKS)) return;
  throw new StartProblem(
    `Node.js ${version} aborts with the SQLite module that was compiled for it (nodejs/node issue 65446): use Node.js 26, or 24.18, and run "npm rebuild better-sqlite3".`,
  );
}

const moduleFile = () =>
  createRequire(import.meta.url).resolve('better-sqlite3/build/Release/better_sqlite3.node');

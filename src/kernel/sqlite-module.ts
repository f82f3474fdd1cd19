import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { StartProblem } from './program.ts';
import { COMPILED, rebuildCommand } from './sqlite-build.ts';

/** Only modules that were compiled for Node.js 24.19 or newer call this function. */
const REMOVES_HOOKS = 'RemoveEnvironmentCleanupHook';
const require = createRequire(import.meta.url);
let isUsable = false;

/** Opens a database. Throws `StartProblem`, with the command that helps, where the native module cannot be loaded. */
export function openSqlite(path: string | Buffer, options?: Sqlite.Options): Sqlite.Database {
  requireModule();
  return new Sqlite(path, options);
}

function requireModule(): void {
  if (isUsable) return;
  if (isCompiled()) refuseAbortingModule();
  try {
    new Sqlite(':memory:').close();
  } catch (error) {
    const problem = problemOf(error as NodeJS.ErrnoException & { tries?: unknown });
    throw problem === undefined ? error : new StartProblem(problem, { cause: error });
  }
  isUsable = true;
}

function isCompiled(): boolean {
  try {
    return require(COMPILED) === Sqlite;
  } catch {
    return false;
  }
}

/**
 * Node.js 24.19 to 24.21 abort as soon as they free a query of a SQLite module that was compiled for them
 * (https://github.com/nodejs/node/issues/65446). A module compiled for another 24 works. Throws `StartProblem`.
 */
export function refuseAbortingModule(version = process.versions.node, file = moduleFile): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major !== 24 || minor < 19 || minor > 21 || !bytesOf(file()).includes(REMOVES_HOOKS)) return;
  throw new StartProblem(
    `Node.js ${version} aborts with the SQLite module that was compiled for it (nodejs/node issue 65446): use Node.js 26, or 24.18, and run ${rebuildCommand(packageFolder())}.`,
  );
}

const packageFolder = () => dirname(require.resolve(`${COMPILED}/package.json`));
const moduleFile = () => join(packageFolder(), 'build/Release/better_sqlite3.node');

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

function problemOf({ code, message, tries }: NodeJS.ErrnoException & { tries?: unknown }): string | undefined {
  const command = rebuildCommand(packageFolder());
  if (tries !== undefined)
    return `The SQLite module was not built, because the install scripts were left out: run ${command}.`;
  if (code !== 'ERR_DLOPEN_FAILED') return undefined;
  const [, built, ours] = /NODE_MODULE_VERSION (\d+).*NODE_MODULE_VERSION (\d+)/s.exec(message) ?? [];
  if (built)
    return `The SQLite module was built for another Node.js (module version ${built}, this is ${ours}): run ${command}.`;
  return `The SQLite module cannot be loaded on this system (${message.split('\n')[0]}): run ${command}.`;
}

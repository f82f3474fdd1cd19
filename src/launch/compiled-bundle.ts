import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { later, ticker } from '../kernel/clock.ts';
import { COMPILED, COMPILERS, opensDatabase, projectOf, sqlitePackage } from '../kernel/sqlite-build.ts';

/** The functions of the start have run by then. */
const STARTED_MS = 2_000;
const CHECKSUM_BYTES = 4;

/**
 * Loads a CommonJS bundle. The compiled functions are kept in the folder `compiled` beside it, because to compile them
 * takes half of every start. `use`: each way to use the bundle runs other functions.
 */
export function loadCompiled<T>(file: string, use: string): T {
  const require = createRequire(file);
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env;
  if (NODE_DISABLE_COMPILE_CACHE || process.sourceMapsEnabled) return require(file) as T;
  const bytes = readFileSync(file);
  const code = bytes.toString('latin1');
  const key = checksum(bytes);
  const path = join(NODE_COMPILE_CACHE || join(dirname(file), 'compiled'), fileName(file, use));
  const cachedData = keptFor(key, path);
  const script = new Script(Module.wrap(code), { filename: file, ...(cachedData ? { cachedData } : {}) });
  if (!cachedData || script.cachedDataRejected) keepLater(script, key, path);
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, file, dirname(file));
  return module.exports as T;
}

function fileName(file: string, use: string): string {
  const { version, arch, execArgv, env } = process;
  const place = JSON.stringify([file, use, version, arch, execArgv, env.NODE_OPTIONS]);
  return createHash('sha1').update(place).digest('hex');
}

function checksum(bytes: Buffer): Buffer {
  const written = Buffer.alloc(CHECKSUM_BYTES);
  written.writeUInt32BE(crc32(bytes));
  return written;
}

/** Undefined: of other code, or not whole. */
function keptFor(key: Buffer, path: string): Buffer | undefined {
  try {
    const kept = readFileSync(path);
    const data = kept.subarray(2 * CHECKSUM_BYTES);
    return kept.subarray(0, 2 * CHECKSUM_BYTES).equals(Buffer.concat([key, checksum(data)])) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Short commands end before. */
function keepLater(script: Script, key: Buffer, path: string): void {
  const keep = () => {
    cancel();
    process.off('exit', keep);
    try {
      mkdirSync(dirname(path), { recursive: true });
      const unfinished = `${path}.${process.pid}`;
      const data = script.createCachedData();
      writeFileSync(unfinished, Buffer.concat([key, checksum(data), data]));
      renameSync(unfinished, path);
    } catch {
      // A read-only folder: every start compiles.
    }
  };
  const cancel = later(STARTED_MS, keep);
  process.once('exit', keep);
}

/** In the cache of npm. What npx has fetched lies below, in folders that belong to no project. */
const OF_NPX = `${sep}_npx${sep}`;

/**
 * What to do where SQLite is not installed for the bundle `file`. The package is optional, because npx shows nothing where
 * the build of another one fails.
 */
export function missingSqlite(file: string): string | undefined {
  if (isInstalled(file)) return undefined;
  const command = `npm install --include=optional --prefix '${folderOf(file)}'`;
  return `SQLite is not installed. No prebuilt module could be fetched, and to compile it needs ${COMPILERS}. Then run ${command}.`;
}

/** Like `missingSqlite`. Below npx it builds SQLite first: npm may have left it out, or built it for another Node.js. */
export async function provideSqlite(file: string, print: (line: string) => void): Promise<string | undefined> {
  if (!file.includes(OF_NPX) || isUsable(file)) return missingSqlite(file);
  const progress = ticker(`SQLite is built for Node.js ${process.versions.node}, only once`, print);
  await build(file);
  progress.stop();
  if (isUsable(file)) return undefined;
  return `SQLite cannot be built. No prebuilt module could be fetched, and to compile it needs ${COMPILERS}. Install them, and repeat the command. What the build prints: npm install --foreground-scripts --prefix '${folderOf(file)}'`;
}

/** Where npm has put the package, or the package itself: a clone. */
const folderOf = (file: string): string =>
  file.includes(`${sep}node_modules${sep}`) ? projectOf(file) : dirname(dirname(file));

/** Node.js remembers what it could not resolve: first it is looked for. Yarn keeps packages in no folder. */
function isInstalled(file: string): boolean {
  const require = createRequire(file);
  if (sqlitePackage(require) !== COMPILED) return true;
  const folders = require.resolve.paths(COMPILED) ?? [];
  if (folders.some(each => existsSync(join(each, COMPILED)))) return true;
  return process.versions.pnp !== undefined && isResolved(require);
}

function isResolved(require: NodeJS.Require): boolean {
  try {
    return require.resolve(COMPILED) !== '';
  } catch {
    return false;
  }
}

function isUsable(file: string): boolean {
  const require = createRequire(file);
  return isInstalled(file) && opensDatabase(require, sqlitePackage(require));
}

/** npm 12 runs only the scripts that are allowed. npm fetches and builds what is not there. */
async function build(file: string): Promise<void> {
  await npm(file, 'pkg', 'set', `allowScripts.${COMPILED}=true`, '--json');
  rmSync(join(folderOf(file), 'node_modules', COMPILED), { recursive: true, force: true });
  await npm(file, 'install', '--include=optional', '--ignore-scripts=false');
}

async function npm(file: string, ...argv: string[]): Promise<void> {
  const running = spawn('npm', [...argv, '--prefix', folderOf(file)], { stdio: 'ignore' });
  await once(running, 'close').catch(() => {});
}

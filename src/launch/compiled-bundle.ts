import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { later } from '../kernel/interval.ts';

/** The functions of the start have run by then. */
const STARTED_MS = 2_000;
const KEY_BYTES = 20;

/**
 * Loads a CommonJS bundle. The compiled functions are kept in the folder `compiled` beside it, because to compile them
 * takes half of every start. `use`: each way to use the bundle runs other functions.
 */
export function loadCompiled<T>(file: string, use: string): T {
  const require = createRequire(file);
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env;
  if (NODE_DISABLE_COMPILE_CACHE || process.sourceMapsEnabled) return require(file) as T;
  const code = readFileSync(file, 'latin1');
  const key = keyOf(file);
  const path = join(NODE_COMPILE_CACHE || join(dirname(file), 'compiled'), fileName(file, use));
  const cachedData = keptFor(key, path);
  const script = new Script(Module.wrap(code), { filename: file, ...(cachedData ? { cachedData } : {}) });
  if (!cachedData || script.cachedDataRejected) keepLater(script, key, path);
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, file, dirname(file));
  return module.exports as T;
}

/** Faster than a digest of all bytes. Packages of npm all have the same time of change, but not the same `ctime`. */
function keyOf(file: string): Buffer {
  const { size, ino, mtimeMs, ctimeMs } = statSync(file);
  return digest([size, ino, mtimeMs, ctimeMs]);
}

function fileName(file: string, use: string): string {
  const { version, arch, execArgv, env } = process;
  return digest([file, use, version, arch, execArgv, env.NODE_OPTIONS]).toString('hex');
}

const digest = (values: readonly unknown[]): Buffer =>
  createHash('sha1').update(JSON.stringify(values)).digest();

function keptFor(key: Buffer, path: string): Buffer | undefined {
  try {
    const kept = readFileSync(path);
    return kept.subarray(0, KEY_BYTES).equals(key) ? kept.subarray(KEY_BYTES) : undefined;
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
      writeFileSync(unfinished, Buffer.concat([key, script.createCachedData()]));
      renameSync(unfinished, path);
    } catch {
      // A folder for reading alone: every start compiles.
    }
  };
  const cancel = later(STARTED_MS, keep);
  process.once('exit', keep);
}

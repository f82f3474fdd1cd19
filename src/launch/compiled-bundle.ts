import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { later } from '../kernel/clock.ts';

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

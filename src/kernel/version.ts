import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { packageRoot } from './package-root.ts';

export const version = (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string })
  .version;

/** Tells the builds of one version apart: the checksum of the bundle. A program that was not built has none. */
export function build(): string {
  try {
    return crc32(readFileSync(join(packageRoot(), 'dist', 'cli.cjs')))
      .toString(16)
      .padStart(8, '0');
  } catch {
    return 'none';
  }
}

/** For the header `User-Agent` of every call that the program makes. */
export const USER_AGENT = `robot-vasp/${version}`;

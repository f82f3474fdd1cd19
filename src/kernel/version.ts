import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

export const version = (
  JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }
).version;

/** For the header `User-Agent` of every call that the program makes. */
export const USER_AGENT = `robot-vasp/${version}`;

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/paths.ts';

const LITESTREAM = 'github.com/benbjohnson/litestream/cmd/litestream@latest';
const BUILT = join(ROOT, 'node_modules/.cache/litestream');

/** Before all tests: HAProxy is there, and Litestream is there or is built by Go. */
export default function setup(): void {
  if (!runs('haproxy', '-v')) throw new Error('haproxy is missing: apt-get install haproxy');
  process.env.LITESTREAM = litestream();
}

function litestream(): string {
  const given = process.env.LITESTREAM ?? 'litestream';
  if (runs(given, 'version')) return given;
  const built = join(BUILT, 'litestream');
  if (existsSync(built)) return built;
  if (!runs('go', 'version'))
    throw new Error(`litestream is missing: install Go, or set LITESTREAM to the program (go install ${LITESTREAM})`);
  execFileSync('go', ['install', LITESTREAM], { env: { ...process.env, GOBIN: BUILT }, stdio: 'inherit' });
  return built;
}

function runs(program: string, argument: string): boolean {
  try {
    execFileSync(program, [argument], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

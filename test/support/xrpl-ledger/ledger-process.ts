import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';

const root = new URL('../../..', import.meta.url).pathname;
const ENTRY = `
import { systemClock } from './src/kernel/clock.ts';
import { silentLog } from './src/kernel/log.ts';
import { parseArgs } from 'node:util';
import { SERVE_OPTIONS, serveXrplLedger } from './src/devnet/xrpl/serve.ts';
const start = async () =>
  serveXrplLedger(parseArgs({ options: SERVE_OPTIONS }).values, { clock: systemClock, log: silentLog });
start().then(
  ({ url, close }) => {
    process.once('SIGTERM', () => close());
    console.log(url);
  },
  error => { console.error(String(error)); process.exit(1); },
);`;

export interface LedgerProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Ends it with this signal and answers its exit code (null: killed). */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
}

/** A folder of one test, with the ledger's program in it. */
export async function ledgerProgram() {
  const folder = mkdtempSync(join(tmpdir(), 'xrpl-ledger-'));
  const program = join(folder, 'ledger.cjs');
  await build({
    stdin: { contents: ENTRY, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile: program,
    external: ['better-sqlite3'],
    // The program lies in a temporary folder, but packages are looked up from here.
    define: { 'import.meta.url': JSON.stringify(import.meta.url) },
    logLevel: 'error',
  });
  const running = new Set<ChildProcess>();
  return {
    database: join(folder, 'ledger.sqlite'),
    async start(...options: string[]): Promise<LedgerProcess> {
      const env = { ...process.env, NODE_PATH: join(root, 'node_modules') };
      const child = spawn(process.execPath, [program, '--port', '0', ...options], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      running.add(child);
      const ended = once(child, 'exit').then(([code]) => {
        running.delete(child);
        return code as number | null;
      });
      const [line] = await Promise.race([
        once(createInterface({ input: child.stdout }), 'line'),
        once(createInterface({ input: child.stderr }), 'line').then(([text]) => {
          throw new Error(String(text));
        }),
      ]);
      const url = /ws:\S+/.exec(String(line))?.[0] ?? '';
      return {
        url,
        child,
        end: signal => {
          child.kill(signal);
          return ended;
        },
      };
    },
    async remove(): Promise<void> {
      const gone = [...running].map(child => once(child, 'exit'));
      for (const child of running) child.kill('SIGKILL');
      await Promise.all(gone);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

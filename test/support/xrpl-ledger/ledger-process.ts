import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = new URL('../../../dist/cli.js', import.meta.url).pathname;

export interface LedgerProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Ends it with this signal and answers its exit code (null: killed). */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
}

/** A folder of one test for the ledger's program. */
export function ledgerProgram() {
  const folder = mkdtempSync(join(tmpdir(), 'xrpl-ledger-'));
  const running = new Set<ChildProcess>();
  return {
    database: join(folder, 'ledger.sqlite'),
    async start(...options: string[]): Promise<LedgerProcess> {
      const child = spawn(process.execPath, [PROGRAM, 'ledger', '--port', '0', ...options], {
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

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { builtCli } from '../process/build.ts';

export interface Server {
  /** ws:// */
  readonly url: string;
  /** `host:port/path` for `fundWallet`; undefined: this server has no faucet that is known. */
  readonly faucet: string | undefined;
  close(): Promise<void>;
}

/** `XRPL_URL` puts another server in place of ours, which has then to be running. */
export const isForeign = process.env.XRPL_URL !== undefined;

/** The server under test: the one at `XRPL_URL`, else `robot-vasp ledger` as a process of its own. */
export function openServer(...options: string[]): Promise<Server> {
  const { XRPL_URL: url, XRPL_FAUCET: faucet } = process.env;
  if (url !== undefined) return Promise.resolve({ url, faucet, close: async () => {} });
  return startLedger('--close-interval', '0', ...options);
}

export async function startLedger(...options: string[]): Promise<Server & { child: ChildProcess }> {
  const child = spawn(process.execPath, [builtCli(), 'ledger', '--port', '0', ...options], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text)),
    exited.then(([code]) => Promise.reject(new Error(`robot-vasp ledger ended with ${code}`))),
  ]);
  const url = /ws:\S+/.exec(line)?.[0] ?? '';
  return {
    url,
    faucet: `${new URL(url).host}/accounts`,
    child,
    async close() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

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

export interface LedgerProcess extends Server {
  readonly child: ChildProcess;
  stderr(): string;
  /** Its exit code; null: killed. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export async function startLedger(...options: string[]): Promise<LedgerProcess> {
  const child = spawn(process.execPath, [builtCli(), 'ledger', '--port', '0', ...options], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', chunk => {
    errors += chunk;
  });
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(code => Promise.reject(new Error(`robot-vasp ledger ended with ${code}: ${errors}`))),
  ]);
  const url = /ws:\S+/.exec(String(line))?.[0] ?? '';
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exited;
  };
  return {
    url,
    faucet: `${new URL(url).host}/accounts`,
    child,
    stderr: () => errors,
    end,
    close: async () => void (await end('SIGTERM')),
  };
}

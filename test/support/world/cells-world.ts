import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Client, client } from '../../../src/client/client.ts';
import { ROOT } from '../paths.ts';
import { freePort, type Program, program } from '../process/program.ts';
import { until } from '../until.ts';
import { HOSTED, OPERATOR_KEY } from './hosted-world.ts';

const CONFIGURATION = join(ROOT, 'dist/deploy/haproxy.cfg');

export const CELLS = ['a', 'b', 'c'] as const;
export type Cell = (typeof CELLS)[number];

/** Three cells of the built program behind HAProxy with the shipped configuration. */
export interface CellsWorld {
  /** Of HAProxy. */
  url: string;
  cells: ReadonlyMap<Cell, Program>;
  /** The operator names the cell, because an operator's key has none. */
  operator(cell: Cell): Client;
  register(cell: Cell, more?: object): Promise<{ vaspId: string; apiKey: string }>;
  /** The status of a request with this key; 503 while the cell is away. */
  statusOf(apiKey: string, at?: string): Promise<number>;
  close(): Promise<void>;
}

export async function createCellsWorld(env: Record<string, string> = {}): Promise<CellsWorld> {
  const cells = new Map<Cell, Program>();
  for (const name of CELLS) {
    const cell = await program({ ...HOSTED, CELL: name, TRUSTED_PROXIES: '127.0.0.0/8', ...env });
    cells.set(name, cell);
    await cell.start();
  }
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const proxy = startProxy(`127.0.0.1:${port}`, cells);
  const operator = (cell: Cell) => client(url, { apiKey: OPERATOR_KEY, headers: { 'x-cell': cell } });
  const statusOf = async (apiKey: string, at = url) =>
    (await client(at, { apiKey }).call('GET', '/sandbox/v1/usage')).status;
  await until(async () => (await fetch(`${url}/healthcheck`).catch(() => undefined))?.status === 200);
  return {
    url,
    cells,
    operator,
    statusOf,
    async register(cell, more = {}) {
      const name = `Exchange of ${cell}`;
      const { invitation } = await operator(cell).invite({ name });
      const stranger = client(url, { headers: { 'x-cell': cell } });
      const { status, body } = await stranger.call<{ vaspId: string; apiKey: string }>(
        'POST',
        '/sandbox/v1/registrations',
        { invitation, name, ...more },
      );
      if (status !== 201) throw new Error(`the registration answered ${status} ${JSON.stringify(body)}`);
      return body;
    },
    async close() {
      proxy.kill();
      for (const cell of cells.values()) await cell.close();
    },
  };
}

function startProxy(bind: string, cells: ReadonlyMap<Cell, Program>): ChildProcess {
  const hosts = [...cells].map(([name, { url }]) => [`CELL_${name.toUpperCase()}`, new URL(url).host]);
  const env = { PATH: process.env.PATH, BIND: bind, ...Object.fromEntries(hosts) };
  execFileSync('haproxy', ['-c', '-q', '-f', CONFIGURATION], { env });
  const proxy = spawn('haproxy', ['-db', '-f', CONFIGURATION], { env, stdio: 'ignore' });
  return proxy;
}

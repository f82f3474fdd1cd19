import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { JsonRpc } from '../../../src/kernel/json-rpc.ts';
import type { NodeKind } from './foreign-node.ts';

const exec = promisify(execFile);

/** Nodes that were built or installed once stay here for the next run. */
const CACHE = join(tmpdir(), 'robot-vasp-foreign-nodes');
const GETH = 'github.com/ethereum/go-ethereum/cmd/geth@v1.16.8';
const GANACHE = 'ganache@7.9.2';
const BUILD_WITHIN_MS = 1_400_000;

/** A node to test with, or why it could not be got. */
export type Found = { name: string; kind: NodeKind; missing?: undefined } | { name: string; missing: string };

export async function findGeth(): Promise<Found> {
  const name = 'geth --dev 1.16.8';
  const built = join(CACHE, 'geth');
  const own = process.env.GETH;
  if (own && existsSync(own)) return { name: `geth --dev (${own})`, kind: gethKind(own) };
  if (existsSync(built)) return { name, kind: gethKind(built) };
  await mkdir(CACHE, { recursive: true });
  const env = { ...process.env, GOBIN: CACHE };
  return exec('go', ['install', GETH], { env, timeout: BUILD_WITHIN_MS }).then(
    () => ({ name, kind: gethKind(built) }),
    (error: NodeJS.ErrnoException) => ({
      name,
      missing:
        error.code === 'ENOENT'
          ? `Go is not installed. Install it, or set GETH to a geth of your own`
          : `\`go install ${GETH}\` failed: ${error.message.slice(0, 500)}`,
    }),
  );
}

export async function findGanache(): Promise<Found> {
  const name = GANACHE;
  const folder = join(CACHE, 'ganache');
  const cli = join(folder, 'node_modules', 'ganache', 'dist', 'node', 'cli.js');
  if (existsSync(cli)) return { name, kind: ganacheKind(cli) };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{}');
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', GANACHE];
  return exec('npm', install, { cwd: folder, timeout: BUILD_WITHIN_MS }).then(
    () => ({ name, kind: ganacheKind(cli) }),
    error => ({ name, missing: `\`npm install ${GANACHE}\` failed: ${String(error).slice(0, 500)}` }),
  );
}

/** The chain id of both. */
export const FOREIGN_CHAIN_ID = 1337;

const gethKind = (program: string): NodeKind => ({
  command: (port, folder) => [
    program,
    ...['--dev', '--dev.period', '1', '--datadir', folder, '--ipcdisable', '--nodiscover', '--port', '0'],
    ...['--authrpc.port', '0', '--http', '--http.port', String(port), '--http.api', 'eth,net,web3,debug'],
    ...['--verbosity', '1'],
  ],
  async mark(rpc: JsonRpc) {
    const head = await rpc.call<string>('eth_blockNumber');
    return () => rpc.call('debug_setHead', head);
  },
});

const ganacheKind = (cli: string): NodeKind => ({
  command: (port, folder) => [
    process.execPath,
    cli,
    ...[
      '--server.host',
      '127.0.0.1',
      '--server.port',
      String(port),
      '--chain.chainId',
      String(FOREIGN_CHAIN_ID),
    ],
    ...['--chain.networkId', String(FOREIGN_CHAIN_ID), '--miner.blockTime', '1'],
    ...[
      '--database.dbPath',
      folder,
      '--wallet.seed',
      'robot-vasp',
      '--wallet.defaultBalance',
      '10000000',
      '--logging.quiet',
    ],
  ],
  async mark(rpc: JsonRpc) {
    const snapshot = await rpc.call<string>('evm_snapshot');
    return () => rpc.call('evm_revert', snapshot);
  },
});

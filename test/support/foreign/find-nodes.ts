import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { anvilBinary } from '../../../src/devnet/ethereum/launch.ts';
import type { JsonRpc } from '../../../src/kernel/json-rpc.ts';
import type { NodeKind } from './foreign-node.ts';

const exec = promisify(execFile);

/** Nodes that were built or installed once stay here for the next run. */
const CACHE = join(tmpdir(), 'robot-vasp-foreign-nodes');
const GETH_VERSION = '1.17.10';
const GETH = `github.com/ethereum/go-ethereum/cmd/geth@v${GETH_VERSION}`;
const GANACHE = 'ganache@7.9.2';
const ONE_SUM =
  'two payouts of a contract to one address are one with the sum, because it neither logs nor traces them';
const BUILD_WITHIN_MS = 1_400_000;

/** A node to test with, or why it could not be got. */
export type Found =
  | { name: string; kind: NodeKind; limits?: Limits; missing?: undefined }
  | { name: string; missing: string };

/** What the node itself cannot do, as the guide says it. */
export interface Limits {
  restart?: string;
  twoPayouts?: string;
}

/** Amsterdam: the rules of the public test networks. Osaka: those of `geth --dev`, and of the embedded chain. */
export async function findGeth(rules: 'Amsterdam' | 'Osaka'): Promise<Found> {
  const name = `geth, ${rules} rules`;
  const folder = join(CACHE, `geth-${GETH_VERSION}`);
  const built = join(folder, 'geth');
  const own = process.env.GETH;
  if (own && existsSync(own)) return { name, kind: gethKind(own, rules) };
  if (existsSync(built)) return { name, kind: gethKind(built, rules) };
  await mkdir(folder, { recursive: true });
  const env = { ...process.env, GOBIN: folder };
  return exec('go', ['install', GETH], { env, timeout: BUILD_WITHIN_MS }).then(
    () => ({ name, kind: gethKind(built, rules) }),
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
  const name = 'ganache';
  const folder = join(CACHE, 'ganache');
  const cli = join(folder, 'node_modules', 'ganache', 'dist', 'node', 'cli.js');
  const node = { name, kind: ganacheKind(cli), limits: { twoPayouts: ONE_SUM } };
  if (existsSync(cli)) return node;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{}');
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', GANACHE];
  return exec('npm', install, { cwd: folder, timeout: BUILD_WITHIN_MS }).then(
    () => node,
    error => ({ name, missing: `\`npm install ${GANACHE}\` failed: ${String(error).slice(0, 500)}` }),
  );
}

/** The chain id of all. */
export const FOREIGN_CHAIN_ID = 1337;

/** For `evm_revert` by URL: the node that is embedded elsewhere. */
export const ANVIL: Found = {
  name: 'anvil',
  limits: { restart: 'is not restarted, because it keeps no state' },
  kind: {
    command: port => [
      anvilBinary(),
      ...['--quiet', '--port', String(port), '--chain-id', String(FOREIGN_CHAIN_ID), '--block-time', '1'],
    ],
    async mark(rpc: JsonRpc) {
      const snapshot = await rpc.call<string>('evm_snapshot');
      return () => rpc.call('evm_revert', snapshot);
    },
  },
};

/** The account of `geth --dev`. */
const DEVELOPER = '71562b71999873db5b286df957af199ec94617f7';

/** The public test networks have Amsterdam rules since October 2026. `geth --dev` has them by a genesis of its own. */
async function initAmsterdam(program: string, folder: string): Promise<void> {
  const { stdout } = await exec(program, ['--dev', 'dumpgenesis'], { maxBuffer: 64 * 1024 * 1024 });
  const genesis = JSON.parse(stdout);
  genesis.config.amsterdamTime = 0;
  genesis.config.blobSchedule.amsterdam = genesis.config.blobSchedule.prague;
  genesis.alloc[DEVELOPER] = { balance: '0x33b2e3c9fd0803ce8000000' };
  const path = join(folder, 'genesis.json');
  await writeFile(path, JSON.stringify(genesis));
  await exec(program, ['--datadir', folder, 'init', path]);
}

const gethKind = (program: string, rules: string): NodeKind => ({
  ...(rules === 'Amsterdam' && { prepare: folder => initAmsterdam(program, folder) }),
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
    ...['--server.host', '127.0.0.1', '--server.port', String(port), '--chain.chainId', String(FOREIGN_CHAIN_ID)],
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

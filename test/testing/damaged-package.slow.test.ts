import { chmodSync, cpSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { anvilBinary } from '../../src/devnet/ethereum/launch.ts';
import { ROOT } from '../support/paths.ts';
import { type ForeignProject, foreignProject } from '../support/process/foreign-project.ts';
import { type Serving, serving } from '../support/process/serving.ts';
import { until } from '../support/until.ts';

let project: ForeignProject;
let installed: string;
let cli: string;
beforeEach(async () => {
  project = await foreignProject();
  await project.write('package.json', '{}');
  installed = join(project.folder, 'node_modules/robot-vasp');
  cli = join(installed, 'dist/cli.js');
});
afterEach(() => project.close());

/** Puts a copy of a package in the place of its link. */
function ownCopy(name: string): string {
  const place = join(installed, 'node_modules', name);
  const files = realpathSync(place);
  rmSync(place, { recursive: true });
  mkdirSync(dirname(place), { recursive: true });
  cpSync(files, place, { recursive: true, filter: from => !/[/\\](deps|obj|obj\.target)$/.test(from) });
  return place;
}

/** Of this system. */
const ETHEREUM = `@foundry-rs/${basename(dirname(dirname(anvilBinary())))}`;
const nodeProgram = () => join(ownCopy(ETHEREUM), 'bin/anvil');

const NODE_PROBLEMS: Record<string, { damage: () => void; says: RegExp }> = {
  'is not installed': {
    damage: () => rmSync(join(installed, 'node_modules', ETHEREUM), { recursive: true }),
    says: /^ETH: the optional package @foundry-rs\/anvil-\S+ is not installed: run "npm install --include=optional", or set ETH_RPC_URL/,
  },
  'has lost its program': {
    damage: () => rmSync(nodeProgram()),
    says: /^ETH: the program of @foundry-rs\/anvil-\S+ is missing \(ENOENT\): run "npm install --force @foundry-rs\/anvil-\S+", or/,
  },
  'is not executable': {
    damage: () => chmodSync(nodeProgram(), 0o644),
    says: /^ETH: the program of @foundry-rs\/anvil-\S+ is not executable: run "chmod \+x '\S+\/bin\/anvil'", or/,
  },
  'wants a newer glibc': {
    damage() {
      const file = nodeProgram();
      const text = readFileSync(file).toString('latin1').replaceAll('GLIBC_2.34', 'GLIBC_9.99');
      writeFileSync(file, text, 'latin1');
    },
    says: /^ETH: \S+\/bin\/anvil needs glibc 9\.99 or newer, such as that of Debian 12 and Ubuntu 22\.04: use a newer system or the image/,
  },
  'is of another processor': {
    damage() {
      const file = nodeProgram();
      const bytes = readFileSync(file);
      // The field e_machine of the ELF header.
      bytes.writeUInt16LE(0xf3, 18);
      writeFileSync(file, bytes);
    },
    says: /^ETH: this system cannot run \S+\/bin\/anvil/,
  },
};

describe.each(Object.entries(NODE_PROBLEMS))('where the Ethereum node %s', (_name, { damage, says }) => {
  let served: Serving;
  beforeEach(async () => {
    damage();
    served = await serving({ XRPL_CLOSE_INTERVAL: '100ms' }, cli);
  });
  afterEach(() => served.stop());

  test('XRP works, and /readyz names the package and the command', async () => {
    const readyz = async () => ((await (await fetch(`${served.url}/readyz`)).json()) as { missing: string[] }).missing;
    await until(async () => {
      const missing = await readyz();
      return missing.length === 1 && says.test(missing[0]!);
    });
    const info = await fetch(`${served.url}/sandbox/v1/info`);
    expect(info.status).toBe(200);
    const { users } = (await info.json()) as { users: { accounts: { ETH: string; XRP: string } }[] };
    expect(users[0]!.accounts.ETH).toMatch(/^0x[0-9a-f]{40}$/i);
    const faucet = async (symbol: 'ETH' | 'XRP') => {
      const body = JSON.stringify({ symbol, address: users[0]!.accounts[symbol], amount: '20' });
      const answer = await fetch(`${served.url}/sandbox/v1/faucet`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      return { status: answer.status, body: (await answer.json()) as { code?: string } };
    };
    expect((await faucet('XRP')).status).toBe(200);
    expect(await faucet('ETH')).toMatchObject({ status: 400, body: { code: 'CHAIN-REFUSED' } });
  });
});

test('without the Ethereum node, a check of XRP runs to its end', async () => {
  rmSync(join(installed, 'node_modules', ETHEREUM), { recursive: true });
  const argv = ['check', 'callbacks', '--symbol', 'XRP', '--unattended', '--wait', '1s', '--port', '0'];
  const { stdout, stderr } = await project.run(process.execPath, cli, ...argv).catch(error => error);
  expect(stderr).not.toMatch(/not ready/);
  expect(stdout).toMatch(/plan callbacks for Tested VASP, .*, run [0-9a-f-]{36}$/m);
});

const MODULE = 'build/Release/better_sqlite3.node';
const REBUILD =
  /run npm pkg set allowScripts\.better-sqlite3=true --json --prefix '\S+' && npm rebuild --ignore-scripts=false --prefix '\S+' better-sqlite3\.$/m;
const SQLITE_PROBLEMS: Record<string, { damage: (folder: string) => void; says: RegExp }> = {
  'was not built': {
    damage: folder => rmSync(join(folder, 'build'), { recursive: true }),
    says: /^robot-vasp \w+: The SQLite module was not built, because the install scripts were left out: run /,
  },
  'is damaged': {
    damage: folder => writeFileSync(join(folder, MODULE), 'no module'),
    says: /^robot-vasp \w+: The SQLite module cannot be loaded on this system \(.*\): run /,
  },
};

test.each(Object.entries(SQLITE_PROBLEMS))('where the SQLite module %s, one sentence says so', async (_, problem) => {
  // The package itself is looked up beside it.
  for (const name of ['bindings', 'file-uri-to-path'])
    cpSync(join(ROOT, 'node_modules', name), join(installed, 'node_modules', name), { recursive: true });
  problem.damage(ownCopy('better-sqlite3'));
  const commands = [['serve'], ['check', '--port', '0'], ['ledger', '--port', '0']];
  for (const argv of commands) {
    const { stderr, code } = await project.run(process.execPath, cli, ...argv).catch(error => error);
    expect(code).toBe(1);
    expect(stderr).toMatch(problem.says);
    expect(stderr).toMatch(REBUILD);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  }
  await project.write(
    'suite.mjs',
    `import { createRobot } from 'robot-vasp/testing';
     await createRobot().catch(error => console.error('robot-vasp suite: ' + error.message));`,
  );
  const { stderr } = await project.run(process.execPath, 'suite.mjs');
  expect(stderr).toMatch(problem.says);
});

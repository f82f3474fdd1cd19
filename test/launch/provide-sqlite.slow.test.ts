import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../support/paths.ts';
import { robotVasp } from '../support/process/command-line.ts';
import { type ForeignProject, foreignProject } from '../support/process/foreign-project.ts';

let project: ForeignProject;
let top: string;
beforeEach(async () => {
  top = mkdtempSync(join(tmpdir(), 'no-sqlite-'));
  project = await foreignProject();
  rmSync(join(project.folder, 'node_modules/robot-vasp/node_modules/better-sqlite3'));
});
afterEach(async () => {
  await project.close();
  rmSync(top, { recursive: true });
});

const CLI = 'node_modules/robot-vasp/dist/cli.js';
const TOOLS = 'to compile it needs Python 3, make and a C++ compiler (Debian and Ubuntu: "apt-get install';

test.each([['serve'], ['demo'], ['ledger', '--port', '0']])(
  '%s says in one line how to get SQLite where npm could not build it',
  async (...argv) => {
    const { stderr, code } = await project.run(process.execPath, CLI, ...argv).catch(error => error);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^robot-vasp \w+: SQLite is not installed\./);
    expect(stderr).toContain(TOOLS);
    expect(stderr).toContain(`npm install --include=optional --prefix '${project.folder}'`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    const json = await project.run(process.execPath, CLI, ...argv, '--json').catch(error => error);
    expect(JSON.parse(json.stderr)).toMatchObject({ code: 'NO-SQLITE' });
  },
);

test('a test suite gets the same sentence, and a command without a database works', async () => {
  await project.write('suite.mjs', `import('robot-vasp/testing').catch(e => console.log(e.message));`);
  const { stdout } = await project.run(process.execPath, 'suite.mjs');
  expect(stdout).toContain(TOOLS);
  expect((await project.run(process.execPath, CLI, 'version')).stdout).toMatch(/^\d/);
});

/** Puts the project where npx keeps what it has fetched, with an npm that does `install`. */
function belowNpx(install: string): { folder: string; PATH: string } {
  const folder = join(top, '_npx', '0a1b');
  cpSync(project.folder, folder, { recursive: true, verbatimSymlinks: true });
  const npm = join(top, 'bin', 'npm');
  mkdirSync(dirname(npm));
  writeFileSync(npm, `#!/bin/sh\n[ "$1" = install ] || exit 0\n${install}\n`);
  chmodSync(npm, 0o755);
  return { folder, PATH: `${dirname(npm)}:${process.env.PATH}` };
}

test('below npx it is built, with progress, and the command runs', async () => {
  const source = join(ROOT, 'node_modules/better-sqlite3');
  const { folder, PATH } = belowNpx(`sleep 1.3; ln -s '${source}' "${top}/_npx/0a1b/node_modules/"`);
  const ended = await robotVasp(['check', '--list'], { PATH }, join(folder, CLI));
  expect(ended.stderr).toMatch(/^SQLite is built for Node\.js \S+, only once … 1 s$/m);
  expect(ended.stdout).toContain('W1');
  expect(ended.code).toBe(0);
});

test('below npx a build that fails ends with what to install', async () => {
  const { folder, PATH } = belowNpx('exit 1');
  const ended = await robotVasp(['demo'], { PATH }, join(folder, CLI));
  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/^robot-vasp demo: SQLite cannot be built\./m);
  expect(ended.stderr).toContain(TOOLS);
  expect(ended.stdout).toBe('');
});

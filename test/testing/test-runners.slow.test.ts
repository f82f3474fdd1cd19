import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../support/paths.ts';
import { type ForeignProject, foreignProject } from '../support/process/foreign-project.ts';

/** The packed package in the test runners of others. `node --test` runs the suite of the README (package.test.ts). */

const JEST = 'jest@30.5.2';

let project: ForeignProject;
let jestFolder: string;
beforeAll(async () => {
  jestFolder = await mkdtemp(join(tmpdir(), 'robot-vasp-jest-'));
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', JEST];
  [project] = await Promise.all([foreignProject('vitest'), promisify(execFile)('npm', install, { cwd: jestFolder })]);
}, 120_000);
afterAll(async () => {
  await project?.close();
  await rm(jestFolder, { recursive: true, force: true });
});

const SUITE = `
let robot;
beforeAll(async () => { robot = await createRobot(); }, 60_000);
afterAll(() => robot.close());
test('a withdrawal is verified', async () => {
  const request = robot.requests.withdrawal({ symbol: 'XRP', amount: '1', from: robot.user('taylor-robbins').accounts.XRP });
  const { verificationUuid } = await robot.api.verifyUser(request);
  const { data } = await robot.mailbox.wait({ verificationUuid });
  expect(data.verificationResult).toBe('VERIFIED');
}, 30_000);
test('a refusal is of its class', async () => {
  await expect(robot.api.verification('nobody')).rejects.toBeInstanceOf(Refused);
});
`;
const REQUIRED = "const { createRobot, Refused } = require('robot-vasp/testing');";
const IMPORTED = "import { createRobot, Refused } from 'robot-vasp/testing';";

test.each([
  ['CommonJS', 'required.test.js', REQUIRED],
  ['ES modules', 'imported.test.mjs', IMPORTED],
])('jest with %s', async (_, file, head) => {
  await project.write('package.json', '{"private":true}');
  await project.write(file, head + SUITE);
  const program = join(jestFolder, 'node_modules/jest/bin/jest.js');
  const argv = ['--experimental-vm-modules', program, '--ci', '--runInBand', file];
  const { stderr } = await project.run(process.execPath, ...argv);
  expect(stderr).toMatch(/^Tests: +2 passed, 2 total$/m);
  // It says so when something keeps the process from its end.
  expect(stderr).not.toMatch(/did not exit|open handle/);
});

test('vitest', async () => {
  await project.write(
    'vitest.spec.mjs',
    `import { afterAll, beforeAll, expect, test } from 'vitest';${IMPORTED}${SUITE}`,
  );
  const program = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { stdout } = await project.run(process.execPath, program, 'run', '--reporter=json', 'vitest.spec');
  expect(JSON.parse(stdout)).toMatchObject({ success: true, numTotalTests: 2, numPassedTests: 2 });
});

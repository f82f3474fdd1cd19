import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockOf, fileOf } from '../support/docs/manual.ts';
import { ROOT } from '../support/paths.ts';
import { type ForeignProject, foreignProject } from '../support/process/foreign-project.ts';
import { processesWith } from '../support/process/processes.ts';
import { until } from '../support/until.ts';

let project: ForeignProject;
let before: string[];
beforeAll(async () => {
  project = await foreignProject('ethers', '@types/node');
  before = readdirSync(project.folder);
});
afterAll(() => project.close());

const node = (...argv: string[]) => project.run(process.execPath, ...argv);

test('the suite of the README passes as it stands', async () => {
  await project.write('stand-in.mjs', fileOf('A first deposit test', 'stand-in.mjs'));
  await project.write('travel-rule.test.mjs', blockOf('In a Node test suite', 'js'));
  const { stdout } = await node('--test', '--test-reporter=tap', 'travel-rule.test.mjs');
  expect(stdout).toMatch(/^# pass 3$/m);
  expect(stdout).toMatch(/^# fail 0$/m);
});

const USE = `
import assert from 'node:assert/strict';
import { createRobot, Refused, type Received, type Robot, type RobotOptions } from 'robot-vasp/testing';
const options: RobotOptions = { vasp: { endpoints: { callback: 'http://127.0.0.1:1/' } }, env: { INQUIRY_WAIT: '1m' } };
await using robot: Robot = await createRobot(options);
const request = robot.requests.withdrawal({ symbol: 'XRP', amount: '1', from: 'r' });
request.assetInfo.network = 'Tron';
robot.requests.withdrawal({ with: { 'assetInfo.network': 'Tron', 'originator.accountNumber': undefined } });
const { verificationUuid } = await robot.api.verifyUser(request);
const received: Received<'VERIFICATION_RESULT'> = await robot.mailbox.wait({ type: 'VERIFICATION_RESULT', verificationUuid });
const result: 'VERIFIED' | 'DENIED' | 'UNKNOWN' | 'ERROR' = received.data.verificationResult;
const any = await robot.mailbox.wait();
if (any.callbackType === 'TX_REPORT') assert.equal(any.data.txHash, '');
await robot.control('ETH', 'reorg', { depth: 1 });
const { ETH, XRP }: { ETH: string; XRP: string } = robot.user('taylor-robbins').accounts;
const refused = await robot.api.verification(ETH + XRP + result).catch((error: unknown) => error);
assert(refused instanceof Refused);
const status: number = refused.status;
// @ts-expect-error: there is no such chain control of this ledger
await robot.control('XRP', 'reorg', { depth: status });
// @ts-expect-error: depth is a number
await robot.control('ETH', 'reorg', { depth: '1' });
// @ts-expect-error: there is no such variable
await createRobot({ env: { INQUIRY_WIAT: '1m' } });
// @ts-expect-error: there is no such callback
await robot.mailbox.wait({ type: 'NOTHING' });
`;

const USE_FROM_COMMONJS = `
import { createRobot, type Robot } from 'robot-vasp/testing';
export async function use(): Promise<string> {
  const robot: Robot = await createRobot();
  const { verificationUuid } = await robot.api.verifyUser(robot.requests.withdrawal());
  await robot.close();
  return verificationUuid;
}
`;

/** The second one is the compiler that bundles our types. */
const COMPILERS = {
  7: join(ROOT, 'node_modules/typescript-native/bin/tsc'),
  5: join(ROOT, 'node_modules/typescript/bin/tsc'),
};

test.each([
  [7, 'bundler', 'esnext'],
  [7, 'nodenext', 'nodenext'],
  [7, 'node16', 'node16'],
  [5, 'nodenext', 'nodenext'],
] as const)(
  'its types hold with TypeScript %s and moduleResolution %s, library checks on, without our sources',
  async (version, resolution, module) => {
    await project.write('use.mts', USE);
    await project.write('use.cts', USE_FROM_COMMONJS);
    // A bundler has no CommonJS of its own.
    const files = resolution === 'bundler' ? ['use.mts'] : ['use.mts', 'use.cts'];
    const compilerOptions = {
      module,
      moduleResolution: resolution,
      target: 'es2022',
      lib: ['es2023', 'esnext.disposable'],
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
    };
    await project.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
    const { stdout } = await node(COMPILERS[version], '-p', '.').catch(error => error);
    expect(stdout).toBe('');
  },
);

const LEAVES_NOTHING = `
import { readdirSync, readlinkSync } from 'node:fs';
import { createRobot } from 'robot-vasp/testing';
const open = () => readdirSync('/proc/self/fd').flatMap(fd => {
  try { return [readlinkSync('/proc/self/fd/' + fd)]; } catch { return []; }
});
const resources = () => process.getActiveResourcesInfo().filter(name => !/^(TTYWrap|PipeWrap|FSReqCallback)$/.test(name));
await (await createRobot()).close();
const before = { open: open().length, resources: resources() };
for (let n = 0; n < 3; n++) {
  const robots = await Promise.all([createRobot(), createRobot()]);
  for (const robot of robots) {
    const { verificationUuid } = await robot.api.verifyUser(
      robot.requests.withdrawal({ amount: '1', from: '0x5811001506550d8356a215be229c15b6ef371a9b' }));
    await fetch(robot.url + '/v1/verifications/' + verificationUuid);
    await robot.mailbox.wait({ verificationUuid });
  }
  await Promise.all(robots.map(robot => robot.close()));
}
console.log(JSON.stringify({ before, after: { open: open().length, resources: resources() } }));
`;

test('after close() no file, handle, process or temporary file is left, and the script ends by itself', async () => {
  await project.write('leaves-nothing.mjs', LEAVES_NOTHING);
  const { stdout, stderr } = await node('leaves-nothing.mjs');
  expect(stderr).toBe('');
  const { before: first, after } = JSON.parse(stdout) as Record<'before' | 'after', { resources: string[] }>;
  expect(after).toEqual(first);
  expect(after!.resources).toEqual([]);
  await until(() => processesWith(project.folder).length === 0);
  const made = readdirSync(project.folder).filter(name => !before.includes(name));
  expect(made.filter(name => !/\.([mc][jt]s|json)$/.test(name))).toEqual([]);
});

const COSTS = `
import { createRobot } from 'robot-vasp/testing';
const costs = [];
for (let n = 0; n < 8; n++) {
  const before = process.cpuUsage();
  const robot = await createRobot();
  const { user, system } = process.cpuUsage(before);
  costs.push((user + system) / 1000);
  await robot.close();
}
console.log(JSON.stringify(costs));
`;

test('each one after the first costs less than 300 ms of this process', async () => {
  await project.write('costs.mjs', COSTS);
  const [, ...others] = JSON.parse((await node('costs.mjs')).stdout) as number[];
  const median = others.sort((a, b) => a - b)[Math.floor(others.length / 2)];
  // Processor time: the machine may be busy with other tests.
  expect(median).toBeLessThan(300);
});

test('CommonJS may require it, and gets the same module as an import', async () => {
  await project.write(
    'plain.cjs',
    `const { createRobot, Refused } = require('robot-vasp/testing');
     createRobot().then(async robot => {
       const imported = await import('robot-vasp/testing');
       console.log(robot.vaspId, imported.Refused === Refused);
       await robot.close();
     });`,
  );
  expect((await node('plain.cjs')).stdout).toBe('15952089931162058999 true\n');
});

test('it needs only the packages that are loaded at run time', async () => {
  const { dependencies, optionalDependencies, scripts } = JSON.parse(
    readFileSync(join(project.folder, 'node_modules/robot-vasp/package.json'), 'utf8'),
  );
  expect(dependencies).toBeUndefined();
  const names = Object.keys(optionalDependencies);
  expect(names.filter(name => !name.startsWith('@foundry-rs/anvil-'))).toEqual([
    'better-sqlite3',
    'better-sqlite3-ready-made',
  ]);
  expect(Object.keys(scripts).filter(name => /install$/.test(name))).toEqual([]);
});

test('the command is in the package, and runs', async () => {
  const { stdout } = await node('node_modules/robot-vasp/dist/cli.js', 'version');
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\+[\da-f]{8}\n$/);
});

test('another path of the package is not open', async () => {
  await project.write('inside.mjs', "await import('robot-vasp/dist/cli.js');");
  await expect(node('inside.mjs')).rejects.toThrow(/ERR_PACKAGE_PATH_NOT_EXPORTED/);
});

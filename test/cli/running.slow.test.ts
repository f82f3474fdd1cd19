import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { linesOf, robotVasp } from '../support/process/command-line.ts';
import { operating } from '../support/process/operating.ts';
import { received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { paid, verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createProgramWorld } from '../support/world/program-world.ts';

const world = await forFile(createProgramWorld());

const { ran, answer, refusal } = operating(() => world.url);

test('status: ready, both chains, and what needs attention', async () => {
  const { code, stdout } = await robotVasp(['status'], { ROBOT_VASP_URL: world.url });
  expect(code).toBe(0);
  expect(stdout).toContain(`ready at ${world.url}\n`);
  for (const symbol of ['ETH', 'XRP']) expect(stdout).toMatch(new RegExp(`^ {2}${symbol} .*block \\d+$`, 'm'));
  expect(await answer('status')).toMatchObject({ url: world.url, ready: true, missing: [] });
});

test('a proxy of the environment is not used for this machine', async () => {
  const asked: (string | undefined)[] = [];
  const proxy = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(502).end();
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void proxy.close());
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const env = { HTTP_PROXY: address, http_proxy: address, no_proxy: 'intranet', NODE_USE_ENV_PROXY: '1' };
  const { code } = await robotVasp(['status'], { ROBOT_VASP_URL: world.url, ...env });
  expect([code, asked]).toEqual([0, []]);
});

test('advance moves the clock of the VASP and says what fired', async () => {
  const { uuid } = await verified(world);
  const { now: before } = await world.api.clock();
  const advanced = await answer<{ now: string; fired: { key: string; kind: string }[] }>('advance', '10m');
  expect(Date.parse(advanced.now) - Date.parse(before)).toBeGreaterThanOrEqual(600_000);
  expect(advanced.fired).toContainEqual(expect.objectContaining({ kind: 'robot.deposit.inquire', key: uuid }));
  const { stdout } = await ran('advance', '5m');
  expect(stdout).toMatch(/^now \d{4}-/);
  expect(stdout).toMatch(new RegExp(`^ {2}\\S+Z {2}robot\\.deposit\\.inquire {2}${uuid}$`, 'm'));
});

test('wait --ready: exit code 0 as soon as both ledgers are there', async () => {
  expect(await ran('wait', '--ready')).toMatchObject({ code: 0, stdout: `ready at ${world.url}\n` });
  expect(await answer('wait', '--ready')).toEqual({ url: world.url, status: 'READY' });
});

test('wait --callback answers at once with what is there, and later ones after it', async () => {
  const { uuid } = await verified(world);
  const found = await answer<{ id: string }>('wait', '--callback', 'VERIFICATION_RESULT', '--verification', uuid);
  expect(found).toMatchObject({ data: { verificationUuid: uuid, verificationResult: 'VERIFIED' } });
  const late = await refusal(
    ...['wait', '--callback', 'VERIFICATION_RESULT', '--verification', uuid],
    ...['--after', found.id, '--timeout', '200ms'],
  );
  expect(late).toEqual({
    code: 1,
    failure: { code: 'TIMEOUT', message: 'callback VERIFICATION_RESULT did not come within 200ms' },
  });
});

test('wait --callback waits for one that comes later', async () => {
  const [latest] = (await world.api.mailbox()).callbacks.slice(-1);
  const waiting = answer('wait', '--callback', 'VERIFICATION_RESULT', '--after', latest?.id ?? '0');
  const { verificationUuid } = await world.api.verifyUser(verificationOf(world));
  expect(await waiting).toMatchObject({ data: { verificationUuid } });
});

test('wait --result and --received-payment follow a withdrawal', async () => {
  const verification = await verified(world);
  const of = ['--verification', verification.uuid];
  expect(await answer('wait', ...of, '--result', 'VERIFIED')).toMatchObject({
    verificationUuid: verification.uuid,
    result: 'VERIFIED',
  });
  const early = await refusal('wait', ...of, '--received-payment', 'CREDITED', '--timeout', '0s');
  expect(early).toMatchObject({ code: 1, failure: { code: 'TIMEOUT' } });
  const waiting = ran('wait', ...of, '--received-payment', 'CREDITED');
  await world.api.reportTransaction(verification.uuid, await paid(world, verification));
  const { code, stdout } = await waiting;
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^received-payment CREDITED, since \d{4}-/)]);
});

test('wait --transfer follows what the robot pays', async () => {
  const amount = await received(world, { symbol: 'ETH' });
  const { uuid } = await verifiedForRobot(world, { symbol: 'ETH', amount });
  await world.api.robotWithdraw(uuid);
  const found = await answer('wait', '--transfer', 'CONFIRMED', '--verification', uuid);
  expect(found).toMatchObject({ verificationUuid: uuid, transfer: 'CONFIRMED' });
});

test('wait --result ends at once when another one is final: exit code 1', async () => {
  const request = verificationOf(world, { user: 'ethan-cook' });
  const { verificationUuid } = await world.api.verifyUser(request);
  await world.vasp.ordinary.callbackOf(verificationUuid, 'VERIFICATION_RESULT');
  const { code, failure } = await refusal('wait', '--result', 'VERIFIED', '--verification', verificationUuid);
  expect([code, failure.code]).toEqual([1, 'OTHER-RESULT']);
  expect(failure.message).toContain('DENIED');
});

test('replay sends a callback again', async () => {
  const { uuid } = await verified(world);
  const { callbacks } = await world.api.callbacks({ verificationUuid: uuid });
  const [{ id = '' } = {}] = callbacks;
  expect(await answer('replay', id)).toMatchObject({ id, verificationUuid: uuid });
  await world.vasp.arrived('callback', uuid, 2);
});

test.each([
  [['status']],
  [['advance', '1s']],
  [['replay', '1']],
  [['scenarios']],
  [['wait', '--callback', 'TX_REPORT']],
  [['wait', '--result', 'VERIFIED', '--verification', '8db7ee2a-12a2-4cc2-9297-917c3b5176cc']],
])('%j with an unknown key is exit code 4: UNAUTHORIZED, and the key is not shown', async argv => {
  const { code, failure } = await refusal(...argv, '--api-key', 'rv_unknown');
  expect([code, failure.code]).toEqual([4, 'UNAUTHORIZED']);
  expect(failure.message).not.toContain('rv_unknown');
});

test.each([
  [['replay', '4711'], 'NOT-FOUND'],
  [['replay', '../reset'], 'NOT-FOUND'],
  [['wait', '--callback', 'TX_REPORT', '--after', 'x'], 'BAD-REQUEST'],
  [
    ['wait', '--result', 'VERIFIED', '--verification', '8db7ee2a-12a2-4cc2-9297-917c3b5176cc'],
    'VERIFICATION-NOT-FOUND',
  ],
])('%j is refused: exit code 4 and the code of the sandbox', async (argv, expected) => {
  const { code, failure } = await refusal(...argv);
  expect([code, failure.code]).toEqual([4, expected]);
  // The time that is left to wait is another one in each call.
  const plain = (text = '') => text.replace(/wait=\d+ms/, 'wait=…');
  const { stderr } = await ran(...argv);
  expect(plain(stderr.split('\n').at(-2))).toBe(plain(`robot-vasp ${argv[0]}: ${failure.message}`));
});

test.each([
  [['status']],
  [['advance', '1s']],
  [['replay', '1']],
  [['scenarios']],
  [['wait', '--callback', 'TX_REPORT']],
])('%j where nobody listens is exit code 3, and says what to do', async argv => {
  const { code, failure } = await refusal(...argv, '--url', 'http://127.0.0.1:9');
  expect([code, failure.code]).toEqual([3, 'UNREACHABLE']);
  for (const part of ['http://127.0.0.1:9', 'robot-vasp serve', '--url']) expect(failure.message).toContain(part);
});

test('wait --ready where nobody listens waits, then says so: exit code 3', async () => {
  const late = await refusal('wait', '--ready', '--timeout', '300ms', '--url', 'http://127.0.0.1:9');
  expect(late).toMatchObject({ code: 3, failure: { code: 'UNREACHABLE' } });
  expect(late.failure.message).toContain('nobody answers at http://127.0.0.1:9');
});

test('a server that is no robot-vasp is named as such: exit code 3', async () => {
  const other = createServer((_, response) => response.end('<html>hello</html>')).listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  for (const argv of [['status'], ['wait', '--ready'], ['tail'], ['scenarios'], ['open']]) {
    const { code, failure } = await refusal(...argv, '--url', url);
    expect([code, failure.code]).toEqual([3, 'NOT-ROBOT-VASP']);
    expect(failure.message).toContain(`the server at ${url} is no robot-vasp`);
  }
});

test('vasp at a taken port ends, and says what to set: exit code 1', async () => {
  const { port } = new URL(world.url);
  const { code, stderr } = await robotVasp(['vasp', '--url', world.url, '--replace', '--port', port]);
  expect(code).toBe(1);
  expect(linesOf(stderr)).toEqual([
    expect.stringMatching(/^robot-vasp vasp: .*EADDRINUSE.*A robot-vasp runs there\. Stop it, or set --port/),
  ]);
});

test.each([
  ['src', 'is a folder, not a file'],
  ['package.json', 'cannot be used ('],
  ['package.json/vasp.sqlite', 'cannot be used ('],
])('vasp at the database %s ends, and names the option: exit code 2', async (path, says) => {
  const { code, stderr } = await ran('vasp', '--replace', '--database', path);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`--database: ${path} ${says}`)]);
});

test('what takes longer than a second shows progress on standard error, for people alone', async () => {
  const late = ['wait', '--callback', 'TX_REPORT', '--after', '999999', '--timeout'];
  expect((await ran(...late, '3s')).stderr).toMatch(/^waiting for callback TX_REPORT … \d s\n/);
  expect((await refusal(...late, '1500ms')).failure.code).toBe('TIMEOUT');
});

test('tail prints events as they happen, in colour where it is asked for', async () => {
  const { uuid } = await verified(world);
  const argv = ['tail', '--verification', uuid, '--after', '0', '--kind', 'verification', '--count', '2'];
  const { code, stdout } = await robotVasp(argv, { ROBOT_VASP_URL: world.url, FORCE_COLOR: '1' });
  expect(code).toBe(0);
  expect(stdout).toContain('\u001B[32mverification VERIFIED\u001B[39m');
  const plain = await robotVasp(argv, { ROBOT_VASP_URL: world.url });
  expect(plain.stdout).toMatch(new RegExp(`verification VERIFIED  ${uuid}`));
});

test('setup export writes users and faults; after a reset setup import brings them back', async () => {
  const file = join(tmpdir(), `robot-vasp-setup-${process.pid}.json`);
  onTestFinished(() => rm(file, { force: true }));
  const names = { lastName: 'Moon', firstName: 'Sun-hee' };
  await world.api.putUser('sun-hee-moon', { kind: 'natural', names, kyc: true });
  await world.api.addFault({ target: 'callback', mode: 'status', status: 503, times: 2 });
  expect(await answer('setup', 'export', file)).toEqual({ file, users: 1, faults: 1 });
  await world.api.removeUser('sun-hee-moon');
  await world.api.removeFaults();
  expect((await ran('setup', 'import', file)).stdout).toBe('imported: users 1, faults 1\n');
  expect(await world.api.user('sun-hee-moon')).toMatchObject({ names, kyc: true });
  const { faults } = await world.api.faults();
  expect(faults).toMatchObject([{ target: 'callback', mode: 'status', left: 2, parameters: { status: 503 } }]);
  await world.api.removeFaults();
  await world.api.restoreUsers();
});

test('setup export to a folder that is not there says so: exit code 2', async () => {
  const { code, failure } = await refusal('setup', 'export', 'nowhere/setup.json');
  expect([code, failure.code]).toEqual([2, 'WRONG-USAGE']);
  expect(failure.message).toContain('nowhere/setup.json cannot be written (ENOENT)');
});

test('open prints addresses of the console that answer', async () => {
  const { uuid } = await verified(world);
  for (const argv of [[], ['--verification', uuid], ['callbacks', '--verification', uuid]]) {
    const { url } = await answer<{ url: string }>('open', ...argv);
    expect((await fetch(url)).status).toBe(200);
  }
  for (const page of ['tests', 'ivms101', 'keys', 'users']) expect((await ran('open', page)).code).toBe(0);
  const { stdout } = await ran('open', 'verifications', '--result', 'DENIED');
  expect(stdout).toBe(`${world.url}/console/verifications?result=DENIED\n`);
  const { code, failure } = await refusal('open', '--verification', 'unknown');
  expect([code, failure.code]).toEqual([4, 'NO-PAGE']);
});

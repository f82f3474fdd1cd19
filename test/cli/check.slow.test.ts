import { spawn } from 'node:child_process';
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { client } from '../../src/client/client.ts';
import { Customers } from '../../src/contract/customers.ts';
import { RunReport } from '../../src/contract/plans.ts';
import { PATIENT } from '../support/plans/run-plan.ts';
import { builtCli } from '../support/process/build.ts';
import { robotVasp } from '../support/process/command-line.ts';
import { idleDriver } from '../support/process/idle-driver.ts';
import { nodesOf, type Program, program } from '../support/process/program.ts';
import { until } from '../support/until.ts';

let sandbox: Program;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robot-vasp-check-'));
  sandbox = await program(PATIENT);
  await sandbox.start();
  await client(sandbox.url).switchReferenceVasp(true);
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

type Run = Awaited<ReturnType<ReturnType<typeof client>['run']>>;

/** Each takes a new start of the program. */
const MAX_KILLS = 4;

const check = (...argv: string[]) => robotVasp(['check', '--unattended', ...argv], { ROBOT_VASP_URL: sandbox.url });
const file = (name: string) => join(folder, name);

test('the sandbox’s own VASP passes, and every file says so', async () => {
  const names = ['report', 'junit', 'html', 'summary', 'certificate'];
  const { code, stdout } = await check(
    ...['--symbol', 'ETH', '--module', 'W1,D1,D3,C1'],
    ...names.flatMap(name => [`--${name}`, file(name)]),
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/^PASSED +D3 ETH /m);
  expect(stdout).toMatch(/^PASSED: plan complete, only W1, D1, D3, C1 for Reference VASP/m);
  const [json = '', junit = '', html = '', summary = ''] = await Promise.all(
    names.map(name => readFile(file(name), 'utf8')),
  );
  const report = RunReport.parse(JSON.parse(json));
  expect(report).toMatchObject({ result: 'PASSED', clock: 'sandbox', counts: { failed: 0 } });
  expect(report.modules.map(({ id }) => id)).toEqual([
    'W1',
    'C1',
    'D1.a',
    'D1.b',
    'D1.c',
    'D1.d',
    'D1.e',
    'D1.f',
    'D3',
    'D1.g',
    'D1.h',
    'D1.i',
  ]);
  expect(report.evidence).toEqual({
    exchanges: report.modules.flatMap(({ exchanges }) => exchanges).length,
    bytes: expect.any(Number),
  });
  expect(report.memoryBytes).toBeGreaterThan(10 * 2 ** 20);
  expect(report.chains.map(({ symbol, finality }) => [symbol, finality])).toEqual([['ETH', '1 confirmation']]);
  const conditions = report.modules.flatMap(module => module.conditions);
  expect(junit.match(/<testcase /g)).toHaveLength(conditions.length);
  for (const { id } of report.modules) expect(html).toContain(id);
  expect(summary).toContain('# PASSED: plan complete, only W1, D1, D3, C1');
  for (const text of [junit, html]) expect(text).toContain('complete, only W1, D1, D3, C1');
  // Persons are masked.
  expect(json + junit + html + summary).not.toContain('Barnes');
});

test('the example of a customers file has a customer for every module', async () => {
  const path = file('customers.json');
  expect((await robotVasp(['check', '--init', '--customers', path])).code).toBe(0);
  const { customers, nobody } = Customers.parse(JSON.parse(await readFile(path, 'utf8')));
  expect(customers.map(({ kind, kyc }) => [kind, kyc])).toEqual([
    ['natural', true],
    ['legal', true],
    ['natural', false],
    ['natural', true],
  ]);
  for (const accounts of [...customers.map(each => each.accounts), nobody])
    expect(Object.keys(accounts ?? {})).toEqual(['ETH', 'XRP']);
});

test('a certificate is checked offline; one changed byte is noticed', async () => {
  const path = file('report.jws');
  await check('security', '--module', 'S4', '--certificate', path);
  const right = await robotVasp(['verify-report', path]);
  expect([right.code, right.stdout]).toEqual([0, expect.stringContaining('Reference VASP')]);
  expect(right.stdout).toContain('over plan security, only S4 on');
  const jwks = await fetch(`${sandbox.url}/.well-known/jwks.json`);
  const { keys } = (await jwks.json()) as { keys: (JsonWebKey & { kid?: string })[] };
  const key = createPublicKey({ key: keys[0]!, format: 'jwk' });
  await writeFile(file('key.json'), JSON.stringify(keys[0]));
  await writeFile(file('key.pem'), key.export({ type: 'spki', format: 'pem' }));
  for (const name of ['key.json', 'key.pem']) {
    const { stdout } = await robotVasp(['verify-report', path, '--key', file(name)]);
    expect(stdout).toContain('signed by the issuer');
  }
  expect(right.stdout).toContain(await calculateJwkThumbprint(keys[0] as JWK));
  await writeFile(file('jwks.json'), JSON.stringify({ keys }));
  for (const swapped of [`--key=${file('jwks.json')}`, `--jwks=${file('key.json')}`])
    expect((await robotVasp(['verify-report', path, swapped])).code).toBe(2);
  const jws = await readFile(path, 'utf8');
  const forger = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(forger.publicKey);
  const forged = await new CompactSign(Buffer.from(jws.split('.')[1]!, 'base64url'))
    .setProtectedHeader({ alg: 'EdDSA', kid: keys[0]!.kid!, jwk })
    .sign(forger.privateKey);
  await writeFile(file('forged.jws'), forged);
  const { stderr } = await robotVasp(['verify-report', file('forged.jws')]);
  expect(stderr).toContain(`${await calculateJwkThumbprint(jwk)} has signed it`);
  expect((await robotVasp(['verify-report', file('forged.jws'), '--jwks', file('jwks.json')])).code).toBe(1);
  const at = jws.indexOf('.') + 40;
  await writeFile(path, jws.slice(0, at) + (jws[at] === 'A' ? 'B' : 'A') + jws.slice(at + 1));
  expect((await robotVasp(['verify-report', path])).code).not.toBe(0);
});

test('the certificate of a stopped run says that it was stopped', async () => {
  const api = client(sandbox.url);
  const { id } = await api.startRun({ plan: 'withdrawal', unattended: true });
  await api.stopRun(id);
  const { body } = await api.call<string>('GET', `/sandbox/v1/runs/${id}/report.jws`);
  await writeFile(file('stopped.jws'), body);
  const { code, stdout } = await robotVasp(['verify-report', file('stopped.jws')]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('over plan withdrawal, stopped before its last module on'),
  ]);
  expect(stdout).toMatch(/^INTERRUPTED: passed /m);
});

test('the schema of the package describes the report', async () => {
  const { stdout } = await robotVasp(['check', '--schema']);
  expect(JSON.parse(stdout)).toEqual(z.toJSONSchema(RunReport));
  const shipped = new URL('../../dist/report-schema.json', import.meta.url);
  expect(await readFile(shipped, 'utf8')).toBe(stdout);
});

test('an expected failure is green; one that does not happen is red and named', async () => {
  const expected = file('expected.json');
  const idle = ['--module', 'W1', '--driver', await idleDriver(), '--wait', '1s'];
  const failed = await check(...idle);
  expect([failed.code, failed.stdout]).toEqual([1, expect.not.stringContaining('unexpected failure')]);
  await writeFile(expected, JSON.stringify([{ condition: 'W4.1.paid', comment: 'another one' }]));
  const other = await check(...idle, '--expected-failures', expected);
  expect([other.code, other.stdout]).toEqual([1, expect.stringContaining('unexpected failure: W1.asked')]);
  await writeFile(expected, JSON.stringify([{ condition: 'W1.asked', comment: 'no driver yet' }]));
  expect((await check(...idle, '--expected-failures', expected)).code).toBe(0);
  const stale = await check('--module', 'W1', '--expected-failures', expected);
  expect([stale.code, stale.stdout]).toEqual([
    1,
    expect.stringContaining('expected failure that did not happen: W1.asked'),
  ]);
});

test('expected failures of modules and symbols that were not chosen are left aside; a mistyped one is not', async () => {
  const expected = file('elsewhere.json');
  const elsewhere = [
    { condition: 'C2.once' },
    { condition: 'S4.https', symbol: 'ETH' },
    { condition: 'W2.a.result', symbol: 'XRP' },
    { condition: 'W2.c.result' },
  ];
  const chosen = ['--module', 'W2.a,W2.c', '--symbol', 'ETH', '--expected-failures', expected];
  await writeFile(expected, JSON.stringify(elsewhere));
  const aside = await check(...chosen);
  expect([aside.code, aside.stdout]).toEqual([0, expect.stringContaining('PASSED: plan complete')]);
  await writeFile(expected, JSON.stringify([...elsewhere, { condition: 'C2.onse' }]));
  const mistyped = await check(...chosen);
  expect([mistyped.code, mistyped.stdout.match(/^expected failure .*$/gm)]).toEqual([
    1,
    ['expected failure that did not happen: C2.onse'],
  ]);
});

test('in real time nothing is moved, and the report says so', async () => {
  const before = await client(sandbox.url).clock();
  const order = '--clock real --symbol ETH --module W3.i,W4.2,W4.4,C4 --json --report'.split(' ');
  const { code, stdout } = await check(...order, file('real'));
  expect([code, stdout.trimEnd().split('\n')]).toEqual([0, [expect.any(String)]]);
  expect(JSON.parse(stdout)).toEqual(JSON.parse(await readFile(file('real'), 'utf8')));
  expect(RunReport.parse(JSON.parse(stdout))).toMatchObject({ result: 'PASSED', clock: 'real' });
  expect(stdout).toContain('1 answer, the last to a query on order');
  expect((await client(sandbox.url).clock()).aheadMs).toBe(before.aheadMs);
});

test('without any VASP and without a driver the run ends with a verdict', async () => {
  const { code, stdout } = await robotVasp(['check', '--unattended', '--port', '0', '--symbol', 'ETH'], {});
  expect(code).toBe(1);
  expect(stdout).toMatch(/^FAILED: plan complete/m);
  expect(stdout).toContain('It needs a driver endpoint or a person');
  expect(stdout).toContain('It needs a customers file');
});

test('trouble of the sandbox is ERROR and exit code 4, and no failure of the VASP', async () => {
  const own = await program(PATIENT);
  onTestFinished(() => own.close());
  await own.start();
  const api = client(own.url);
  await api.switchReferenceVasp(true);
  const [node = 0] = nodesOf(own.folder);
  process.kill(node, 'SIGSTOP');
  const argv = ['check', '--unattended', '--symbol', 'ETH', '--module', 'D1.a,D3', '--junit', file('trouble')];
  const { code, stdout } = await robotVasp(argv, { ROBOT_VASP_URL: own.url });
  expect([code, stdout]).toEqual([4, expect.stringMatching(/^ERROR +D3 ETH /m)]);
  expect(stdout).toMatch(/^PASSED +D1\.a ETH /m);
  expect(stdout).toContain('This is trouble of the sandbox, not of the VASP');
  expect(stdout).not.toMatch(/FAILED|unexpected failure/);
  expect(stdout).toMatch(/^ERROR: plan complete, only D1\.a, D3 /m);
  expect(await readFile(file('trouble'), 'utf8')).toMatch(/<error [^>]*(type|message)="/);
});

test('a run goes on wherever the sandbox is killed, and says so', async () => {
  const own = await program();
  onTestFinished(() => own.close());
  await own.start();
  const vasp = spawn(process.execPath, [builtCli(), 'vasp', '--url', own.url, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void vasp.kill('SIGKILL'));
  await new Promise(resolve => vasp.stdout.once('data', resolve));
  const api = client(own.url);
  const { id } = await api.startRun({
    plan: 'complete',
    modules: ['W4.1', 'D3', 'D4', 'C2'],
    unattended: true,
    wait: '3s',
  });
  const steps = new Set<string>();
  const stepOf = ({ modules }: Run) => modules.map(({ status, exchanges }) => `${status} ${exchanges.length}`).join();
  for (let kills = 0; kills < MAX_KILLS; kills++) {
    let run = await api.run(id);
    await until(async () => {
      run = await api.run(id);
      return run.endedAt !== null || !steps.has(stepOf(run));
    });
    if (run.endedAt !== null) break;
    steps.add(stepOf(run));
    await own.kill();
    await own.start();
  }
  await until(async () => (await api.run(id)).endedAt !== null);
  const { modules, result } = await api.run(id);
  expect(modules.some(({ note }) => note?.includes('It was started again.'))).toBe(true);
  expect([result, modules.map(({ status }) => status)]).toEqual(['PASSED', modules.map(() => 'FINISHED')]);
}, 240_000);

test('a run goes on when the sandbox is killed together with the VASP that it has started', async () => {
  const own = await program();
  onTestFinished(() => own.close());
  await own.start();
  const api = client(own.url);
  await api.switchReferenceVasp(true);
  const modules = ['W4.1', 'W4.3', 'W2.a', 'D3'];
  const { id } = await api.startRun({ plan: 'complete', symbols: ['ETH'], modules, unattended: true, wait: '15s' });
  await until(async () => (await api.run(id)).modules.some(({ status }) => status === 'RUNNING'));
  await own.kill();
  await own.start();
  await api.switchReferenceVasp(true);
  await until(async () => (await api.run(id)).endedAt !== null);
  const run = await api.run(id);
  expect(run.modules.map(({ id: name, result }) => [name, result])).toEqual(modules.map(name => [name, 'PASSED']));
}, 120_000);

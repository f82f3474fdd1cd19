import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../support/world/world.ts';

const NEWMAN = 'newman@6.2.2';
const BRUNO = '@usebruno/cli@3.5.3';

let folder: string;
let world: World;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robot-vasp-collection-'));
  world = await createWorld();
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true });
});

async function saved(format: string): Promise<string> {
  const path = join(folder, format);
  const answer = await fetch(`${world.url}/sandbox/v1/collection?format=${format}`);
  await writeFile(path, new Uint8Array(await answer.arrayBuffer()));
  return path;
}

test('every request of the Hurl file succeeds in Hurl, one after another', async () => {
  const argv = ['--test', '--variable', `base=${world.url}`, await saved('hurl')];
  const { stderr } = await promisify(execFile)(process.env.HURL ?? 'hurl', argv);
  const [, requests] = /Executed requests: (\d+)/.exec(stderr)!;
  expect(Number(requests)).toBeGreaterThan(90);
});

test('Newman sends every request of the Postman collection; refused is only what needs something first', async () => {
  const report = join(folder, 'newman.json');
  const argv = ['--reporters', 'json', '--reporter-json-export', report, '--timeout-request', '10000'];
  await promisify(execFile)('npx', ['--yes', NEWMAN, 'run', await saved('postman'), ...argv]);
  const { run } = JSON.parse(await readFile(report, 'utf8')) as {
    run: { failures: object[]; executions: { item: { name: string }; response: { code: number } }[] };
  };
  expect(run.failures).toEqual([]);
  expect(run.executions.length).toBeGreaterThan(120);
  const codes = run.executions.map(({ response }) => response.code);
  expect(codes.filter(code => code < 300).length).toBeGreaterThan(100);
  expect(codes.filter(code => code >= 500)).toEqual([]);
});

test('Bruno’s command line runs the folder as it is', async () => {
  await promisify(execFile)('tar', ['xf', await saved('bru')], { cwd: folder });
  const report = join(folder, 'bruno.json');
  const argv = ['run', '-r', '--env', 'sandbox', '--env-var', `base=${world.url}`, '--reporter-json', report];
  await promisify(execFile)('npx', ['--yes', BRUNO, ...argv], { cwd: join(folder, 'robot-vasp') });
  const [{ results }] = JSON.parse(await readFile(report, 'utf8')) as [
    { results: { error: string | null; response: { status: number } }[] },
  ];
  expect(results.map(({ error }) => error).filter(Boolean)).toEqual([]);
  const codes = results.map(({ response }) => response.status);
  expect(codes.filter(code => code < 300).length).toBeGreaterThan(100);
  expect(codes.filter(code => code >= 500)).toEqual([]);
});

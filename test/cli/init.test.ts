import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig, VARIABLES } from '../../src/app/config/config.ts';
import { client } from '../../src/client/client.ts';
import { builtCli } from '../support/process/build.ts';
import { serving } from '../support/process/serving.ts';
import { HOSTED } from '../support/world/hosted-world.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robot-vasp-init-'));
});
afterEach(() => rm(folder, { recursive: true }));

function start(argv: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [builtCli(), ...argv], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function ran(...argv: string[]) {
  const child = start(argv);
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  const [code] = await once(child, 'close');
  return { code, ...texts };
}

const HERE = 'http://127.0.0.1:3999';
const TOKEN = 'both know # this';
const ADDRESSES = [
  ...['--verify-user', `${HERE}/verify-user`, '--verify-account', `${HERE}/verify-account`],
  ...['--transaction-status', `${HERE}/transaction-status`, '--callback', `${HERE}/callback`],
  ...['--token', TOKEN],
];
interface Written {
  checks: { endpoint: string; ok: boolean; problem: string }[];
  vasp: { enclave: string };
  pieces: Record<'compose' | 'github' | 'kubernetes', { text: string }>;
}

test('init calls the addresses; where nobody answers it writes nothing without --yes: exit code 1', async () => {
  const { code, stderr } = await ran('init', ...ADDRESSES);
  expect(code).toBe(1);
  expect(stderr).toContain('verifyUser        The connection to 127.0.0.1:3999 was refused');
  await expect(stat(join(folder, '.env'))).rejects.toThrow('ENOENT');
});

test.each([[['init']], [['init', '--yes']], [['init', '--json']]])(
  '%j without a terminal and without an address writes nothing: exit code 2',
  async argv => {
    const { code, stderr } = await ran(...argv);
    expect([code, stderr]).toEqual([2, expect.stringContaining('init needs an address')]);
    await expect(stat(join(folder, '.env'))).rejects.toThrow('ENOENT');
  },
);

test('a .env that cannot be written is refused before an address is called: exit code 2', async () => {
  await mkdir(join(folder, '.env'));
  let calls = 0;
  const vasp = createServer((_, response) => {
    calls += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void vasp.close());
  await once(vasp, 'listening');
  const { port } = vasp.address() as AddressInfo;
  const { code, stderr } = await ran('init', '--callback', `http://127.0.0.1:${port}/callback`, '--yes');
  expect([code, stderr, calls]).toEqual([2, expect.stringContaining('.env cannot be written (EISDIR)'), 0]);
});

test('init --yes writes .env for its owner alone, and keeps other lines; serve reads it', async () => {
  const before = '# ours\nVASP_NAME=Mine\nVEGA_VERIFICATION_CALLBACK_API_PATH=http://old.example/\n';
  await writeFile(join(folder, '.env'), before);
  const { code, stdout } = await ran('init', ...ADDRESSES, '--yes', '--json');
  expect(code).toBe(0);
  const { checks } = JSON.parse(stdout) as Written;
  expect(checks.map(({ ok }) => ok)).toEqual([false, false, false, false]);
  expect(stdout).not.toContain(TOKEN);
  const text = await readFile(join(folder, '.env'), 'utf8');
  expect(text.startsWith('# ours\nVASP_NAME=Mine\n')).toBe(true);
  expect(text).not.toContain('old.example');
  expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600);

  const child = start(['serve', '--json'], { PORT: '0', DATABASE_PATH: ':memory:', LOG_LEVEL: 'error' });
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const { url, envFile } = JSON.parse(String(value)) as { url: string; envFile: string };
  expect(envFile).toBe('.env');
  const { vasps } = await client(url).registeredVasps();
  expect(vasps.find(({ name }) => name === 'Mine')?.endpoints.callback).toBe(`${HERE}/callback`);
});

test('the pieces configure what there is to configure, and none holds the token', async () => {
  const { stdout } = await ran('init', ...ADDRESSES, '--yes', '--json');
  const { pieces } = JSON.parse(stdout) as Written;
  const compose = parse(pieces.compose.text).services['robot-vasp'].environment;
  const github = parse(pieces.github.text).jobs['travel-rule'].services['robot-vasp'].env;
  const [deployment, service] = parseAllDocuments(pieces.kubernetes.text).map(each => each.toJS());
  const { env } = deployment.spec.template.spec.containers[0];
  const kubernetes = Object.fromEntries(
    env.map(({ name, value = 'secret' }: { name: string; value?: string }) => [name, value]),
  );
  expect(service.spec.ports).toEqual([{ port: 8080 }]);
  // As `docker build` of the guide names it: no registry has it.
  expect(parse(pieces.compose.text).services['robot-vasp'].image).toBe('robot-vasp');
  for (const environment of [compose, github, kubernetes]) {
    expect(Object.keys(environment)).toContain('VEGA_VERIFICATION_AUTHORIZATION_TOKEN');
    for (const name of Object.keys(environment)) expect(VARIABLES).toContain(name);
    expect(JSON.stringify(environment)).not.toContain('127.0.0.1');
    loadConfig(environment);
  }
  expect(JSON.stringify(pieces)).not.toContain(TOKEN);
});

test('init --hosted registers a trial in a hosted sandbox and writes .env, which other commands read', async () => {
  const sandbox = await serving({ ...HOSTED, REGISTRATION: 'trial' });
  try {
    const { code, stdout } = await ran('init', '--hosted', sandbox.url, '--name', 'Bright Exchange');
    expect(code).toBe(0);
    expect(stdout).toContain('It is a trial that ends at');
    const written = await readFile(join(folder, '.env'), 'utf8');
    expect(written).toMatch(/^ROBOT_VASP_API_KEY=rv_main_[\w-]{43}$/m);
    expect(written).toMatch(/^ROBOT_VASP_SIGNING_SECRET=whsec_/m);
    expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600);
    const status = await ran('status', '--json');
    expect(status.code).toBe(0);
    expect(JSON.parse(status.stdout)).toMatchObject({ url: sandbox.url, ready: true });
    const wrong = await ran('init', '--hosted', sandbox.url, '--invitation', 'rvi_wrong');
    expect(wrong.code).toBe(4);
    expect(wrong.stderr).toContain('The invitation is unknown, expired or used already.');
  } finally {
    await sandbox.stop();
  }
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig, VARIABLES } from '../../src/app/config/config.ts';
import { ENV_MARK } from '../../src/cli/env-file.ts';
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
    expect([code, stderr]).toEqual([2, expect.stringContaining('init needs an endpoint')]);
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
  const before = `${ENV_MARK}\n# ours\nVASP_NAME=Mine\nVEGA_VERIFICATION_CALLBACK_API_PATH=http://old.example/\n`;
  await writeFile(join(folder, '.env'), before);
  const { code, stdout } = await ran('init', ...ADDRESSES, '--yes', '--json');
  expect(code).toBe(0);
  const { checks } = JSON.parse(stdout) as Written;
  expect(checks.map(({ ok }) => ok)).toEqual([false, false, false, false]);
  expect(stdout).not.toContain(TOKEN);
  const text = await readFile(join(folder, '.env'), 'utf8');
  expect(text.startsWith(`${ENV_MARK}\n# ours\nVASP_NAME=Mine\n`)).toBe(true);
  expect(text).not.toContain('old.example');
  expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600);

  const child = start(['serve', '--json'], { PORT: '0', DATABASE_PATH: ':memory:', LOG_LEVEL: 'error' });
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const { url, envFile } = JSON.parse(String(value)) as { url: string; envFile: string };
  expect(envFile).toBe('.env');
  const { vasps } = await client(url).registeredVasps();
  expect(vasps.find(({ name }) => name === 'Mine')?.endpoints.callback).toBe(`${HERE}/callback`);
});

const HEAD = `${ENV_MARK}\n`;

test('D-53: init does not touch the .env of another program, and no command reads it', async () => {
  const foreign = 'PORT=1\nLOG_LEVEL=verbose\nMODE=production\nDATABASE_PATH=other.sqlite\nno assignment\n';
  await writeFile(join(folder, '.env'), foreign);
  const refused = await ran('init', ...ADDRESSES, '--yes');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('init --file robot-vasp.env')]);
  expect(await readFile(join(folder, '.env'), 'utf8')).toBe(foreign);
  const { code, stderr } = await ran('backup', 'copy.robot');
  expect([code, stderr]).toEqual([1, expect.stringContaining('data/robot.sqlite')]);

  const { code: written, stdout } = await ran('init', ...ADDRESSES, '--yes', '--file', 'robot-vasp.env');
  expect(written).toBe(0);
  expect(stdout).toContain('Start it: robot-vasp serve --env-file robot-vasp.env');
  const env = { PORT: '0', DATABASE_PATH: ':memory:', LOG_LEVEL: 'error' };
  const child = start(['serve', '--json', '--env-file', 'robot-vasp.env'], env);
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  expect(JSON.parse(String(value))).toMatchObject({ event: 'listening', envFile: 'robot-vasp.env' });
});

test('D-53: every command talks to the sandbox of the .env beside it, unless another one is named', async () => {
  const server = start(['serve', '--json'], { PORT: '0', DATABASE_PATH: ':memory:', LOG_LEVEL: 'error' });
  const { value } = await createInterface({ input: server.stdout })[Symbol.asyncIterator]().next();
  const { url } = JSON.parse(String(value)) as { url: string };
  const { port } = new URL(url);
  await writeFile(join(folder, '.env'), `${HEAD}PORT=${port}\nHOST=0.0.0.0\n`);
  expect((await ran('wait', '--ready')).code).toBe(0);
  const { code, stdout } = await ran('status', '--json');
  expect([code, JSON.parse(stdout.split('\n')[0]!)]).toEqual([0, expect.anything()]);
  await writeFile(join(folder, '.env'), `${HEAD}PORT=1\n`);
  const { stderr } = await ran('status');
  expect(stderr).toContain('nobody answers at http://127.0.0.1:1 ');
  expect((await ran('status', '--url', url)).code).toBe(0);
});

test('init prints the port, the identifiers and the header of the .env that it goes on with', async () => {
  const own = 'PORT=8123\nVASP_ID=424242\nROBOT_VASP_ID=434343\nVEGA_VERIFICATION_AUTHORIZATION_KEY=X-Key\n';
  const keys: unknown[] = [];
  const vasp = createServer((request, response) => {
    keys.push(request.headers['x-key']);
    response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void vasp.close());
  await once(vasp, 'listening');
  const callback = `http://127.0.0.1:${(vasp.address() as AddressInfo).port}/callback`;
  await writeFile(join(folder, '.env'), HEAD + own);
  const { code, stdout } = await ran('init', '--callback', callback, '--token', TOKEN, '--yes', '--json');
  expect(code).toBe(0);
  const enclave = 'http://127.0.0.1:8123';
  expect(JSON.parse(stdout).vasp).toEqual({ enclave, vaspId: '424242', robotVaspId: '434343' });
  expect(new Set(keys)).toEqual(new Set([TOKEN]));
});

test('init writes a token so that it is read as it is', async () => {
  const token = "it's\\new";
  await writeFile(join(folder, '.env'), HEAD);
  const { code } = await ran('init', '--callback', 'http://127.0.0.1:9/callback', '--token', token, '--yes');
  expect(code).toBe(0);
  const { VEGA_VERIFICATION_AUTHORIZATION_TOKEN: read } = parseEnv(await readFile(join(folder, '.env'), 'utf8'));
  expect(read).toBe(token);
});

test('backup, compact and restore work on the database of the .env that init has written', async () => {
  await writeFile(join(folder, '.env'), `${HEAD}DATABASE_PATH=elsewhere/own.sqlite\n`);
  await writeFile(join(folder, 'named.env'), 'DATABASE_PATH=named/own.sqlite\n');
  for (const [path, argv] of [
    ['elsewhere/own.sqlite', []],
    ['named/own.sqlite', ['--env-file', 'named.env']],
  ] as const) {
    const { code, stderr } = await ran('compact', ...argv);
    expect([code, stderr]).toEqual([1, expect.stringContaining(path)]);
    const child = start(['serve', '--json', ...argv], { PORT: '0', LOG_LEVEL: 'error' });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    expect(JSON.parse(String((await lines.next()).value))).toMatchObject({ event: 'listening' });
    const saved = await ran('backup', `${argv.length}.robot`, ...argv);
    expect([saved.code, saved.stdout]).toEqual([0, expect.stringContaining('verified')]);
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect((await ran('compact', ...argv)).stdout).toContain(path);
    expect((await ran('restore', `${argv.length}.robot`, ...argv)).stdout).toContain(path);
  }
});

test.each<[string, string | Buffer, string]>([
  ['a line that sets nothing', `${HEAD}PORT=0\n\nexport LOG_LEVEL\n`, '.env, line 4, sets no variable'],
  [
    'a blank that nobody sees',
    `${HEAD}PORT\u00a0=0\n`,
    '.env, line 2, sets no variable: it has ⟨U+00A0⟩, which nobody',
  ],
  ['a byte order mark in the middle', `${HEAD}\ufeffPORT=0\n`, '.env, line 2, sets no variable: it has ⟨U+FEFF⟩'],
  ['a variable twice', `${HEAD}PORT=0\nLOG_LEVEL=info\nPORT=1\n`, '.env, line 4, sets PORT again, after line 2.'],
  [
    'a quotation mark that is open',
    `${HEAD}VASP_NAME="Mine\nPORT=0\n`,
    '.env, line 2: the quotation mark " is not closed',
  ],
  ['a wrong value', `${HEAD}LOG_LEVEL=verbose\n`, 'LOG_LEVEL (.env, line 2) is none of'],
  ['UTF-16', Buffer.from(`\ufeff${HEAD}PORT=0\n`, 'utf16le'), '.env is UTF-16 and should be UTF-8'],
  ['Latin-1', Buffer.from(`${HEAD}VASP_NAME=Müller\n`, 'latin1'), '.env is not UTF-8: byte 0xFC'],
])('serve names the file and what is wrong in it: %s', async (_, text, problem) => {
  await writeFile(join(folder, '.env'), text);
  const { code, stderr } = await ran('serve', '--database', ':memory:');
  expect(stderr).toContain(problem);
  expect(code).not.toBe(0);
});

test('init changes no .env of its own in another encoding, and goes on once it is saved as UTF-8', async () => {
  const text = `${HEAD}VASP_NAME=뮐러\n`;
  for (const bytes of [Buffer.from(`\ufeff${text}`, 'utf16le'), Buffer.from(`${HEAD}# \xe9\n`, 'latin1')]) {
    await writeFile(join(folder, '.env'), bytes);
    const { code, stderr } = await ran('init', ...ADDRESSES, '--yes');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/\.env is .*UTF-8.*\. Save it as UTF-8\.\n$/)]);
    expect(await readFile(join(folder, '.env'))).toEqual(bytes);
  }
  await writeFile(join(folder, '.env'), `\ufeff${text}`);
  expect((await ran('init', ...ADDRESSES, '--yes')).code).toBe(0);
  expect(await readFile(join(folder, '.env'), 'utf8')).toContain('VASP_NAME=뮐러');
});

test('a .env with a byte order mark, comments, several lines and other quotation marks is read', async () => {
  const text = `\ufeff${HEAD}# PORT\nexport VASP_NAME='My "VASP"'\nROBOT_MNEMONIC="test test test test test test\ntest test test test test junk"\n  LOG_LEVEL = error # quiet\n`;
  await writeFile(join(folder, '.env'), text);
  const child = start(['serve', '--json'], { PORT: '0', DATABASE_PATH: ':memory:' });
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const { url } = JSON.parse(String(value)) as { url: string };
  expect((await client(url).info()).vasp.name).toBe('My "VASP"');
});

test('init ends with the next step, and prints what another place needs only with --print', async () => {
  const { code, stdout } = await ran('init', ...ADDRESSES, '--yes');
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('Start it: robot-vasp serve');
  expect(stdout).toContain('robot-vasp init --print compose|ci|kubernetes');
  expect(stdout).not.toContain('services:');
});

test('init --print without a file and without an address says what is missing, and writes nothing', async () => {
  const { code, stderr } = await ran('init', '--print', 'ci');
  expect([code, stderr]).toEqual([2, expect.stringContaining('init needs an endpoint')]);
  await expect(stat(join(folder, '.env'))).rejects.toThrow('ENOENT');
});

test('init --print configures what the file does for each place, and none holds the token', async () => {
  await ran('init', ...ADDRESSES, '--yes', '--file', 'robot-vasp.env');
  const printed = async (place: string) => (await ran('init', '--file', 'robot-vasp.env', '--print', place)).stdout;
  const pieces = {
    compose: await printed('compose'),
    ci: await printed('ci'),
    kubernetes: await printed('kubernetes'),
  };
  const compose = parse(pieces.compose).services['robot-vasp'].environment;
  const github = parse(pieces.ci).jobs['travel-rule'].services['robot-vasp'].env;
  const [deployment, service] = parseAllDocuments(pieces.kubernetes).map(each => each.toJS());
  const { env } = deployment.spec.template.spec.containers[0];
  const kubernetes = Object.fromEntries(
    env.map(({ name, value = 'secret' }: { name: string; value?: string }) => [name, value]),
  );
  expect(service.spec.ports).toEqual([{ port: 8080 }]);
  // As `docker build` of the guide names it: no registry has it.
  expect(parse(pieces.compose).services['robot-vasp'].image).toBe('robot-vasp');
  for (const environment of [compose, github, kubernetes]) {
    expect(Object.keys(environment)).toContain('VEGA_VERIFICATION_AUTHORIZATION_TOKEN');
    expect(environment.VEGA_VERIFICATION_CALLBACK_API_PATH).toMatch(/:3999\/callback$/);
    for (const name of Object.keys(environment)) expect(VARIABLES).toContain(name);
    expect(JSON.stringify(environment)).not.toContain('127.0.0.1');
    loadConfig(environment);
  }
  expect(JSON.stringify(pieces)).not.toContain(TOKEN);
});

test('init --print compose leaves no $ of an address to Docker Compose, which replaces it', async () => {
  const address = 'http://127.0.0.1:3999/callback?sig=a$HOME';
  const { stdout } = await ran('init', '--callback', address, '--print', 'compose');
  const { VEGA_VERIFICATION_CALLBACK_API_PATH: written } = parse(stdout).services['robot-vasp'].environment;
  expect(written).toBe('http://host.docker.internal:3999/callback?sig=a$$HOME');
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

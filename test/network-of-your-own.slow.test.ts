import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../src/app/config/config.ts';
import type { Roles } from '../src/contract/tenancy.ts';
import { blocksOf, section } from './support/docs/manual.ts';
import { ROOT } from './support/paths.ts';
import { builtCli } from './support/process/build.ts';
import { freePort } from './support/process/program.ts';
import { until } from './support/until.ts';

/** The chapter "A network of your own": its commands, and the Compose file that it names. */

const commands = blocksOf(section('A network of your own')).flatMap(({ language, text }) =>
  language === 'sh' ? [text.replaceAll('\\\n', '')] : [],
);

const running: ChildProcess[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const child of running.splice(0).reverse())
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await new Promise(resolve => child.once('exit', resolve));
    }
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

interface Started {
  child: ChildProcess;
  said(): string;
  ended: Promise<number | null>;
}

/** Runs a command of the chapter by the built program. `ports`: those of the enclave and the robot. */
async function paste(command: string, ports: readonly [number, number], folder: string): Promise<Started> {
  const script = command
    .replaceAll('8080', String(ports[0]))
    .replaceAll('8081', String(ports[1]))
    .replace(/^(.*)robot-vasp /, `$1exec ${process.execPath} ${builtCli()} `);
  const env = {
    PATH: process.env.PATH,
    DATABASE_PATH: join(folder, /robot-vasp (\w+)/.exec(command)?.[1] ?? '', 'robot.sqlite'),
    LOG_LEVEL: 'error',
    XRPL_CLOSE_INTERVAL: '100ms',
    CHAIN_RETRY_INTERVAL: '100ms',
  };
  const exec = script.replace(
    /^((?:\w+=\S+ )*)exec /,
    (_, assigned) => `${assigned ? `export ${assigned}; ` : ''}exec `,
  );
  const child = spawn('bash', ['-c', exec], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
    });
  return { child, said: () => said, ended: new Promise(resolve => child.once('close', resolve)) };
}

const [enclave = '', robot = '', demo = '', foreign = '', advance = ''] = commands;

async function network() {
  const ports = [await freePort(), await freePort()] as const;
  const folder = await mkdtemp(join(tmpdir(), 'robot-vasp-network-'));
  folders.push(folder);
  const start = (command: string) => paste(command, ports, folder);
  return {
    ports,
    start,
    async says({ child, said }: Started, text: string) {
      await until(() => said().includes(text) || child.exitCode !== null);
      expect(said()).toContain(text);
    },
  };
}

describe('the commands, pasted', () => {
  test('enclave, robot and demo: both tests pass, and both clocks move', async () => {
    const { start, says } = await network();
    await says(await start(enclave), 'the enclave is ready');
    await says(await start(robot), 'the robot is ready');
    const played = await start(demo);
    expect([await played.ended, played.said()]).toEqual([0, expect.stringContaining('Both tests passed')]);
    const moved = await start(advance);
    expect([await moved.ended, moved.said()]).toEqual([0, expect.not.stringContaining('stays behind')]);
  }, 90_000);

  test('a robot with a key and a token waits for an enclave that registers it', async () => {
    const { start, ports, says } = await network();
    await says(await start(enclave), 'the enclave is ready');
    const waiting = await start(foreign);
    await says(waiting, 'listens on');
    const readyz = `http://127.0.0.1:${ports[1]}/readyz`;
    await until(async () => (await (await fetch(readyz)).text()).includes('refuses the key'));
  }, 60_000);
});

test('either side may be killed while the tests are played', async () => {
  const { start, says } = await network();
  let sides = [await start(enclave), await start(robot)] as const;
  await says(sides[1], 'the robot is ready');
  for (const victim of [0, 1] as const) {
    const played = await start(demo);
    await says(played, 'PASSED  withdrawal ETH');
    sides[victim].child.kill('SIGKILL');
    await sides[victim].ended;
    sides = victim === 0 ? [await start(enclave), sides[1]] : [sides[0], await start(robot)];
    expect([await played.ended, played.said()]).toEqual([0, expect.stringContaining('Both tests passed')]);
  }
}, 180_000);

describe('the Compose file', () => {
  interface Service {
    command?: string[];
    environment: Record<string, string>;
    ports?: string[];
    depends_on?: Record<string, { condition: string }>;
  }
  const { services } = parse(readFileSync(join(ROOT, 'src/deploy/network.yaml'), 'utf8')) as {
    services: Record<'enclave' | 'robot' | 'vasp', Service>;
  };
  const hostOf = (url: string) => new URL(url).host;

  test.each(['enclave', 'robot'] as const)('the configuration of the %s is good', name => {
    const { command = [], environment } = services[name];
    expect(command.slice(0, 3)).toEqual(['node', 'dist/cli.js', name]);
    const env = { ...environment, HOST: '0.0.0.0', PORT: '8080' };
    const config = loadConfig(env, { roles: name satisfies Roles, joins: command.includes('--join') });
    expect(config.roles).toBe(name);
  });

  test('each finds the others by the names of their services', () => {
    const { enclave: node, robot: counterpart, vasp } = services;
    expect(hostOf(counterpart.environment.ENCLAVE_URL!)).toBe('enclave:8080');
    expect(hostOf(counterpart.environment.ROBOT_URL!)).toBe('robot:8080');
    expect(node.environment.ALLOWED_HOSTS).toBe('enclave');
    expect(hostOf(node.environment.VEGA_VERIFICATION_API_PATH!)).toBe('vasp:3000');
    for (const [name, url] of Object.entries(vasp.environment))
      expect(hostOf(url)).toBe(name === 'ENCLAVE_URL' ? 'enclave:8080' : 'robot:8080');
    expect(vasp.depends_on).toEqual({ robot: { condition: 'service_healthy' } });
    expect([node.ports, counterpart.ports]).toEqual([['127.0.0.1:8080:8080'], ['127.0.0.1:8081:8080']]);
  });
});

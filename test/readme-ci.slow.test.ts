import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../package.json' with { type: 'json' };
import { loadConfig, VARIABLES } from '../src/app/config/config.ts';
import { CHECK_OPTIONS } from '../src/cli/check/options.ts';
import { blockOf, blocksOf, lasting, section } from './support/docs/manual.ts';
import { ROOT } from './support/paths.ts';
import { type Program, program } from './support/process/program.ts';
import { serving } from './support/process/serving.ts';
import { until } from './support/until.ts';

let built: Program;
beforeAll(async () => {
  built = await program();
  await built.start();
});
afterAll(() => built.close());

/** In a bash, on the program under test instead of the port that the README speaks of. */
async function bash(script: string): Promise<string> {
  const ours = script.replaceAll('http://127.0.0.1:8080', built.url);
  const env = { ...process.env, ROBOT_VASP_URL: built.url };
  const { stdout } = await promisify(execFile)('bash', ['-ec', ours], { cwd: ROOT, env, timeout: 60_000 });
  return stdout.replaceAll(built.url, 'http://127.0.0.1:8080');
}

test('the shell block answers what stands below it', async () => {
  const [script, promised] = blocksOf(section('From the shell'));
  expect([script!.language, promised!.language]).toEqual(['bash', 'text']);
  expect(lasting(await bash(script!.text))).toBe(lasting(promised!.text));
});

interface Service {
  image: string;
  build?: string;
  environment?: Record<string, string>;
  env?: Record<string, string>;
  ports?: string[];
  options?: string;
  depends_on?: Record<string, { condition: string }>;
}

const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
const compose = parse(blockOf('In CI', 'yaml', 'my-vasp:')) as { services: Record<string, Service> };
const workflow = parse(blockOf('In CI', 'yaml', 'runs-on:')) as {
  jobs: Record<string, { services: Record<string, Service>; steps: { run?: string; uses?: string }[] }>;
};
const job = workflow.jobs['travel-rule']!;

/** Variables that a container is given, in whatever language the block is written. */
function given(environment: Record<string, string>): void {
  expect(Object.keys(environment).length).toBeGreaterThan(1);
  for (const name of Object.keys(environment)) expect(VARIABLES).toContain(name);
  loadConfig(environment);
}

describe('compose', () => {
  const service = compose.services['robot-vasp']!;

  test('configures what there is to configure', () => given(service.environment!));

  test('publishes the port of the image, to this machine alone', () => {
    const [, port] = /^EXPOSE (\d+)$/m.exec(dockerfile)!;
    expect(service.ports).toEqual([`127.0.0.1:8080:${port}`]);
    expect(dockerfile).toMatch(new RegExp(`\\bPORT=${port}\\b`));
    expect(dockerfile).toMatch(/\bHOST=0\.0\.0\.0\b/);
  });

  test('waits for the health check of the image, which the program passes and nothing else does', async () => {
    const mine = compose.services['my-vasp']!;
    expect(mine.depends_on).toEqual({ 'robot-vasp': { condition: 'service_healthy' } });
    expect(mine.environment).toEqual({ ENCLAVE_URL: 'http://robot-vasp:8080' });
    const [, command] = /^HEALTHCHECK [\s\S]*?CMD (\[.*\])$/m.exec(dockerfile)!;
    const [node, ...argv] = JSON.parse(command!) as string[];
    const check = (port: string, env: Record<string, string> = {}) =>
      promisify(execFile)(node!, argv, { cwd: ROOT, env: { ...process.env, PORT: port, ...env } });
    const { port } = new URL(built.url);
    await check(port);
    await check(port, { HOST: '0.0.0.0', HTTP_PROXY: 'http://127.0.0.1:9', NODE_USE_ENV_PROXY: '1' });
    const sixth = await serving({ HOST: '::1' });
    await until(() =>
      check(String(sixth.port), { HOST: '::1' }).then(
        () => true,
        () => false,
      ),
    );
    await sixth.stop();
    await expect(check('9')).rejects.toMatchObject({ code: 1 });
  });

  test('its callbacks go to the service that it names', () => {
    for (const [name, value] of Object.entries(service.environment!))
      if (name.startsWith('VEGA_')) expect(Object.keys(compose.services)).toContain(new URL(value).hostname);
  });
});

describe('GitHub Actions', () => {
  const service = job.services['robot-vasp']!;

  test('the service container is configured with what there is, and reaches the runner', () => {
    given(service.env!);
    expect(service.ports).toEqual(['8080:8080']);
    const { hostname } = new URL(service.env!.VEGA_VERIFICATION_CALLBACK_API_PATH!);
    expect(service.options!.split(' ')).toEqual([
      `--add-host=${hostname}:host-gateway`,
      ...['--memory=512m', '--read-only', '--tmpfs=/tmp', '--cap-drop=ALL'],
    ]);
    expect(service.image).toMatch(new RegExp(`/robot-vasp:${packageJson.version}$`));
  });

  test('its steps do what they say', async () => {
    const runs = job.steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
    const [ready, info, own, ...more] = runs;
    expect([own, more]).toEqual(['npm test', []]);
    expect(JSON.parse(await bash(ready!))).toEqual({ status: 'READY' });
    expect(JSON.parse(await bash(info!))).toHaveProperty('users');
  });

  test('the first step waits for a program that is still starting', async () => {
    await built.stop();
    const waiting = bash(job.steps[1]!.run!);
    await built.start();
    expect(JSON.parse(await waiting)).toEqual({ status: 'READY' });
  });
});

describe.each([
  ['Node', 'ts', /^ {4}(\w+): '([^']*)',$/gm],
  ['Java', 'java', /\.withEnv\("(\w+)", "([^"]*)"\)/g],
] as const)('Testcontainers in %s', (_, language, variable) => {
  const code = blockOf('In CI', language);

  test('configures what there is to configure', () => {
    given(Object.fromEntries([...code.matchAll(variable)].map(([, name, value]) => [name!, value!])));
  });

  test('exposes the port of the image and waits for a path that the program has', async () => {
    expect(code).toMatch(/withExposedPorts\(8080\)/);
    const [, path] = /forHttp\(['"]([^'"]+)['"]/.exec(code)!;
    expect((await fetch(built.url + path)).status).toBe(200);
    const [, asked] = /['"`}](?:\$\{enclave\})?(\/v1\/[a-z/]+)/.exec(code)!;
    expect((await fetch(built.url + asked)).status).toBe(200);
  });

  test('the address of the callback is the host as Testcontainers names it, at the port that is exposed', () => {
    const [, port] = /exposeHostPorts\((\d+)\)/.exec(code)!;
    expect(code).toContain(`http://host.testcontainers.internal:${port}/callback`);
  });
});

describe('jobs that play a test run', () => {
  const optionsOf = (line: string) => [...line.matchAll(/--([a-z-]+)/g)].map(([, name]) => name!);
  const fileOf = (line: string, option: string) => new RegExp(`--${option} (\\S+)`).exec(line)?.[1];

  test('GitHub: the command exists, and summary and results are kept when it fails', () => {
    const { jobs } = parse(blockOf('Test runs', 'yaml', 'runs-on:')) as {
      jobs: Record<string, { steps: { run?: string; if?: string; env?: Record<string, string> }[] }>;
    };
    const { steps } = jobs['travel-rule-check']!;
    const step = steps.find(({ run }) => run?.startsWith('robot-vasp check'))!;
    for (const option of optionsOf(step.run!)) expect(Object.keys(CHECK_OPTIONS)).toContain(option);
    given(step.env!);
    const summary = steps.find(({ run }) => run?.includes('GITHUB_STEP_SUMMARY'))!;
    expect([summary.if, summary.run]).toEqual(['always()', expect.stringContaining(fileOf(step.run!, 'summary')!)]);
  });

  test('GitLab: the command exists, and JUnit is a report of the job', () => {
    const job = (
      parse(blockOf('Test runs', 'yaml', 'artifacts:')) as Record<
        string,
        {
          variables: Record<string, string>;
          script: string[];
          artifacts: { when: string; paths: string[]; reports: { junit: string } };
        }
      >
    )['travel-rule-check']!;
    const line = job.script.find(each => each.startsWith('robot-vasp check'))!;
    for (const option of optionsOf(line)) expect(Object.keys(CHECK_OPTIONS)).toContain(option);
    const { ENCLAVE_URL: _, ...variables } = job.variables;
    given(variables);
    expect(job.artifacts).toEqual({
      when: 'always',
      paths: [fileOf(line, 'html'), fileOf(line, 'certificate')],
      reports: { junit: fileOf(line, 'junit') },
    });
  });
});

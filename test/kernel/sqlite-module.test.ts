import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StartProblem } from '../../src/kernel/program.ts';
import { rebuildCommand } from '../../src/kernel/sqlite-build.ts';
import { refuseAbortingModule } from '../../src/kernel/sqlite-module.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'native-module-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const moduleWith = (symbols: string) => () => {
  const file = join(folder, 'better_sqlite3.node');
  writeFileSync(file, `\x7fELF\0${symbols}\0`);
  return file;
};
const forNewHeaders = moduleWith('_ZN4node28RemoveEnvironmentCleanupHookEPN2v87IsolateEPFvPvES3_');
const forOldHeaders = moduleWith('_ZN4node25AddEnvironmentCleanupHookEPN2v87IsolateEPFvPvES3_');

test.each(['24.19.0', '24.20.0', '24.21.0'])('Node.js %s refuses a module of its own headers', version => {
  const refused = () => refuseAbortingModule(version, forNewHeaders);
  expect(refused).toThrow(StartProblem);
  expect(refused).toThrow(`Node.js ${version} aborts`);
  expect(refused).toThrow('use Node.js 26, or 24.18, and run npm pkg set allowScripts.better-sqlite3=true');
});

test.each(['24.19.0', '24.21.0'])('Node.js %s takes a module of older headers', version => {
  refuseAbortingModule(version, forOldHeaders);
});

test.each(['20.19.0', '22.21.0', '24.18.1', '24.22.0', '26.10.0'])('Node.js %s takes both', version => {
  refuseAbortingModule(version, forNewHeaders);
  refuseAbortingModule(version, forOldHeaders);
});

test('the module of this installation is found', () => {
  let refusal: unknown = new StartProblem('');
  try {
    refuseAbortingModule('24.21.0');
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(StartProblem);
});

const YARN_COMMAND =
  '"npm pkg set dependenciesMeta.better-sqlite3.built=true --json", then "yarn rebuild better-sqlite3"';

test.each([
  [
    '/x/node_modules/.pnpm/better-sqlite3@12/node_modules/better-sqlite3',
    '"pnpm approve-builds" and choose better-sqlite3, then "pnpm rebuild better-sqlite3"',
  ],
  ['/x/.yarn/unplugged/better-sqlite3-npm-12/node_modules/better-sqlite3', YARN_COMMAND],
])('the module at %s is built again by %s', (folder, command) => {
  expect(rebuildCommand(folder)).toBe(command);
});

test('a node_modules that Yarn has made gets the command of Yarn', () => {
  const module = join(folder, 'node_modules', 'better-sqlite3');
  mkdirSync(module, { recursive: true });
  writeFileSync(join(folder, 'node_modules', '.yarn-state.yml'), '');
  expect(rebuildCommand(module)).toBe(YARN_COMMAND);
});

test.each([
  ['a b/shop', 'node_modules/better-sqlite3'],
  ['x', 'node_modules/robot-vasp/node_modules/better-sqlite3'],
])('in the project %s the module at %s is allowed and built again', (name, module) => {
  const project = join(folder, name);
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{}');
  expect(rebuildCommand(join(project, module))).toBe(
    `npm pkg set allowScripts.better-sqlite3=true --json --prefix '${project}' && npm rebuild --ignore-scripts=false --prefix '${project}' better-sqlite3`,
  );
});

test.each([
  ['lib/node_modules/robot-vasp/node_modules/better-sqlite3', ''],
  ['npm/node_modules/robot-vasp/node_modules/better-sqlite3', 'npm'],
])('in a global installation the module at %s is built again by its prefix', (module, prefix) => {
  expect(rebuildCommand(join(folder, module))).toBe(
    `npm rebuild --global --ignore-scripts=false --prefix '${join(folder, prefix)}' better-sqlite3`,
  );
});

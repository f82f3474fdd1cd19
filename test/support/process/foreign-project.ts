import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../paths.ts';
import { builtCli } from './build.ts';

const exec = promisify(execFile);

/** Somebody else's project with the package as `npm pack` makes it from the last build. */
export interface ForeignProject {
  readonly folder: string;
  write(name: string, text: string): Promise<void>;
  /** Rejects with what it printed when it ends with another code than 0. */
  run(program: string, ...argv: string[]): Promise<{ stdout: string; stderr: string }>;
  close(): Promise<void>;
}

/** `packages`: those that the project has besides, from our own tree. */
export async function foreignProject(...packages: string[]): Promise<ForeignProject> {
  builtCli();
  const folder = await mkdtemp(join(tmpdir(), 'robot-vasp-foreign-'));
  const modules = join(folder, 'node_modules');
  const installed = join(modules, 'robot-vasp');
  await mkdir(installed, { recursive: true });
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await exec('npm', pack, { cwd: ROOT });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await exec('tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', installed]);
  for (const name of packages) await link(name, modules);
  // The links stand for the packages that `npm install` would put there.
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))
    if (existsSync(join(ROOT, 'node_modules', name))) await link(name, join(installed, 'node_modules'));
  return {
    folder,
    write: (name, text) => writeFile(join(folder, name), text),
    run: (program, ...argv) =>
      exec(program, argv, { cwd: folder, env: { PATH: process.env.PATH, TMPDIR: folder }, timeout: 120_000 }),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

async function link(name: string, modules: string): Promise<void> {
  await mkdir(join(modules, name, '..'), { recursive: true });
  await symlink(join(ROOT, 'node_modules', name), join(modules, name));
}

import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { afterAll } from 'vitest';

/** Runs before the tests of every file: what a file starts ends with it, also when a hook of it fails. */

/** Serves all files of this process. */
const SHARED = /[/\\]esbuild$/;

/** Of this process, which runs many files. */
const global = globalThis as { children?: Set<ChildProcess> };
const children = global.children ?? new Set();
if (!global.children) noteChildren(children);
global.children = children;

function noteChildren(children: Set<ChildProcess>): void {
  subscribe('child_process', message => {
    const { process: child } = message as { process: ChildProcess };
    children.add(child);
    for (const event of ['exit', 'error']) child.once(event, () => children.delete(child));
  });
  process.once('exit', () => kill(children));
}

function kill(some: Iterable<ChildProcess>): void {
  for (const child of some) child.kill('SIGKILL');
}

afterAll(() => kill([...children].filter(({ spawnfile }) => !SHARED.test(spawnfile))));

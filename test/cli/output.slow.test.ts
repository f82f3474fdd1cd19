import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { builtCli } from '../support/process/build.ts';
import { freePort } from '../support/process/program.ts';

/** The exit code of the command and its standard error. `$RUN` is the program. */
function shell(line: string): { code: number; stderr: string } {
  const env = { PATH: process.env.PATH, RUN: `${process.execPath} ${builtCli()}` };
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', line], { env, encoding: 'utf8' });
  return { code: Number(stdout.trim().split('\n').at(-1)), stderr };
}

test.each(['help --json', 'check --schema', 'check --list'])(
  '`%s` ends without a word when its reader is gone',
  command => {
    expect(shell(`(sleep 1; exec $RUN ${command}) | true; echo \${PIPESTATUS[0]}`)).toEqual({ code: 141, stderr: '' });
  },
);

test.runIf(existsSync('/dev/full'))('a full disk is one line', () => {
  expect(shell('$RUN check --list >/dev/full; echo $?')).toEqual({
    code: 1,
    stderr: 'robot-vasp: the output cannot be written (ENOSPC).\n',
  });
});

test.runIf(existsSync('/dev/full'))('a server whose log cannot be written stops in order', async () => {
  const port = await freePort();
  const serve = `exec timeout -k 5 60 $RUN serve --port ${port} --database :memory: >/dev/full 2>&1`;
  const wait = `$RUN wait --ready --url http://127.0.0.1:${port} >/dev/null 2>&1`;
  expect(shell(`(${serve}) & ${wait}; kill $!; wait $!; echo $?`)).toEqual({ code: 0, stderr: '' });
});

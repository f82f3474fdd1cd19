import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { spawnGuarded } from '../../src/devnet/ethereum/launch.ts';

const OF_THIS = ['--pid', String(process.pid)];

test.runIf(spawnSync('prlimit', ['--version']).status === 0)(
  'a process that cannot be started without a free file says so, and has ended',
  async () => {
    const asked = spawnSync('prlimit', [...OF_THIS, '--nofile', '--output=SOFT', '--noheadings']);
    const usual = `--nofile=${String(asked.stdout).trim()}:`;
    const restore = spawn('sh', ['-c', 'read _; exec prlimit "$@"', 'sh', ...OF_THIS, usual]);
    onTestFinished(async () => {
      restore.stdin.end('now\n');
      await once(restore, 'exit');
    });
    spawnSync('prlimit', [...OF_THIS, '--nofile=3:']);
    const guarded = spawnGuarded('/bin/true', []);
    expect(await guarded.exited).toEqual({ code: null, signal: null });
    expect([guarded.running, guarded.stderrTail()]).toEqual([false, expect.stringContaining('EMFILE')]);
  },
);

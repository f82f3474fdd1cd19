import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { builtCli } from '../support/process/build.ts';
import { until } from '../support/until.ts';

const RESTARTS = 20;
let outer: ChildProcess | undefined;
afterEach(() => outer?.kill('SIGKILL'));

interface Process {
  pid: number;
  name: string;
  state: string;
  parent: number;
}

function processes(): Process[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        const [, name = '', state = '', parent = ''] =
          /^\d+ \((.*)\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
        return [{ pid: Number(pid), name, state, parent: Number(parent) }];
      } catch {
        return [];
      }
    });
}

/** Only Linux has process namespaces. Whoever is not root needs a namespace of users, too. */
test.runIf(process.platform === 'linux')(
  `as process 1 of a container it leaves no zombie after ${RESTARTS} restarts of the Ethereum node`,
  async () => {
    const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
    const argv = [...user, '--pid', '--fork', '--mount-proc', '--kill-child'];
    outer = spawn('unshare', [...argv, process.execPath, builtCli(), 'serve', '--json'], {
      env: { PATH: process.env.PATH, PORT: '0', DATABASE_PATH: ':memory:', LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    outer.stdout!.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await until(() => output.includes('"ready"'));
    const { url } = JSON.parse(output.split('\n')[0]!) as { url: string };
    const one = processes().find(({ parent }) => parent === outer!.pid)!;
    const children = () => processes().filter(({ parent }) => parent === one.pid);
    expect(readFileSync(`/proc/${one.pid}/status`, 'utf8')).toMatch(/^NSpid:\t\d+\t1$/m);
    const before = children().map(({ name }) => name);
    for (let n = 0; n < RESTARTS; n++) {
      const answer = await fetch(`${url}/sandbox/v1/chains/ETH/start-over`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      expect(answer.status).toBe(200);
    }
    await until(() => children().length === before.length);
    expect(children().map(({ name }) => name)).toEqual(before);
    expect(children().filter(({ state }) => state === 'Z')).toEqual([]);
  },
);

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../support/paths.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'build-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a server that runs from dist goes on while the program is built again', async () => {
  for (const name of ['src', 'drizzle', 'fixtures', 'dist', 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const run = (...command: string[]) =>
    spawn(process.execPath, command, {
      cwd: folder,
      env: { PATH: process.env.PATH, PORT: '0', DATABASE_PATH: join(folder, 'robot.sqlite') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const server = run('dist/cli.js', 'serve', '--json');
  try {
    const [line] = await once(createInterface({ input: server.stdout }), 'line');
    const { url } = JSON.parse(line as string) as { url: string };
    const page = await (await fetch(`${url}/console`)).text();
    const assets = [...page.matchAll(/(?:href|src)="(\/[^"]+\.(?:css|js)[^"]*)"/g)].map(([, path]) => path!);
    expect(assets.length).toBeGreaterThan(1);
    const build = run('src/build.mjs');
    let code: number | undefined;
    build.once('exit', value => {
      code = value ?? -1;
    });
    const seen = new Map<string, Set<number>>();
    for (let rounds = 0; code === undefined || rounds < 1; rounds += code === undefined ? 0 : 1) {
      for (const path of ['/guide', '/guide/check', '/docs', ...assets]) {
        const answer = await fetch(url + path);
        // An answer that is not read keeps its connection.
        await answer.arrayBuffer();
        const { status } = answer;
        seen.set(path, (seen.get(path) ?? new Set()).add(status));
      }
      await delay(20);
    }
    expect(code).toBe(0);
    for (const [path, statuses] of seen) expect([path, ...statuses]).toEqual([path, 200]);
  } finally {
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
  }
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../../src/cli/command.ts';
import { load } from '../../src/cli/commands.ts';

describe('what other programs read from the output has characters that nobody sees, escaped', () => {
  const NAME = 'Kim\u200bMin\u00a0ji';
  async function outputOf(name: string, argv: string[], answer: object): Promise<string> {
    const server = createServer(({ url }, response) => {
      response.end(JSON.stringify(url === '/readyz' ? { status: 'READY' } : answer));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const out: string[] = [];
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const terminal = { env: {}, out: (text: string) => out.push(text), error: () => {} };
    await run(await load(name), [...argv, '--url', url], terminal);
    return out.join('\n');
  }

  test('export: import reads what was there', async () => {
    const exported = { vaspId: '7', name: NAME };
    const output = await outputOf('export', ['--vasp', '7', '--operator-key', 'k'.repeat(32)], exported);
    expect(JSON.parse(output)).toEqual(exported);
    expect(output).toContain('Kim\\u200bMin\\u00a0ji');
  });

  test('scenarios: the script sends what was there', async () => {
    const requests = { ETH: { name: NAME }, XRP: { name: NAME } };
    const scenario = { id: 'one', how: 'how', user: 'kim', path: '/v1/verifications', requests };
    const output = await outputOf('scenarios', ['one'], { scenarios: [scenario] });
    expect(output).toContain('"name": "Kim\\u200bMin\\u00a0ji"');
  });
});

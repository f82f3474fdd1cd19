import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../src/cli/command.ts';
import { load } from '../../src/cli/commands.ts';
import { client } from '../../src/client/client.ts';

/** A server that answers without an end: the command says so, and does not fill the memory. */

const CHUNK = 'x'.repeat(1024 * 1024);

/** Writes as fast as it is read. Answers how many MiB it has written. */
function endless(response: ServerResponse): () => number {
  let written = 0;
  const more = () => {
    do written += 1;
    while (response.write(CHUNK) && written < 2_000);
  };
  response.on('drain', more);
  more();
  return () => written;
}

async function hostile(isReady: boolean, type = 'application/json') {
  let written = () => 0;
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': type });
    if (isReady && request.url === '/readyz') return void response.end('{"status":"READY"}');
    written = endless(response);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, written: () => written() };
}

async function commandAt(name: string, argv: string[]) {
  const error: string[] = [];
  const terminal = { env: {}, out() {}, error: (text: string) => void error.push(text) };
  return { code: await run(await load(name), argv, terminal), error: error.join('\n') };
}

test('another program at the address', async () => {
  const { url, written } = await hostile(false);
  const { code, error } = await commandAt('status', ['--url', url]);
  expect([code, error]).toEqual([3, expect.stringContaining('is no robot-vasp')]);
  expect(written()).toBeLessThan(64);
});

test('an answer of the API', async () => {
  const { url, written } = await hostile(true);
  const { code, error } = await commandAt('status', ['--url', url]);
  expect([code, error]).toEqual([1, expect.stringContaining('the answer has more than 256 MiB')]);
  expect(written()).toBeLessThan(320);
});

test('a set of keys of verify-report', async () => {
  const { url, written } = await hostile(true);
  const { code } = await commandAt('verify-report', ['package.json', '--jwks', `${url}/jwks.json`]);
  expect(code).toBeGreaterThan(0);
  expect(written()).toBeLessThan(64);
});

test('one event of the live events', async () => {
  const { url, written } = await hostile(true, 'text/event-stream');
  const read = async () => {
    for await (const event of client(url).events()) expect(event).toBeUndefined();
  };
  await expect(read()).rejects.toThrow();
  expect(written()).toBeLessThan(64);
});

import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { MAX_PIPELINED } from '../../src/http/listener.ts';
import { requestHead } from '../support/http/raw-socket.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld } from '../support/world/hosted-world.ts';

/** The files of the pages need no key. Whoever asks for the longest one, and reads nothing, costs others nothing. */

const PATH = '/console/assets/swagger-ui-bundle.js';
const CONNECTIONS = 120;
const MEGABYTE = 1_000_000;

const world = await forFile(createHostedWorld());
const tenant = await world.register();

const workMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
/** As it was sent. */
const bytesOf = (encoding: string) =>
  new Promise<Buffer>((resolve, reject) =>
    get(world.url + PATH, { headers: { 'accept-encoding': encoding } }, async answer => {
      expect(answer.statusCode).toBe(200);
      resolve(Buffer.concat(await answer.toArray()));
    }).on('error', reject),
  );

test('B3: a file is compressed once, for all who ask for it', async () => {
  const bytes = await bytesOf('identity');
  expect(gunzipSync(await bytesOf('gzip')).equals(bytes)).toBe(true);
  const times = 20;
  const before = workMs();
  for (let n = 0; n < times; n++) gzipSync(bytes);
  const compressing = workMs() - before;
  const from = workMs();
  for (let n = 0; n < times; n++) await bytesOf('gzip');
  expect(workMs() - from).toBeLessThan(compressing / 2);
});

function unread(encoding: string): Socket {
  const { hostname, port, host } = new URL(world.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  socket.write(requestHead('GET', PATH, { Host: host, 'Accept-Encoding': encoding }).repeat(MAX_PIPELINED));
  return socket.pause();
}

test.each(['gzip', 'identity'])(
  'B3: 960 pipelined requests (%s) on connections that read nothing: others are served, and little memory is held',
  async encoding => {
    const longest = (await bytesOf(encoding)).length;
    const before = process.memoryUsage().rss;
    const sockets = Array.from({ length: CONNECTIONS }, () => unread(encoding));
    await until(() => sockets.every(({ bytesWritten, writableLength }) => bytesWritten > 0 && writableLength === 0));
    for (let n = 0; n < 20; n++) await tenant.api.clock();
    const held = process.memoryUsage().rss - before;
    expect(CONNECTIONS * MAX_PIPELINED * longest).toBeGreaterThan(300 * MEGABYTE);
    expect(held).toBeLessThan(40 * MEGABYTE);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await fetch(world.url + PATH)).status === 200);
  },
);

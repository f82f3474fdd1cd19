import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '../client/client.ts';
import type { RunReport } from '../contract/plans.ts';
import { pause } from '../timers/loop.ts';
import type { RobotCheckOptions, RobotDriver } from './robot.ts';

const LOOK_EVERY_MS = 100;

/** Starts a run and resolves with its report. A function becomes a driver address of this process. */
export async function checkWith(api: Client, { driver, ...order }: RobotCheckOptions = {}): Promise<RunReport> {
  const served = typeof driver === 'function' ? await serveDriver(driver) : undefined;
  const address = served ?? (driver as Exclude<typeof driver, RobotDriver>);
  try {
    const { id } = await api.startRun({
      unattended: true,
      ...order,
      ...(address ? { driver: served ? { url: served.url } : address } : {}),
    });
    for (;;) {
      const { endedAt } = await api.run(id, { exchangesOf: '' });
      if (endedAt !== null) return await api.run(id);
      await pause(LOOK_EVERY_MS);
    }
  } finally {
    served?.close();
  }
}

async function serveDriver(driver: RobotDriver): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.method !== 'POST') return answer(404, { code: 'NOT-FOUND' });
    const parts: Buffer[] = [];
    request.on('data', part => parts.push(part));
    request.on('end', () => {
      Promise.resolve()
        .then(() => driver(JSON.parse(Buffer.concat(parts).toString())))
        .then(
          result => (result === 'not-supported' ? answer(501, { code: 'NOT-SUPPORTED' }) : answer(200, result ?? {})),
          error => answer(500, { code: 'DRIVER-FAILED', message: String(error) }),
        );
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

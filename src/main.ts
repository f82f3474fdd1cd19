import type { Server } from 'node:http';
import { serve as listen } from '@hono/node-server';
import { type App, buildApp, type World } from './app/compose.ts';
import type { Config } from './app/config.ts';
import { verifyKeys } from './app/verify-keys.ts';
import { createLog } from './kernel/log.ts';

export interface Running {
  app: App;
  url: string;
  stop(): Promise<void>;
}

/** Longer than clients and proxies keep idle connections: if the server closes first, a request can be lost. */
const KEEP_ALIVE_MS = 65_000;

/**
 * Builds the app and listens. The server listens before the chains are ready; `/readyz` tells when they are. Throws
 * `ConfigError` for an invalid key.
 */
export async function serve(config: Config, others: Partial<World> = {}): Promise<Running> {
  await verifyKeys(config);
  const app = buildApp({ config, log: createLog(config.logLevel), ...others });
  const server = await listenOn(app, config).catch(async error => {
    await app.stop();
    throw error;
  });
  server.on('upgrade', app.upgrade);
  app.start();
  const { port } = server.address() as { port: number };
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  return { app, url, stop: () => stop(server, app) };
}

const listenOn = (app: App, config: Config): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = listen({ fetch: app.fetch, port: config.port, hostname: config.host }, () =>
      resolve(server),
    ) as Server;
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.once('error', reject);
  });

/** Accepts no new request, finishes the running ones, then stops everything else. */
async function stop(server: Server, app: App): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  server.closeIdleConnections();
  await app.stop();
  server.closeAllConnections();
  await closed;
}

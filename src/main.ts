import type { Server } from 'node:http';
import { serve as listen } from '@hono/node-server';
import { type App, buildApp, type World } from './app/compose.ts';
import type { Config } from './app/config.ts';
import { verifyKeys } from './app/verify-keys.ts';
import type { Db } from './db/open.ts';
import { openOwnDb } from './db/open-own.ts';
import { createLog } from './kernel/log.ts';
import { systemRandom } from './kernel/random.ts';

export interface Running {
  app: App;
  url: string;
  stop(): Promise<void>;
}

/** Longer than clients and proxies keep idle connections: if the server closes first, a request can be lost. */
const KEEP_ALIVE_MS = 65_000;

/** The state belongs to another process: nothing may be written any more. */
const EXIT_LEASE_LOST = 70;

/**
 * Builds the app and listens. The server listens before the chains are ready; `/readyz` tells when they are. Throws
 * `ConfigError` for an invalid key, and `StartProblem` when the database cannot be used.
 */
export async function serve(config: Config, others: Partial<World> = {}): Promise<Running> {
  await verifyKeys(config);
  const log = others.log ?? createLog(config.logLevel);
  const db = await openOwnDb(config.databasePath, systemRandom.uuid(), error => {
    log.error({ err: error.message }, 'the program stops');
    process.exit(EXIT_LEASE_LOST);
  });
  const app = built({ config, db, ...others, log });
  const server = await listenOn(app, config).catch(async error => {
    await app.stop();
    throw error;
  });
  server.on('upgrade', app.upgrade);
  const { port } = server.address() as { port: number };
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  app.start(url);
  return { app, url, stop: () => stop(server, app) };
}

function built(world: World & { db: Db }): App {
  try {
    return buildApp(world);
  } catch (error) {
    world.db.close();
    throw error;
  }
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
  await app.leave();
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  server.closeIdleConnections();
  await app.stop();
  server.closeAllConnections();
  await closed;
}

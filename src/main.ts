import type { Server } from 'node:http';
import { createChains } from './app/chains.ts';
import { type App, buildApp, type World } from './app/compose.ts';
import type { Config } from './app/config.ts';
import { readyWithin } from './app/ready-within.ts';
import { verifyKeys } from './app/verify-keys.ts';
import type { Db } from './db/open.ts';
import { openOwnDb } from './db/open-own.ts';
import { createListener } from './http/listener.ts';
import { trustedProxies } from './http/proxies.ts';
import { limitSockets } from './http/socket-limits.ts';
import { createLog, type Log } from './kernel/log.ts';
import { ownHosts } from './kernel/own-hosts.ts';
import { systemRandom } from './kernel/random.ts';

export interface Running {
  app: App;
  url: string;
  log: Log;
  /** Resolves when both ledgers are ready. Throws after 30 seconds, with the missing parts. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

interface Early {
  /** For a program that has loaded the adapters: the Ethereum node starts while the app is built. */
  startsEthereumEarly?: boolean;
}

const READY_WITHIN_MS = 30_000;
/** The state belongs to another process: nothing may be written any more. */
const EXIT_LEASE_LOST = 70;

/**
 * Builds the app and listens. The server listens before the chains are ready; `/readyz` tells when they are. Throws
 * `ConfigError` for an invalid key, and `StartProblem` when the database cannot be used.
 */
export async function serve(
  config: Config,
  { startsEthereumEarly, ...others }: Partial<World> & Early = {},
): Promise<Running> {
  await verifyKeys(config);
  const log = others.log ?? createLog(config.logLevel);
  const db = await openOwnDb(config.databasePath, systemRandom.uuid(), error => {
    log.error({ err: error.message }, 'the program stops');
    process.exit(EXIT_LEASE_LOST);
  });
  const own = config.mode === 'hosted' ? await ownWallets(config, db) : config;
  const networks = createChains(own, log);
  if (startsEthereumEarly) await networks.startEthereumEarly();
  const app = await built({ config: own, db, networks, ...others, log });
  const proxies = trustedProxies(config.trustedProxies);
  const server = createListener(app, ownHosts({ ...config, hostOf: proxies.hostOf }), log);
  if (config.mode === 'hosted') limitSockets(server, proxies);
  await listen(server, config).catch(async error => {
    await app.stop();
    throw error;
  });
  const { port } = server.address() as { port: number };
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  app.start(url);
  return { app, url, log, ready: () => readyWithin(app, READY_WITHIN_MS), stop: () => stop(server, app) };
}

async function ownWallets(config: Config, db: Db): Promise<Config> {
  try {
    const { withOwnWallets } = await import('./app/own-wallets.ts');
    return await withOwnWallets(config, db);
  } catch (error) {
    db.close();
    throw error;
  }
}

async function built(world: World & { db: Db }): Promise<App> {
  try {
    return buildApp(world);
  } catch (error) {
    await world.networks.stop();
    world.db.close();
    throw error;
  }
}

const listen = (server: Server, { port, host }: Config): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
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

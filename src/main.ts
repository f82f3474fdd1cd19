import { once } from 'node:events';
import type { Server } from 'node:http';
import { type CreateCallers, localCallers } from './app/callers/callers.ts';
import { createChains } from './app/chains/chains.ts';
import type { App } from './app/compose.ts';
import { type Config, verifyKeys } from './app/config/config.ts';
import { loadApp } from './app/load.ts';
import type { World } from './app/parts/base.ts';
import { readyWithin } from './app/ready-within.ts';
import type { AssetSymbol } from './contract/assets.ts';
import { hasRole } from './contract/tenancy.ts';
import { type Db, openOwnDb } from './db/open.ts';
import type { StoppableListener } from './http/listener.ts';
import { trustedProxies } from './http/proxies.ts';
import { closeUnread, earlyServer, limitSockets } from './http/server.ts';
import { ownHosts, servedAt } from './kernel/hosts.ts';
import { createLog, type Log } from './kernel/log.ts';

export interface Running {
  app: App;
  url: string;
  log: Log;
  /** Resolves when the ledgers, by default both, are ready. Throws after 30 seconds, with the missing parts. */
  ready(symbols?: readonly AssetSymbol[]): Promise<void>;
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 30_000;
/** With the timers that run after it, less than the ten seconds that a container gets. */
const REQUESTS_END_WITHIN_MS = 3_000;

/**
 * Listens, and then loads and builds the app. The server listens before the chains are ready; `/readyz` tells when they
 * are. Throws `ConfigError` for an invalid key, and `StartProblem` when the database cannot be used.
 */
export async function serve(config: Config, others: Partial<World> = {}): Promise<Running> {
  await verifyKeys(config);
  const log = others.log ?? createLog(config.logLevel);
  const db = openOwnDb(config.databasePath);
  const own = config.mode === 'hosted' ? await ownWallets(config, db) : config;
  const proxies = trustedProxies(config.trustedProxies);
  const { server, serve: serveBy } = earlyServer();
  closeUnread(server);
  if (config.mode === 'hosted') limitSockets(server, proxies);
  await once(server.listen(config.port, config.host), 'listening').catch(error => {
    db.close();
    throw error;
  });
  const { app, createListener } = await built({ config: own, db, ...others, log }).catch(error => {
    server.close().closeAllConnections();
    throw error;
  });
  const { robotUrl } = config.foreignEnclave;
  const named = [...config.hosts, ...(robotUrl ? [new URL(robotUrl).host] : [])];
  const hosts = ownHosts({ ...config, hosts: named, anyAddress: config.mode === 'local', hostOf: proxies.hostOf });
  const listener = createListener(app, hosts, log);
  serveBy(listener);
  const { port } = server.address() as { port: number };
  const url = servedAt(config.host, port);
  app.start(url);
  return {
    app,
    url,
    log,
    ready: symbols => readyWithin(app, READY_WITHIN_MS, symbols),
    stop: () => stop(server, listener, app),
  };
}

/** The local mode never loads the code of the hosted mode. */
const callersFor = async ({ mode }: Config): Promise<CreateCallers> =>
  mode === 'hosted' ? (await import('./app/callers/hosted.ts')).hostedCallers : localCallers;

async function ownWallets(config: Config, db: Db): Promise<Config> {
  try {
    const { withOwnWallets } = await import('./app/chains/own-wallets.ts');
    return await withOwnWallets(config, db);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The Ethereum node starts while the app is loaded. */
async function built(world: Omit<World, 'networks' | 'createCallers'> & { db: Db }) {
  const { config, db, log } = world;
  const networks = createChains(config, log);
  try {
    if (hasRole(config.roles, 'robot')) await networks.ETH.startEarly();
    const createCallers = await callersFor(config);
    const { buildApp, createListener } = await loadApp();
    return { app: buildApp({ networks, createCallers, ...world }), createListener };
  } catch (error) {
    await networks.stop();
    db.close();
    throw error;
  }
}

/** Accepts no new request, finishes the running ones, then stops everything else. */
async function stop(server: Server, listener: StoppableListener, app: App): Promise<void> {
  await app.leave();
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  server.closeIdleConnections();
  await listener.end(REQUESTS_END_WITHIN_MS);
  await app.stop();
  server.closeAllConnections();
  await closed;
}

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import ipaddr from 'ipaddr.js';
import { ownHosts } from '../../kernel/hosts.ts';
import type { Log } from '../../kernel/log.ts';
import { closeTimer } from './close-timer.ts';
import { Engine, type EngineOptions } from './engine.ts';
import { createFaucet, faucetAddress } from './faucet.ts';
import type { ServerPort } from './rpc/request.ts';
import { type HandleRequest, type HandleUpgrade, requestHandler, webSockets } from './server.ts';
import { openStorage, openUsable, type Storage } from './storage.ts';
import { publish } from './subscriptions.ts';
import { isTo } from './transactors/payment.ts';

/** A standalone XRP Ledger server for tests. README.md in this folder says how to start it and where its parts are. */
export interface XrplLedgerOptions extends EngineOptions {
  /** Its own SQLite file, or `:memory:`. */
  databasePath: string;
  /** Milliseconds; five times as long without submissions. 0: only `ledger_accept` and `controls.close` close a ledger. */
  closeIntervalMs: number;
  /** Admin commands are allowed from any address, not only from this machine. */
  adminFromAnywhere?: boolean;
  /** The ports in `server_info`, in front of the own one. */
  ports?: readonly ServerPort[];
  /** Key of the account that owns every other coin of ledger 1, and of the faucet. Default: the genesis account, whose key is public. */
  faucetSeed?: string;
  log: Log;
  /** Own port for WebSocket and JSON-RPC at `/` and the faucet at `/accounts`. Port 0: any free port. */
  listen?: { host: string; port: number };
}

export const XRPL_DEFAULTS = {
  networkId: 21_117,
  closeIntervalMs: 1_000,
  fees: { base: 10n, reserveBase: 1_000_000n, reserveIncrement: 200_000n },
} as const;

export type XrplLedger = Awaited<ReturnType<typeof startXrplLedger>>;

/** Throws if the database belongs to another network or is in use. */
export async function startXrplLedger(options: XrplLedgerOptions) {
  const { clock, log } = options;
  const { storage, engine } = openUsable(options.databasePath, log, path => openEngine(path, options));
  const timer = closeTimer(engine, options.closeIntervalMs, log);
  const { isPaying, ...faucet } = createFaucet(engine, timer, options.faucetSeed);
  /** A payment of the faucet that began before does not wait for the end of the hold. */
  const hold = (on: boolean) => {
    if (on && !timer.held && isPaying()) engine.close();
    timer.hold(on);
  };
  const ports = [...(options.ports ?? [])];
  const server = { startedAt: clock.now(), ports };
  const isAdmin = options.adminFromAnywhere ? () => true : isLoopback;
  const sockets = webSockets({ engine, server, log }, isAdmin);
  const handleRequest = requestHandler({ engine, server, log }, faucet, isAdmin);
  publish(engine, sockets.sessions);
  engine.on('reset', sockets.restart);
  const stop = async () => {
    timer.stop();
    await sockets.close();
    storage.close();
  };
  const own =
    options.listen &&
    (await listen(options.listen, handleRequest, sockets.handleUpgrade).catch(async error => {
      await stop();
      throw error;
    }));
  if (own) ports.push({ port: String((own.address() as AddressInfo).port), protocol: ['http', 'ws'] });
  return {
    /** `ws://host:port`; undefined without `listen`. */
    url: own && urlOf(own),
    handleRequest,
    /** Takes a WebSocket upgrade from another server of this process. */
    handleUpgrade: sockets.handleUpgrade,
    ...faucet,
    controls: controlsOf(engine, hold),
    /** Length of its database. */
    get stateBytes() {
      return storage.bytes();
    },
    /** The chain controls that are on or wait for their call. With `hold` the timer closes no ledgers. */
    async activeControls(): Promise<string[]> {
      return [...(timer.held ? ['hold'] : []), ...engine.activeControls];
    },
    async close(): Promise<void> {
      own?.close();
      own?.closeAllConnections();
      await stop();
    },
  };
}

function openEngine(path: string, options: XrplLedgerOptions): { storage: Storage; engine: Engine } {
  const { networkId, faucetSeed } = options;
  const storage = openStorage(path);
  try {
    claim(storage, networkId);
    const bank = faucetSeed === undefined ? undefined : faucetAddress(faucetSeed);
    return { storage, engine: new Engine(storage, options, bank) };
  } catch (error) {
    storage.close();
    throw error;
  }
}

/** A database belongs to one network, because its transactions were signed for it. */
function claim(storage: Storage, networkId: number): void {
  const owner = storage.property('network-id');
  if (owner === undefined) return storage.setProperty('network-id', String(networkId));
  if (owner === String(networkId)) return;
  throw new Error(`The database belongs to network ${owner}, not to ${networkId}.`);
}

const isLoopback = (address = ''): boolean => ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

const FOREIGN = 'The request names another host, or a foreign web page sent it.\r\n';

async function listen(
  { host, port }: { host: string; port: number },
  handleRequest: HandleRequest,
  upgrade: HandleUpgrade,
): Promise<Server> {
  // On a network, clients may call this server by any name.
  const hosts = host === 'localhost' || isLoopback(host) ? ownHosts({ host, hosts: [] }) : undefined;
  const answer = getRequestListener((request, { incoming }) =>
    handleRequest(request, { remoteAddress: incoming.socket.remoteAddress }),
  );
  const server = createServer((request, response) => {
    if (hosts?.check(request)) return void response.writeHead(403, { connection: 'close' }).end(FOREIGN);
    void answer(request, response);
  });
  server.on('upgrade', (request, socket, head) => {
    // Without a listener a reset connection would end the process.
    socket.on('error', () => socket.destroy());
    if (!hosts?.check(request)) return upgrade(request, socket, head);
    socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
  });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}

function urlOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return `ws://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

export type XrplControls = ReturnType<typeof controlsOf>;

/** Controls for tests. Each one does what can happen to a real ledger. `hold`: stops the timer that closes ledgers. */
export const controlsOf = (engine: Engine, hold: (on: boolean) => void) => ({
  /** Closes one ledger now, even while closing is on hold. */
  close(): { index: number; hash: string } {
    const { header } = engine.close();
    return { index: header.index, hash: header.hash };
  },
  /** Closes a ledger if a transaction waits for it. */
  closePending(): void {
    if (engine.open.transactions.size > 0) engine.close();
  },
  hold,
  /** Closes a ledger in which payments to this account fail with tecNO_PERMISSION. The hash of one; undefined: none waits. */
  failPayment(account: string, tag?: number): string | undefined {
    const payment = [...engine.open.transactions.values()].find(tx => isTo(tx, { account, tag }));
    if (payment) engine.close({ account, tag });
    return payment?.hash;
  },
  /** The next submission is answered as usual and is lost. */
  dropNext: (): void => engine.submissions.dropNext(),
  /** The next submission is answered as usual and reaches the open ledger only after this many closes. */
  delayNext: (closes: number): void => engine.submissions.delayNext(closes),
  /** The next close applies the last account to submit first, so that results differ from the provisional ones. */
  reorderNextClose: (): void => engine.reorderNextClose(),
  /** Minimum fee = base fee × this (1: normal). A lower fee fails with telINSUF_FEE_P. */
  loadFactor(factor: number): void {
    engine.loadFactor = factor;
  },
  /** Deletes closed ledgers up to and including this index, as on a server with little history. */
  forgetHistory: (upTo: number): void => engine.forgetHistory(upTo),
  /** Starts over from a new genesis, like the reset of a test network. Connections are closed. */
  startOver: (): void => engine.startOver(),
});

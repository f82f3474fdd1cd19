import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, BlockList } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import { Engine } from './engine.ts';
import { Faucet } from './faucet.ts';
import type { Endowed } from './genesis.ts';
import { httpHandlers, type XrplHttp } from './http-server.ts';
import { knobsOf, type XrplKnobs } from './knobs.ts';
import { openStorage, type Storage } from './storage.ts';
import { publish } from './subscriptions.ts';
import { webSockets } from './websocket-server.ts';

/** A standalone XRP Ledger of XRP payments, account settings and tickets: the stand-in for a real server. */
export interface XrplLedgerOptions {
  /** Its own SQLite file, or `:memory:`. */
  databasePath: string;
  /** Above 1024 every transaction must name it; 0 is allowed for a ledger of one's own. */
  networkId: number;
  /** 0: a ledger closes only by `ledger_accept` or the knob. */
  closeIntervalMs: number;
  baseFeeDrops: bigint;
  reserveBaseDrops: bigint;
  reserveIncrementDrops: bigint;
  /** Admin commands from any address, not only from this machine. */
  adminFromAnywhere?: boolean;
  /** Transactions that an open ledger takes for the base fee; more are queued. 1000, as on a real server. */
  expectedLedgerSize?: number;
  /** Closed ledgers to keep; all of them without it. */
  keepLedgers?: number;
  /** Accounts that exist from ledger 1 on, beside the genesis account. A ledger that was begun earlier stays as it is. */
  endowed?: Endowed;
  clock: Clock;
  log: Log;
  /** A server of its own: WebSocket and JSON-RPC at `/`, faucet at `/accounts`. Port 0: any free one. */
  listen?: { host: string; port: number };
}

export const XRPL_DEFAULTS = {
  networkId: 21_117,
  closeIntervalMs: 1_000,
  baseFeeDrops: 10n,
  reserveBaseDrops: 1_000_000n,
  reserveIncrementDrops: 200_000n,
} as const;

export interface XrplLedger extends XrplHttp {
  /** `ws://host:port` where it listens itself. */
  readonly url: string | undefined;
  /** For a WebSocket upgrade that another server of this process received. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** A real signed payment of the genesis account. Resolves when it is validated. */
  fund(address: string, drops: bigint, tag?: number): Promise<{ hash: string }>;
  readonly knobs: XrplKnobs;
  close(): Promise<void>;
}

/** Throws where the database belongs to another network or is in use. */
export async function startXrplLedger(options: XrplLedgerOptions): Promise<XrplLedger> {
  const { clock, log } = options;
  const storage = openStorage(options.databasePath);
  claim(storage, options.networkId);
  const fees = {
    base: options.baseFeeDrops,
    reserveBase: options.reserveBaseDrops,
    reserveIncrement: options.reserveIncrementDrops,
  };
  const { networkId, expectedLedgerSize = 1_000, keepLedgers, endowed } = options;
  const engine = new Engine({ storage, networkId, fees, clock, expectedLedgerSize, keepLedgers, endowed });
  const timer = closeTimer(engine, options.closeIntervalMs, log);
  const faucet = new Faucet(engine, () => options.closeIntervalMs === 0 && !timer.held);
  const ports: { port: string; protocol: string[] }[] = [];
  const server = { startedAt: clock.now(), hostId: 'robot-vasp', ports };
  const isAdmin = options.adminFromAnywhere ? () => true : isLoopback;
  const sockets = webSockets({ engine, server, log }, isAdmin);
  const http = httpHandlers({ engine, server, log }, faucet, isAdmin);
  publish(engine, sockets.sessions);
  engine.listen({ reset: () => sockets.restart() });
  const stop = async () => {
    timer.stop();
    await sockets.close();
    storage.close();
  };
  const own =
    options.listen && (await listen(options.listen, http, sockets.handleUpgrade).catch(afterwards(stop)));
  if (own) ports.push({ port: String((own.address() as AddressInfo).port), protocol: ['http', 'ws'] });
  return {
    url: own && urlOf(own),
    ...http,
    handleUpgrade: sockets.handleUpgrade,
    fund: (address, drops, tag) => faucet.fund(address, drops, tag),
    knobs: knobsOf(engine, timer.hold),
    async close() {
      if (own) closeServer(own);
      await stop();
    },
  };
}

/** A file belongs to one network for good: its transactions were signed for it. */
function claim(storage: Storage, networkId: number): void {
  const owner = storage.property('network-id');
  if (owner === undefined) return storage.setProperty('network-id', String(networkId));
  if (owner === String(networkId)) return;
  storage.close();
  throw new Error(`the database belongs to network ${owner}, not ${networkId}`);
}

function closeTimer(engine: Engine, intervalMs: number, log: Log) {
  const state = { held: false };
  const tick = () => {
    if (state.held) return;
    try {
      engine.close();
    } catch (error) {
      log.error({ err: String(error) }, 'xrpl: the ledger could not be closed');
    }
  };
  const timer = intervalMs > 0 ? setInterval(tick, intervalMs) : undefined;
  return {
    get held() {
      return state.held;
    },
    hold: (on: boolean) => {
      state.held = on;
    },
    stop: () => clearInterval(timer),
  };
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');
const isLoopback = (address: string | undefined): boolean => {
  const plain = address?.replace(/^::ffff:/, '') ?? '';
  return loopback.check(plain, plain.includes(':') ? 'ipv6' : 'ipv4');
};

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

function listen(
  { host, port }: { host: string; port: number },
  http: XrplHttp,
  upgrade: Upgrade,
): Promise<Server> {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    http.handleHttp(request, response).catch(() => response.destroy());
  });
  server.on('upgrade', upgrade);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

function urlOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return `ws://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

function closeServer(server: Server): void {
  server.close();
  server.closeAllConnections();
}

const afterwards =
  (stop: () => Promise<void>) =>
  async (error: unknown): Promise<never> => {
    await stop();
    throw error;
  };

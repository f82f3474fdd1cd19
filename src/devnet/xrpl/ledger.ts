import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import ipaddr from 'ipaddr.js';
import { classicAddressToXAddress } from 'ripple-address-codec';
import * as keypairs from 'ripple-keypairs';
import type { RawData } from 'ws';
import { parseUnits } from '../../kernel/decimal.ts';
import { ownHosts } from '../../kernel/hosts.ts';
import type { Log } from '../../kernel/log.ts';
import { type DevnetCaller, FaucetRefusal, TESTER, withFaults } from '../access.ts';
import { sendFrame, serveFrames, socketServer } from '../frames.ts';
import { Engine, type EngineOptions } from './engine.ts';
import { accountKey } from './entries.ts';
import { closeTimer, createFaucet, type Faucet, faucetAddress } from './faucet.ts';
import { answerFrame, answerJsonRpc, json, MAX_BYTES, parseObject } from './rpc/dispatch.ts';
import type { Dispatcher, ServerPort } from './rpc/request.ts';
import { accountId } from './signature.ts';
import { openStorage, openUsable, type Storage } from './storage.ts';
import { publish, type Session } from './subscriptions.ts';
import { isTo } from './transactors/payment.ts';

const DEFAULT_XRP = '1000';
const MAX_DROPS = 10n ** 15n;

/** The sender of a request. `from`: default the tester. */
interface HttpCaller {
  readonly remoteAddress: string | undefined;
  readonly from?: Pick<DevnetCaller, 'beforeSending' | 'faultOn'>;
}

export type HandleRequest = (request: Request, caller: HttpCaller) => Promise<Response>;

/** JSON-RPC at any path, the faucet at a path that ends in `/accounts`. */
export function requestHandler(
  to: Dispatcher,
  faucet: Pick<Faucet, 'fund' | 'requireClosing'>,
  isAdmin: (address: string | undefined) => boolean,
): HandleRequest {
  return async (request, { remoteAddress, from = TESTER }) => {
    // The web framework throws when it is asked for the body of CONNECT.
    if (request.method !== 'POST') return json(405, { error: 'Send a JSON-RPC call by POST.' }, { allow: 'POST' });
    const body = request.body ? await readBody(request.body) : Buffer.alloc(0);
    const path = new URL(request.url).pathname.replace(/\/$/, '');
    if (path.endsWith('/accounts')) return answerFaucet(faucet, body);
    const caller = { admin: isAdmin(remoteAddress), session: undefined, beforeSending: from.beforeSending };
    return withFaults(
      command => from.faultOn('XRP', command),
      refusalOf => answerJsonRpc(to, body, { ...caller, refusalOf }),
    );
  };
}

/** Keeps one chunk more than allowed, so that the caller sees the excess, and drops the rest. */
async function readBody(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    if (length <= MAX_BYTES) kept.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(kept);
}

/** As public faucets do: `{destination?, xrpAmount?}` -> `{account, amount, transactionHash, seed?}`. xrpl4j needs `xAddress`. */
async function answerFaucet(faucet: Pick<Faucet, 'fund' | 'requireClosing'>, body: Buffer): Promise<Response> {
  const request = body.length === 0 ? {} : body.length > MAX_BYTES ? undefined : parseObject(body);
  if (!request) return json(400, { error: 'The body is not a JSON object, or has a member twice.' });
  const drops = dropsOf(request.xrpAmount ?? DEFAULT_XRP);
  if (drops === undefined)
    return json(400, { error: 'xrpAmount must be a positive amount of XRP, at most 1000000000.' });
  const created = request.destination === undefined ? newWallet() : undefined;
  const address = created?.address ?? request.destination;
  if (typeof address !== 'string' || !accountId(address))
    return json(400, { error: 'destination must be a classic address.' });
  try {
    faucet.requireClosing();
    const { hash } = await faucet.fund(address, drops);
    const xAddress = classicAddressToXAddress(address, false, true);
    const seed = created?.seed;
    const account = { address, classicAddress: address, xAddress, secret: seed };
    return json(200, { account, amount: Number(drops) / 1_000_000, transactionHash: hash, seed });
  } catch (error) {
    const isRefused = error instanceof FaucetRefusal;
    return json(isRefused ? 400 : 503, { error: error instanceof Error ? error.message : 'the faucet failed' });
  }
}

function dropsOf(xrp: unknown): bigint | undefined {
  const drops = typeof xrp === 'number' || typeof xrp === 'string' ? parseUnits(String(xrp), 6) : undefined;
  return typeof drops === 'bigint' && drops > 0n && drops <= MAX_DROPS ? drops : undefined;
}

function newWallet(): { address: string; seed: string } {
  const seed = keypairs.generateSeed({ algorithm: 'ed25519' });
  return { seed, address: keypairs.deriveAddress(keypairs.deriveKeypair(seed).publicKey) };
}

export type HandleUpgrade = ReturnType<typeof webSockets>['handleUpgrade'];

/** `isAdmin` decides by the remote address of a connection. */
export function webSockets(to: Dispatcher, isAdmin: (address: string | undefined) => boolean) {
  const server = socketServer({
    // One frame per turn of the event loop: a client with thousands of frames must not delay others or the close.
    allowSynchronousEvents: false,
  });
  const sessions = new Set<Session>();
  return {
    sessions: sessions as ReadonlySet<Session>,
    /** `from`: default the tester. It is an admin from an address of admins. */
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, from = TESTER): void {
      const admin = from.access === 'everything' && isAdmin(request.socket.remoteAddress);
      server.upgrade({ request, socket, head, access: from.access }, client => {
        const session: Session = {
          apiVersion: 1,
          streams: new Set(),
          accounts: new Set(),
          accountsProposed: new Set(),
          send: message => sendFrame(client, JSON.stringify(message)),
        };
        const caller = { admin, session, beforeSending: from.beforeSending };
        sessions.add(session);
        client.on('close', () => sessions.delete(session));
        const serve = async (data: RawData) =>
          sendFrame(
            client,
            await withFaults(
              command => from.faultOn('XRP', command),
              refusalOf => answerFrame(to, data as Buffer, { ...caller, refusalOf }),
            ),
          );
        serveFrames(client, { maxRunning: 1, ...from }, serve, to.log);
      });
    },
    restart: () => server.restart('the ledger started over'),
    close: server.close,
  };
}

/** A standalone XRP Ledger server for tests. README.md in this folder says how to start it and where its parts are. */
export interface XrplLedgerOptions extends EngineOptions {
  /** Its own SQLite file, or `:memory:`. */
  databasePath: string;
  /** Milliseconds; five times as long without submissions. 0: only `ledger_accept` and `controls.close` close a ledger. */
  closeIntervalMs: number;
  /** Admin commands are allowed from any address, not only from this machine. */
  adminFromAnywhere?: boolean;
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
  const ports: ServerPort[] = [];
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
    /** In the newest closed ledger. */
    hasAccount: (address: string): boolean => storage.entry(accountKey(address), engine.closed.index) !== undefined,
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

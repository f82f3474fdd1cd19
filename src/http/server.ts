import { createServer, IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { tally } from '../kernel/tally.ts';
import { noteConnection } from './fair-turns.ts';
import type { Proxies } from './proxies.ts';
import { answerUnreadable } from './unreadable.ts';

/** Longer than clients and proxies keep idle connections: if the server closes first, a request can be lost. */
const KEEP_ALIVE_MS = 65_000;
/** A sender of slow headers or of a slow body holds its socket no longer. */
const HEADERS_WITHIN_MS = 15_000;
const REQUEST_WITHIN_MS = 60_000;
/** Node looks every 30 s by default, so that both limits were twice as long. */
const LOOKS_EVERY_MS = 1_000;

const HEALTH_CHECK = /^\/healthcheck(?:\?|$)/;
export const HEALTHY = { status: 'UP' } as const;

export interface Listener {
  request(request: Incoming, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/**
 * A server that may listen before the program is loaded. Until `serve` is called, it answers the health check, and every
 * other request waits.
 */
export function earlyServer(): { server: Server; serve(listener: Listener): void } {
  let listener: Listener | undefined;
  let serve: (listener: Listener) => void = () => {};
  const isLoaded = new Promise<Listener>(resolve => {
    serve = resolve;
  });
  const server = createServer(
    {
      IncomingMessage: Incoming,
      requireHostHeader: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_WITHIN_MS,
      requestTimeout: REQUEST_WITHIN_MS,
      connectionsCheckingInterval: LOOKS_EVERY_MS,
    },
    (request, response) => {
      if (listener) return listener.request(request, response);
      if (isHealthCheck(request)) return answerHealthy(response);
      void isLoaded.then(loaded => {
        if (!response.destroyed) loaded.request(request, response);
      });
    },
  );
  answerUnreadable(server);
  server.on('connection', noteConnection);
  server.on('upgrade', (request, socket, head) => {
    // Without a listener a reset connection would end the process.
    socket.on('error', () => socket.destroy());
    if (listener) return listener.upgrade(request, socket, head);
    void isLoaded.then(loaded => {
      if (!socket.destroyed) loaded.upgrade(request, socket, head);
    });
  });
  return {
    server,
    serve(loaded) {
      listener = loaded;
      serve(loaded);
    },
  };
}

const isHealthCheck = ({ method, url = '', headers, httpVersion }: IncomingMessage): boolean =>
  method === 'GET' && HEALTH_CHECK.test(url) && (headers.host !== undefined || httpVersion === '1.0');

function answerHealthy(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(HEALTHY));
}

/** Java's HTTP client asks for HTTP/2 by an upgrade header. Such a request is served as it is. */
export class Incoming extends IncomingMessage {
  /** The whole body: the web framework takes it from here. */
  rawBody?: Buffer;
  /** It has waited this long for its turn, milliseconds. */
  waitedMs = 0;
  /** Waits for another turn of its sender: of a request that takes long. Undefined: the sender has no turns. */
  nextTurn?: () => Promise<void>;
  /** It stands among the exchanges. */
  isRecorded?: true;
  // Declared only: the constructor of the class above sets it before fields exist.
  declare asksUpgrade: boolean | null;
  /** Without the error of a connection that ended: to make its stack takes longer than the request, and `close` tells the same. */
  override destroy(): this {
    return super.destroy();
  }
  get upgrade(): boolean | null {
    const isOther = this.method !== 'CONNECT' && this.headers.upgrade?.toLowerCase() !== 'websocket';
    return this.asksUpgrade && !isOther;
  }
  set upgrade(value: boolean | null) {
    this.asksUpgrade = value;
  }
}

const MOST = 10_000;
const MAX_PER_ADDRESS = 256;

/** Strangers share the sockets of the hosted mode. A trusted proxy has those of all its clients. */
export function limitSockets(server: Server, proxies: Proxies): void {
  const open = tally();
  server.maxConnections = MOST;
  server.on('connection', socket => {
    const address = socket.remoteAddress ?? '';
    if (proxies.isTrusted(address.replace(/^::ffff:/i, ''))) return;
    if (open.of(address) >= MAX_PER_ADDRESS) return void socket.destroy();
    open.add(address, 1);
    socket.once('close', () => open.add(address, -1));
  });
}

import { createServer, get, IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { elapsedMs } from '../kernel/clock.ts';
import { servedAt } from '../kernel/hosts.ts';
import { tally } from '../kernel/rate-limit.ts';
import { countQueueDelay } from '../kernel/stall.ts';
import { networkOf, type Proxies, plain } from './proxies.ts';
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
  // By default Node asks for every body.
  server.on('checkContinue', (request: Incoming, response) => {
    request.awaitsContinue = true;
    server.emit('request', request, response);
  });
  answerUnreadable(server);
  watchBacklog(server);
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
  /** Its sender waits to be asked for the body. */
  awaitsContinue = false;
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

const MAX_CONNECTIONS = 10_000;
const MAX_PER_ADDRESS = 256;

/** Strangers share the sockets of the hosted mode, by network. A trusted proxy has those of all its clients. */
export function limitSockets(server: Server, proxies: Proxies): void {
  const open = tally();
  server.maxConnections = MAX_CONNECTIONS;
  server.on('connection', socket => {
    const address = plain(socket.remoteAddress ?? '');
    if (proxies.isTrusted(address)) return;
    const network = networkOf(address);
    if (open.of(network) >= MAX_PER_ADDRESS) return void socket.destroy();
    open.add(network, 1);
    socket.once('close', () => open.add(network, -1));
  });
}

/** The returned function leaves the queue: `begin` is not called any more. */
export type InTurn = (owner: string, begin: () => void) => () => void;

interface Owner {
  waiting: Set<() => void>;
  /** Milliseconds of the event loop, on a scale that all owners share. */
  spentMs: number;
}

/**
 * The event loop accepts one connection in each of its rounds. Those that wait are accepted before anybody's next turn:
 * otherwise a new caller would wait for as many turns as another one has opened connections.
 */
let accepted = 0;
/** Rounds that each accept a connection are no backlog yet. */
const ASKS_AFTER_MS = 100;

/** Those that wait are of callers whom nobody knows. A connection of our own tells how long: it waits behind them. */
function watchBacklog(server: Server): void {
  let [before, since] = [0, 0];
  let [isWatching, isAsking] = [false, false];
  function eachRound(): void {
    isWatching = accepted !== before;
    before = accepted;
    if (!isWatching) return;
    if (server.listening && !isAsking && elapsedMs() - since > ASKS_AFTER_MS) ask();
    setImmediate(eachRound);
  }
  function ask(): void {
    const { address, port } = server.address() as AddressInfo;
    isAsking = true;
    const end = countQueueDelay('');
    get(`${servedAt(address, port)}/healthcheck`, { agent: false }, answer => answer.resume())
      .on('error', () => {})
      .on('close', () => {
        isAsking = false;
        end();
      });
  }
  server.on('connection', () => {
    accepted += 1;
    if (isWatching) return;
    isWatching = true;
    since = elapsedMs();
    setImmediate(eachRound);
  });
}
/** Rounds without a turn. Somebody may open connections without an end. */
const MAX_ACCEPTING = 4;
/** Each round reads and writes for everybody, which may take longer than a turn. So it begins turns for this long. */
const TURNS_MS = 10;
const MAX_TURNS = 64;
/** A call now and then does not wait for those who call all the time. */
const HEAD_START_MS = 20;

/**
 * Begins the requests of many owners in a fair order: the next one is of the owner that has cost the least. Nobody gets
 * more by opening more connections or by sending what is expensive. `now`: monotonic milliseconds.
 */
export function fairTurns(now = elapsedMs): InTurn {
  const owners = new Map<string, Owner>();
  let waiting = 0;
  /** Who comes anew, or again, begins here at least. Otherwise who was silent could let all others wait as long. */
  let baseMs = 0;

  const next = (): Owner | undefined => {
    let least: Owner | undefined;
    for (const [name, owner] of owners)
      if (owner.waiting.size === 0) {
        if (owner.spentMs <= baseMs) owners.delete(name);
      } else if (!least || owner.spentMs < least.spentMs) least = owner;
    return least;
  };

  function begin(owner: Owner): void {
    baseMs = Math.max(baseMs, owner.spentMs - HEAD_START_MS);
    const [turn] = owner.waiting;
    remove(owner, turn!);
    turn!();
  }
  function remove(owner: Owner, turn: () => void): boolean {
    const isIn = owner.waiting.delete(turn);
    if (isIn) waiting--;
    return isIn;
  }

  function plan(rounds = 0): void {
    const before = accepted;
    let owner: Owner | undefined;
    let [from, until] = [0, 0];
    /** Runs when everything has run that the turn before did without waiting for the outside. */
    const charge = () => {
      if (owner) owner.spentMs += now() - from;
      owner = undefined;
    };
    setImmediate(() => {
      if (accepted === before || rounds === MAX_ACCEPTING) until = now() + TURNS_MS;
    });
    for (let n = 0; n < Math.min(waiting, MAX_TURNS); n++)
      setImmediate(() => {
        charge();
        from = now();
        owner = from < until ? next() : undefined;
        if (owner) begin(owner);
      });
    setImmediate(() => {
      charge();
      if (waiting > 0) plan(until === 0 ? rounds + 1 : 0);
      else owners.clear();
    });
  }

  return (name, begin) => {
    const isIdle = owners.size === 0;
    const owner = owners.get(name) ?? { waiting: new Set(), spentMs: baseMs };
    owners.set(name, owner);
    if (owner.waiting.size === 0) owner.spentMs = Math.max(owner.spentMs, baseMs);
    const end = countQueueDelay(name);
    const turn = () => {
      end();
      begin();
    };
    owner.waiting.add(turn);
    waiting++;
    if (isIdle) plan();
    return () => {
      if (remove(owner, turn)) end();
    };
  };
}

/** Bodies hold memory while they are received, and until their requests have had their turn and their answer. */
const MAX_TOTAL = 128 * 1024 * 1024;

interface Body {
  owner: string;
  bytes: number;
}

/** The bodies that are held, and whose they are. Above `MAX_TOTAL` the owner who holds the most loses its longest one. */
export function heldBodies() {
  const held = new Map<ServerResponse, Body>();
  let all = 0;

  function release(response: ServerResponse): void {
    all -= held.get(response)?.bytes ?? 0;
    held.delete(response);
  }
  function cutLongest(): void {
    const sums = new Map<string, number>();
    for (const { owner, bytes } of held.values()) sums.set(owner, (sums.get(owner) ?? 0) + bytes);
    const largest = Math.max(...sums.values());
    const isGreedy = ([, { owner }]: [ServerResponse, Body]) => sums.get(owner) === largest;
    const [[longest]] = [...held].filter(isGreedy).sort(([, a], [, b]) => b.bytes - a.bytes) as [
      [ServerResponse, Body],
    ];
    release(longest);
    longest.destroy();
  }

  return {
    begin(response: ServerResponse, owner: string): void {
      held.set(response, { owner, bytes: 0 });
      response.once('close', () => release(response));
    },
    add(response: ServerResponse, bytes: number): void {
      const body = held.get(response);
      if (!body) return;
      body.bytes += bytes;
      all += bytes;
      if (all > MAX_TOTAL) cutLongest();
    },
  };
}

/** Answers that wait for their readers hold memory. Each connection has one at a time. */
const MAX_PER_OWNER = 16 * 1024 * 1024;
/** A connection whose reader takes nothing this long is closed. */
const UNREAD_MS = 30_000;

/** The answers that are under way, and whose they are. */
export function unreadAnswers() {
  const owners = new Map<ServerResponse, string>();

  /** Makes room: who reads the least loses a connection. */
  function cutLongest(): void {
    const [longest] = [...owners.keys()].sort((a, b) => b.writableLength - a.writableLength);
    longest!.destroy();
    owners.delete(longest!);
  }

  return {
    begin(response: ServerResponse, owner: string): void {
      owners.set(response, owner);
      response.once('close', () => owners.delete(response));
    },
    /** False: the owner should read what it has asked for. */
    mayAsk(owner: string): boolean {
      let [own, all] = [0, 0];
      for (const [response, whose] of owners) {
        all += response.writableLength;
        if (whose === owner) own += response.writableLength;
      }
      if (all > MAX_TOTAL) cutLongest();
      return own <= MAX_PER_OWNER;
    },
  };
}

/** The event says that the connection has moved no byte for a while. It may wait for an answer that is not made yet. */
export function closeUnread(server: Server, afterMs = UNREAD_MS): void {
  server.timeout = afterMs;
  server.on('request', (_, response) =>
    response.on('timeout', socket => {
      if (socket.writableLength > 0) socket.destroy();
    }),
  );
}

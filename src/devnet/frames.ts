import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type ServerOptions, WebSocket, WebSocketServer } from 'ws';
import { elapsedMs } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { rateLimit } from '../kernel/rate-limit.ts';
import { countQueueDelay } from '../kernel/stall.ts';
import { ConnectionLost, type DevnetAccess, type DevnetCaller, MAX_RPC_BYTES, mapAccess } from './access.ts';

const GOING_AWAY = 1001;
const INTERNAL_ERROR = 1011;
const SERVICE_RESTART = 1012;
const CLOSED_WITHIN_MS = 500;

/** Each part of a frame that has not arrived completely takes memory of its own. */
const MAX_PARTS = { maxFragments: 1_000, maxBufferedChunks: 8_192 };

/** The WebSockets of one chain. The frames of a stranger are as long as its bodies. */
export function socketServer(options: Pick<ServerOptions, 'allowSynchronousEvents'> = {}) {
  const servers = mapAccess(access => {
    const limits = { maxPayload: MAX_RPC_BYTES[access], ...MAX_PARTS };
    return new WebSocketServer({ noServer: true, perMessageDeflate: false, ...limits, ...options });
  });
  const open = () => Object.values(servers).flatMap(({ clients }) => [...clients]);
  return {
    upgrade({ request, socket, head, access }: Upgrading, connected: (client: WebSocket) => void) {
      servers[access].handleUpgrade(request, socket, head, client => {
        client.on('error', () => client.terminate());
        connections.set(client, socket);
        client.on('close', () => connections.delete(client));
        connected(client);
      });
    },
    /** Clients connect again. */
    restart(why: string): void {
      for (const client of open()) client.close(SERVICE_RESTART, why);
    },
    async close(): Promise<void> {
      const clients = open();
      const closed = clients.map(client => new Promise(resolve => client.once('close', resolve)));
      for (const client of clients) client.close(GOING_AWAY);
      const late = setTimeout(() => {
        for (const client of clients) client.terminate();
      }, CLOSED_WITHIN_MS);
      await Promise.all(closed);
      clearTimeout(late);
      for (const server of Object.values(servers)) server.close();
    },
  };
}

interface Upgrading {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
  access: DevnetAccess;
}

/** Frames of one connection that wait in memory. */
const MAX_WAITING = { frames: 64, bytes: 256 * 1024 };

/** Serves the frames of a connection, at most `maxRunning` at the same time. The others wait, and nothing is read while too many do. */
export function serveFrames(
  client: WebSocket,
  { maxRunning, turns, owner }: Pick<DevnetCaller, 'turns' | 'owner'> & { maxRunning: number },
  serve: (frame: RawData) => Promise<void>,
  log: Log,
): void {
  let waiting: { data: RawData; bytes: number; hasBegun(): void }[] = [];
  let waitingBytes = 0;
  let running = 0;
  let isAsking = false;
  const turn = turns(() => {
    isAsking = false;
    const frame = waiting.shift();
    // The connection was closed meanwhile.
    if (frame === undefined) return;
    waitingBytes -= frame.bytes;
    frame.hasBegun();
    running += 1;
    void serve(frame.data)
      .catch(error => {
        if (error instanceof ConnectionLost) return client.terminate();
        log.error({ err: String(error) }, 'a frame could not be answered');
        client.close(INTERNAL_ERROR);
      })
      .finally(() => {
        running -= 1;
        next();
      });
    next();
  });

  function next(): void {
    if (!isAsking && running < maxRunning && waiting.length > 0) {
      isAsking = true;
      turn.ask();
    }
    if (waiting.length >= MAX_WAITING.frames || waitingBytes >= MAX_WAITING.bytes) client.pause();
    else if (client.isPaused) client.resume();
  }

  client.on('message', (data: RawData) => {
    const bytes = (data as Buffer).length;
    waitingBytes += bytes;
    waiting.push({ data, bytes, hasBegun: countQueueDelay(owner) });
    next();
  });
  limitControlFrames(client);
  client.on('close', () => {
    turn.end();
    for (const { hasBegun } of waiting) hasBegun();
    waiting = [];
  });
}

/** A client with more unread bytes does not read any more. Its connection is closed. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;
/** Of all connections together. The longest one is closed. */
const MAX_UNREAD_OF_ALL = 64 * 1024 * 1024;
/** With less unread a client reads. */
const FEW_BYTES = 64 * 1024;
const connections = new Map<WebSocket, Duplex>();

export function sendFrame(client: WebSocket, text: string): void {
  if (client.readyState !== WebSocket.OPEN) return;
  writeTogether(connections.get(client)!);
  client.send(text);
  if (client.bufferedAmount > MAX_UNREAD_BYTES) return client.terminate();
  if (client.bufferedAmount < FEW_BYTES) return;
  const open = [...connections.keys()].filter(({ readyState }) => readyState === WebSocket.OPEN);
  if (open.reduce((sum, each) => sum + each.bufferedAmount, 0) <= MAX_UNREAD_OF_ALL) return;
  open.sort((a, b) => b.bufferedAmount - a.bufferedAmount)[0]!.terminate();
}

/** The frames of one turn of the event loop leave in one write: a block has one for each subscription. */
function writeTogether(socket: Duplex): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  setImmediate(() => socket.uncork());
}

/** Pings and pongs need no turn: thousands of them would stop everybody. */
function limitControlFrames(client: WebSocket): void {
  const limit = rateLimit(elapsedMs);
  const count = () => {
    if (!limit.take('', CONTROL_FRAMES.perSecond, CONTROL_FRAMES.burst).ok) client.terminate();
  };
  client.on('ping', count).on('pong', count);
}
const CONTROL_FRAMES = { burst: 200, perSecond: 20 };

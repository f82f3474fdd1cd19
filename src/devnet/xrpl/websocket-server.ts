import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { type DevnetCaller, TESTER } from '../access.ts';
import { sendFrame, serveFrames } from '../frames.ts';
import type { Dispatcher } from './rpc/dispatch.ts';
import { answerFrame } from './rpc/websocket-envelope.ts';
import type { Session } from './subscriptions.ts';

const MAX_FRAME_BYTES = 2 * 1024 * 1024;
const SERVICE_RESTART = 1012;
const GOING_AWAY = 1001;
const INTERNAL_ERROR = 1011;

/** `isAdmin` decides by the remote address of a connection. */
export function webSockets(to: Dispatcher, isAdmin: (address: string | undefined) => boolean) {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    // One frame per turn of the event loop: a client with thousands of frames must not delay others or the close.
    allowSynchronousEvents: false,
  });
  const sessions = new Set<Session>();
  server.on('connection', (socket: WebSocket, admin: boolean, { turns, beforeSending }: DevnetCaller) => {
    const session = sessionOf(socket);
    const caller = { admin, session, beforeSending };
    sessions.add(session);
    serveFrames(socket, { most: 1, turns }, async data => {
      try {
        session.send(answerFrame(to, bytesOf(data), caller));
      } catch (error) {
        to.log.error({ err: String(error) }, 'xrpl: a frame could not be answered');
        socket.close(INTERNAL_ERROR);
      }
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => sessions.delete(session));
  });
  return {
    sessions: sessions as ReadonlySet<Session>,
    /** `from`: default the tester. It is an admin from an address of admins. */
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, from = TESTER): void {
      const admin = from.access === 'everything' && isAdmin(request.socket.remoteAddress);
      server.handleUpgrade(request, socket, head, client => server.emit('connection', client, admin, from));
    },
    /** Closes every connection after the ledger started over, so that clients connect again. */
    restart(): void {
      for (const client of server.clients) client.close(SERVICE_RESTART, 'the ledger started over');
    },
    async close(): Promise<void> {
      const closed = [...server.clients].map(
        client => new Promise<void>(resolve => client.once('close', () => resolve())),
      );
      for (const client of server.clients) client.close(GOING_AWAY);
      const late = setTimeout(() => {
        for (const client of server.clients) client.terminate();
      }, 500);
      await Promise.all(closed);
      clearTimeout(late);
      server.close();
    },
  };
}

function sessionOf(socket: WebSocket): Session {
  return {
    apiVersion: 1,
    streams: new Set(),
    accounts: new Set(),
    accountsProposed: new Set(),
    send: message => sendFrame(socket, JSON.stringify(message)),
  };
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}

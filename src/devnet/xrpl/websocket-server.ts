import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { TESTER } from '../access.ts';
import { sendFrame, serveFrames, socketServer } from '../frames.ts';
import { withFaults } from '../rpc-fault.ts';
import { answerFrame } from './rpc/dispatch.ts';
import type { Dispatcher } from './rpc/request.ts';
import type { Session } from './subscriptions.ts';

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
        const session = sessionOf(client);
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

function sessionOf(socket: WebSocket): Session {
  return {
    apiVersion: 1,
    streams: new Set(),
    accounts: new Set(),
    accountsProposed: new Set(),
    send: message => sendFrame(socket, JSON.stringify(message)),
  };
}

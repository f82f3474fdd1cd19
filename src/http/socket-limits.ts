import type { Server } from 'node:http';
import { tally } from '../kernel/tally.ts';
import type { Proxies } from './proxies.ts';

const MOST = 10_000;
const MOST_OF_AN_ADDRESS = 256;

/** Strangers share the sockets of the hosted mode. A trusted proxy has those of all its clients. */
export function limitSockets(server: Server, proxies: Proxies): void {
  const open = tally();
  server.maxConnections = MOST;
  server.on('connection', socket => {
    const address = socket.remoteAddress ?? '';
    if (proxies.isTrusted(address.replace(/^::ffff:/i, ''))) return;
    if (open.of(address) >= MOST_OF_AN_ADDRESS) return void socket.destroy();
    open.add(address, 1);
    socket.once('close', () => open.add(address, -1));
  });
}

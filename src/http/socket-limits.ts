import type { Server } from 'node:http';
import type { Proxies } from './proxies.ts';

const MOST = 10_000;
const MOST_OF_AN_ADDRESS = 256;

/** Strangers share the sockets of the hosted mode. A trusted proxy has those of all its clients. */
export function limitSockets(server: Server, proxies: Proxies): void {
  const open = new Map<string, number>();
  server.maxConnections = MOST;
  server.on('connection', socket => {
    const address = socket.remoteAddress ?? '';
    if (proxies.isTrusted(address.replace(/^::ffff:/i, ''))) return;
    const count = (open.get(address) ?? 0) + 1;
    if (count > MOST_OF_AN_ADDRESS) return void socket.destroy();
    open.set(address, count);
    socket.once('close', () => {
      const left = open.get(address)! - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { EthereumNode } from './ethereum.ts';
import type { XrplLedger } from './xrpl/ledger.ts';

/** The embedded chains at our own port: `/devnet/ethereum` and `/devnet/xrpl`. Undefined: given by URL, so not here. */
export interface Devnets {
  ethereumNode(): Promise<EthereumNode> | undefined;
  xrplLedger(): Promise<XrplLedger> | undefined;
}

const notHere = { error: 'This chain is given by URL: reach it there.' };

export function devnetRoutes(devnets: Devnets): Hono {
  const app = new Hono();
  app.post('/ethereum', async c => {
    const node = await devnets.ethereumNode();
    if (!node) return c.json(notHere, 404);
    try {
      const { forward } = await import('./ethereum/forward.ts');
      const { status, body } = await forward(node.url, await c.req.arrayBuffer());
      return new Response(body, { status, headers: { 'content-type': 'application/json' } });
    } catch {
      return c.json({ error: 'The Ethereum node does not answer; it is being restarted.' }, 502);
    }
  });
  // JSON-RPC, and the faucet behind `/accounts`.
  for (const path of ['/xrpl', '/xrpl/*'])
    app.all(path, async c => {
      const ledger = await devnets.xrplLedger();
      // The program's own pages call without a socket.
      const remoteAddress = (c.env as HttpBindings | undefined)?.incoming.socket.remoteAddress;
      return ledger ? ledger.handleRequest(c.req.raw, { remoteAddress }) : c.json(notHere, 404);
    });
  return app;
}

/** WebSocket upgrades: only the ledger takes them. */
export const devnetUpgrade =
  (devnets: Devnets) =>
  async (incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const path = new URL(incoming.url ?? '/', 'http://localhost').pathname;
    const ledger =
      path === '/devnet/xrpl' || path === '/devnet/xrpl/' ? await devnets.xrplLedger() : undefined;
    if (ledger) ledger.handleUpgrade(incoming, socket, head);
    else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
  };

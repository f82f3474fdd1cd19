import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { request } from 'undici';
import type { EthereumNode } from './ethereum.ts';
import type { XrplLedger } from './xrpl/ledger.ts';

/** The embedded chains, served at `/devnet/ethereum` and `/devnet/xrpl`. Undefined: the chain is reached by URL. */
export interface Devnets {
  ethereumNode(): Promise<EthereumNode> | undefined;
  xrplLedger(): Promise<XrplLedger> | undefined;
}

const FORWARD_TIMEOUT_MS = 30_000;
const NOT_EMBEDDED = { error: 'This chain is not embedded. Use the URL in the configuration.' };

export function devnetRoutes(devnets: Devnets): Hono {
  const app = new Hono();
  app.post('/ethereum', async c => {
    const node = await devnets.ethereumNode();
    if (!node) return c.json(NOT_EMBEDDED, 404);
    try {
      const { status, body } = await forward(node.url, await c.req.arrayBuffer());
      return new Response(body, { status, headers: { 'content-type': 'application/json' } });
    } catch {
      return c.json({ error: 'The Ethereum node does not answer. See /readyz and try again.' }, 502);
    }
  });
  // JSON-RPC, and the faucet behind `/accounts`.
  for (const path of ['/xrpl', '/xrpl/*'])
    app.all(path, async c => {
      const ledger = await devnets.xrplLedger();
      // The program's own pages call without a socket.
      const remoteAddress = (c.env as HttpBindings | undefined)?.incoming.socket.remoteAddress;
      return ledger ? ledger.handleRequest(c.req.raw, { remoteAddress }) : c.json(NOT_EMBEDDED, 404);
    });
  return app;
}

/** WebSocket upgrades: only the XRP Ledger accepts them. */
export const devnetUpgrade =
  (devnets: Devnets) =>
  async (incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const path = new URL(incoming.url ?? '/', 'http://localhost').pathname;
    const ledger =
      path === '/devnet/xrpl' || path === '/devnet/xrpl/' ? await devnets.xrplLedger() : undefined;
    if (ledger) ledger.handleUpgrade(incoming, socket, head);
    else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
  };

/** Sends a JSON-RPC body to the node and returns its answer, both unchanged. Throws when the node does not answer. */
async function forward(url: string, rpc: ArrayBuffer): Promise<{ status: number; body: ArrayBuffer }> {
  const { statusCode, body } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(rpc),
    headersTimeout: FORWARD_TIMEOUT_MS,
    bodyTimeout: FORWARD_TIMEOUT_MS,
  });
  return { status: statusCode, body: await body.arrayBuffer() };
}

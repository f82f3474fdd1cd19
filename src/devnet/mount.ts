import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { ConnectionLost, type DevnetCaller, TESTER } from './access.ts';
import type { EthereumNode } from './ethereum.ts';
import type { XrplLedger } from './xrpl/ledger.ts';

/** The embedded chains, served at `/devnet/ethereum` and `/devnet/xrpl`. Undefined: the chain is reached by URL. */
export interface Devnets {
  ETH: { node(): Promise<EthereumNode> | undefined };
  XRP: { node(): Promise<XrplLedger> | undefined };
}

const NOT_EMBEDDED = 'This chain is not embedded. Use the URL in the configuration.';
const NO_FAUCET = 'Several VASPs share this ledger: use POST /sandbox/v1/faucet.';
const NOT_RUNNING = 'The chain does not run. See /readyz and try again.';

export function devnetRoutes(devnets: Devnets, callerOf: (c: Context) => DevnetCaller = () => TESTER): Hono {
  const app = new Hono();
  for (const path of ['/ethereum', '/ethereum/'])
    app.post(path, c =>
      served(c, devnets.ETH.node(), async ({ gateway }) => {
        const body = await gateway.answer(await c.req.text(), callerOf(c), () => c.req.raw.signal);
        return c.body(body, 200, { 'content-type': 'application/json' });
      }),
    );
  // JSON-RPC, and the faucet behind `/accounts`.
  for (const path of ['/xrpl', '/xrpl/*'])
    app.all(path, async c => {
      if (callerOf(c).access === 'everything')
        // The program's own pages call without a socket.
        return toLedger(c, (c.env as HttpBindings | undefined)?.incoming.socket.remoteAddress);
      return /\/accounts\/?$/.test(c.req.path) ? c.json({ error: NO_FAUCET }, 403) : toLedger(c, undefined);
    });
  const toLedger = (c: Context, remoteAddress: string | undefined) =>
    served(c, devnets.XRP.node(), ledger => ledger.handleRequest(c.req.raw, { remoteAddress, from: callerOf(c) }));
  return app;
}

async function served<T>(
  c: Context,
  starting: Promise<T> | undefined,
  serve: (chain: T) => Promise<Response>,
): Promise<Response> {
  if (!starting) return c.json({ error: NOT_EMBEDDED }, 404);
  const chain = await starting.catch(() => undefined);
  if (!chain) return c.json({ error: NOT_RUNNING }, 503, { 'retry-after': '5' });
  try {
    return await serve(chain);
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
    return hangUp(c);
  }
}

/** A call inside the process gets a network error instead. */
function hangUp(c: Context): Response | Promise<Response> {
  const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
  if (!outgoing) return Response.error();
  outgoing.destroy();
  return new Promise(() => {});
}

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer, caller?: DevnetCaller) => Promise<void>;

/** The WebSockets of the embedded chains, by path. They reject when the chain does not run. */
export const devnetUpgrades = (devnets: Devnets): ReadonlyMap<string, Upgrade> =>
  new Map([
    ['/devnet/ethereum', upgradeOf(() => devnets.ETH.node())],
    ['/devnet/xrpl', upgradeOf(() => devnets.XRP.node())],
  ]);

const upgradeOf =
  (chain: () => Promise<Pick<EthereumNode, 'handleUpgrade'>> | undefined): Upgrade =>
  async (request, socket, head, caller = TESTER) => {
    const running = await chain();
    if (!running) throw new Error(NOT_EMBEDDED);
    running.handleUpgrade(request, socket, head, caller);
  };

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { classicAddressToXAddress } from 'ripple-address-codec';
import * as keypairs from 'ripple-keypairs';
import type { RawData, WebSocket } from 'ws';
import { parseUnits } from '../../kernel/decimal.ts';
import { type DevnetCaller, FaucetRefusal, TESTER } from '../access.ts';
import { sendFrame, serveFrames, socketServer } from '../frames.ts';
import { withFaults } from '../rpc-fault.ts';
import { accountId } from './addresses.ts';
import type { Faucet } from './faucet.ts';
import { answerFrame, json, jsonRpc, MAX_BODY_BYTES, parseObject } from './rpc/dispatch.ts';
import type { Dispatcher } from './rpc/request.ts';
import type { Session } from './subscriptions.ts';

const DEFAULT_XRP = '1000';
const MAX_DROPS = 10n ** 15n;

/** The sender of a request. `from`: default the tester. */
interface HttpCaller {
  readonly remoteAddress: string | undefined;
  readonly from?: Pick<DevnetCaller, 'owner' | 'turns' | 'beforeSending' | 'faultOn'>;
}

export type HandleRequest = (request: Request, caller: HttpCaller) => Promise<Response>;

/** JSON-RPC at any path, the faucet at a path that ends in `/accounts`. */
export function requestHandler(
  to: Dispatcher,
  faucet: Pick<Faucet, 'fund' | 'requireClosing'>,
  isAdmin: (address: string | undefined) => boolean,
): HandleRequest {
  const answerJsonRpc = jsonRpc(to);
  return async (request, { remoteAddress, from = TESTER }) => {
    // The web framework throws when it is asked for the body of CONNECT.
    if (request.method !== 'POST') return json(405, { error: 'Send a JSON-RPC call by POST.' }, { allow: 'POST' });
    const body = request.body ? await readBody(request.body) : Buffer.alloc(0);
    const path = new URL(request.url).pathname.replace(/\/$/, '');
    if (path.endsWith('/accounts')) return answerFaucet(faucet, body);
    const caller = { admin: isAdmin(remoteAddress), session: undefined, beforeSending: from.beforeSending };
    return withFaults(
      command => from.faultOn('XRP', command),
      refusalOf => answerJsonRpc(body, { ...caller, refusalOf }, { ...from, gone: request.signal }),
    );
  };
}

/** Keeps one chunk more than allowed, so that the caller sees the excess, and drops the rest. */
async function readBody(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    if (length <= MAX_BODY_BYTES) kept.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(kept);
}

/** As public faucets do: `{destination?, xrpAmount?}` -> `{account, amount, transactionHash, seed?}`. xrpl4j needs `xAddress`. */
async function answerFaucet(faucet: Pick<Faucet, 'fund' | 'requireClosing'>, body: Buffer): Promise<Response> {
  const request = body.length === 0 ? {} : body.length > MAX_BODY_BYTES ? undefined : parseObject(body);
  if (!request) return json(400, { error: 'The body is not a JSON object, or has a member twice.' });
  const drops = dropsOf(request.xrpAmount ?? DEFAULT_XRP);
  if (drops === undefined)
    return json(400, { error: 'xrpAmount must be a positive amount of XRP, at most 1000000000.' });
  const created = request.destination === undefined ? newWallet() : undefined;
  const address = created?.address ?? request.destination;
  if (typeof address !== 'string' || !accountId(address))
    return json(400, { error: 'destination must be a classic address.' });
  try {
    faucet.requireClosing();
    const { hash } = await faucet.fund(address, drops);
    const xAddress = classicAddressToXAddress(address, false, true);
    const seed = created?.seed;
    const account = { address, classicAddress: address, xAddress, secret: seed };
    return json(200, { account, amount: Number(drops) / 1_000_000, transactionHash: hash, seed });
  } catch (error) {
    const isRefused = error instanceof FaucetRefusal;
    return json(isRefused ? 400 : 503, { error: error instanceof Error ? error.message : 'the faucet failed' });
  }
}

function dropsOf(xrp: unknown): bigint | undefined {
  const drops = typeof xrp === 'number' || typeof xrp === 'string' ? parseUnits(String(xrp), 6) : undefined;
  return typeof drops === 'bigint' && drops > 0n && drops <= MAX_DROPS ? drops : undefined;
}

function newWallet(): { address: string; seed: string } {
  const seed = keypairs.generateSeed({ algorithm: 'ed25519' });
  return { seed, address: keypairs.deriveAddress(keypairs.deriveKeypair(seed).publicKey) };
}

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

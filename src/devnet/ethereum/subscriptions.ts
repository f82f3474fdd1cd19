import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, WebSocket } from 'ws';
import type { Log } from '../../kernel/log.ts';
import { tally } from '../../kernel/rate-limit.ts';
import type { DevnetCaller } from '../access.ts';
import { sendFrame, serveFrames, socketServer } from '../frames.ts';
import { failure, type Gateway, type RpcCall } from './gateway.ts';

/** Frames of one connection that are answered at the same time. */
const MAX_CONCURRENT = 16;
/** Of the connections of one VASP together: each block is sent once for each of them. */
const MAX_SUBSCRIPTIONS = 50;
const SUBSCRIBED_WITHIN_MS = 10_000;
const SERVER_ERROR = -32000;
const SERVICE_RESTART = 1012;

/** WebSockets at `/devnet/ethereum`: the same calls as over HTTP, and `eth_subscribe`. */
export function ethereumSockets(nodeUrl: string, gateway: Gateway, log: Log) {
  const server = socketServer();
  const subscribed = tally();
  return {
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, caller: DevnetCaller): void {
      server.upgrade({ request, socket, head, access: caller.access }, client => {
        const subscriptions = nodeSubscriptions(nodeUrl, client, subscribed, caller.owner);
        client.on('close', () => subscriptions.close());
        const serve = async (frame: RawData) => {
          const { subscribe, answered } = subscriptions.ofFrame();
          try {
            const text = await gateway.answerFrame(String(frame), { caller, subscribe });
            if (text !== '') sendFrame(client, text);
          } finally {
            answered();
          }
        };
        serveFrames(client, { maxRunning: MAX_CONCURRENT, ...caller }, serve, log);
      });
    },
    close: server.close,
  };
}

/** A block has one for each subscription, so they are not parsed. */
const NOTIFICATION = '{"jsonrpc":"2.0","method":"eth_subscription"';
const TOO_MANY = `A VASP has at most ${MAX_SUBSCRIPTIONS} subscriptions.`;

/** A connection to the node, made for the first subscription of a client. */
function nodeSubscriptions(nodeUrl: string, client: WebSocket, counts: ReturnType<typeof tally>, owner: string) {
  let node: Promise<WebSocket> | undefined;
  let nextId = 1;
  /** Those of this connection. */
  let open = 0;
  let isClosed = false;
  const count = (more: 1 | -1) => {
    if (isClosed) return;
    open += more;
    counts.add(owner, more);
  };
  const waiting = new Map<number, (answer: object) => void>();
  /** Frames that subscribe and have no answer yet. What comes meanwhile is sent after it: a client knows no other ids. */
  let unanswered = 0;
  let held: string[] = [];

  const connect = () =>
    new Promise<WebSocket>((resolve, reject) => {
      const socket = new WebSocket(nodeUrl.replace(/^http/, 'ws'), { perMessageDeflate: false });
      socket.once('open', () => resolve(socket));
      socket.on('error', error => {
        node = undefined;
        reject(error);
      });
      // The subscriptions are gone: the client connects again.
      socket.on('close', () => client.close(SERVICE_RESTART, 'the node was restarted'));
      socket.on('message', data => received(String(data)));
    });
  function received(text: string): void {
    if (text.startsWith(NOTIFICATION)) return unanswered > 0 ? void held.push(text) : sendFrame(client, text);
    const message = JSON.parse(text) as { id?: number };
    waiting.get(message.id ?? 0)?.(message);
    waiting.delete(message.id ?? 0);
  }
  async function ask({ id, method, params }: RpcCall): Promise<string> {
    const isNew = method === 'eth_subscribe';
    if (isNew && counts.of(owner) >= MAX_SUBSCRIPTIONS) return failure(id, SERVER_ERROR, TOO_MANY);
    if (isNew) count(1);
    try {
      if (isClosed) throw new Error('the client has gone');
      node ??= connect();
      const socket = await node;
      const own = nextId++;
      const answer = new Promise<object>((resolve, reject) => {
        waiting.set(own, resolve);
        AbortSignal.timeout(SUBSCRIBED_WITHIN_MS).addEventListener('abort', () => reject(new Error('too late')));
      });
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: own, method, params }));
      const answered = (await answer) as { result?: unknown };
      if (isNew ? answered.result === undefined : answered.result === true) count(-1);
      return JSON.stringify({ ...answered, id: id ?? null });
    } catch {
      if (isNew) count(-1);
      return failure(id, SERVER_ERROR, 'The Ethereum node does not answer now. See /readyz and try again.');
    }
  }
  return {
    ofFrame() {
      let isSubscribing = false;
      return {
        subscribe(call: RpcCall): Promise<string> {
          if (!isSubscribing) unanswered += 1;
          isSubscribing = true;
          return ask(call);
        },
        answered(): void {
          if (!isSubscribing || --unanswered > 0) return;
          for (const text of held) sendFrame(client, text);
          held = [];
        },
      };
    },
    close(): void {
      isClosed = true;
      for (; open > 0; open--) counts.add(owner, -1);
      node?.then(
        socket => socket.terminate(),
        () => {},
      );
    },
  };
}

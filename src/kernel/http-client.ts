import { Agent, type AgentOptions, type IncomingMessage, request as overTcp } from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import { elapsedMs } from './clock.ts';
import { type AnswerProblem, CallFailure, type CallLimit, exchange, readAnswer, tooLong } from './http-exchange.ts';
import { USER_AGENT } from './program.ts';

export interface HttpRequest {
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: string;
}
export interface HttpAnswer {
  status: number;
  body: string;
  /** Names in lower case. */
  headers: [string, string][];
  /** The body cannot be read, or not as a whole. */
  problem: AnswerProblem | undefined;
}
export interface HttpClientSettings {
  connections: number;
  maxAnswerBytes: number;
  lookup?: LookupFunction | undefined;
  /** An unused connection is closed after this time. */
  idleMs: number;
  /** Called with every new connection, before it is made. */
  onSocket?: (socket: Socket) => void;
}

/** A new connection is looked up; with TLS it is opened before the handshake; then it stands. */
export type ConnectionState = 'begun' | 'opened' | 'made';

export interface CallWatch {
  /** A call that ends as CLOSED-WHILE-REUSED is sent once more on a fresh connection. Called before. Default: it is not sent again. */
  onRepeat?: ((why: CallFailure) => void) | undefined;
  /** `stop` ends the call with this error. */
  onConnection?: (state: ConnectionState, stop: (why: Error) => void) => void;
}

export type HttpClient = ReturnType<typeof httpClient>;
type Transport = { request: typeof overTcp; pooled: Agent; single: Agent };

/** Pooled connections. Follows no redirect, and uses no proxy. */
export function httpClient({ connections, lookup, idleMs, maxAnswerBytes, onSocket }: HttpClientSettings) {
  const options: AgentOptions = { maxSockets: connections, ...(lookup ? { lookup } : {}) };
  const kept = { ...options, keepAlive: true, timeout: idleMs };
  const tcp: Transport = { request: overTcp, pooled: new Agent(kept), single: new Agent(options) };
  let tls: Promise<Transport> | undefined;
  let agents = [tcp.pooled, tcp.single];
  /** Node's `reusedSocket` is false where a call that has waited takes a connection over. */
  const known = new WeakSet<Socket>();
  const underWay = new Set<Promise<unknown>>();

  async function loadTls(): Promise<Transport> {
    const [{ request }, { TlsAgent }] = await Promise.all([import('node:https'), import('./tls-agent.ts')]);
    const made = { request, pooled: new TlsAgent(kept), single: new TlsAgent(options) };
    agents = [...agents, made.pooled, made.single];
    return made;
  }
  function destroy(): void {
    for (const agent of agents) agent.destroy();
  }

  async function once(
    url: string,
    { method, headers, body }: HttpRequest,
    limit: CallLimit,
    watch: CallWatch,
    isFresh: boolean,
  ): Promise<HttpAnswer> {
    const { isTls, ...target } = targetOf(url);
    if (isTls) tls ??= loadTls();
    const { request: begin, pooled, single } = isTls ? await tls! : tcp;
    limit.signal?.throwIfAborted();
    const sent = begin({
      method,
      headers: { 'user-agent': USER_AGENT, ...headers },
      agent: isFresh ? single : pooled,
      ...target,
    });
    // Otherwise a call that waits gets its connection, which is fresh no more.
    if (isFresh) sent.shouldKeepAlive = false;
    let isReused = false;
    sent.on('socket', socket => {
      isReused = known.has(socket);
      known.add(socket);
      if (isReused) return;
      onSocket?.(socket);
      const stop = (why: Error) => void sent.destroy(why);
      watch.onConnection?.('begun', stop);
      if (isTls) socket.once('connect', () => watch.onConnection?.('opened', stop));
      socket.once(isTls ? 'secureConnect' : 'connect', () => watch.onConnection?.('made', stop));
    });
    const { message, bytes, isTooLong } = await exchange(sent, body, limit, maxAnswerBytes, () => isReused);
    const read = isTooLong
      ? { body: '', problem: tooLong(maxAnswerBytes) }
      : await readAnswer(bytes, message.headers, maxAnswerBytes);
    return { status: message.statusCode!, headers: headersOf(message), ...read };
  }

  async function atMostTwice(url: string, request: HttpRequest, limit: CallLimit, watch: CallWatch) {
    const limitOfBoth = { ...limit, startedAt: elapsedMs() };
    try {
      return await once(url, request, limitOfBoth, watch, false);
    } catch (error) {
      if (!watch.onRepeat || !(error instanceof CallFailure) || error.code !== 'CLOSED-WHILE-REUSED') throw error;
      watch.onRepeat(error);
      return once(url, request, limitOfBoth, watch, true);
    }
  }

  return {
    /**
     * Every answer with a final status is returned. Both attempts of a repeated call are within the limit. Throws
     * `CallTimeout`, `CallFailure`, the errors of Node and the reason of the signal.
     */
    call(url: string, request: HttpRequest, limit: CallLimit, watch: CallWatch = {}): Promise<HttpAnswer> {
      const calling = atMostTwice(url, request, limit, watch);
      underWay.add(calling);
      const end = () => underWay.delete(calling);
      calling.then(end, end);
      return calling;
    },
    async close(): Promise<void> {
      await Promise.allSettled(underWay);
      destroy();
    },
    destroy,
  };
}

function targetOf(url: string) {
  const { protocol, hostname, port, pathname, search } = new URL(url);
  return {
    isTls: protocol === 'https:',
    hostname: hostname.replace(/^\[|\]$/g, ''),
    ...(port === '' ? {} : { port: Number(port) }),
    path: pathname + search,
  };
}

const headersOf = ({ headersDistinct }: IncomingMessage): [string, string][] =>
  Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]);

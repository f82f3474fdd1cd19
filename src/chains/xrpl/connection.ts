import type { Connection } from 'xrpl/dist/npm/client/connection.js';
import { later } from '../../kernel/interval.ts';
import { ChainUnreachable } from '../port.ts';
import { openSession, type Session } from './session.ts';

export type XrplConnection = ReturnType<typeof xrplConnection>;

interface Options {
  create(): Promise<Connection>;
  /** Throws `ChainRefused` for a wrong network. */
  identify(serverInfo: unknown): void;
  timeoutMs: number;
  reconnectMs: number;
  onCall(command: string): void;
}

/**
 * One connection, opened when it is needed. The library's own reconnecting is not used: it tries once, and neither checks
 * the network nor subscribes again. Here every connection does both before its first command, and is dropped when an answer
 * does not come in time.
 */
export function xrplConnection(options: Options) {
  const listeners = new Set<() => void>();
  let opened: Promise<Session> | undefined;
  let cancelReconnect: (() => void) | undefined;
  let isClosed = false;
  const wakeAll = () => {
    for (const wake of listeners) wake();
  };

  const connected = (): Promise<Session> => {
    if (isClosed) return Promise.reject(new ChainUnreachable('the adapter is closed'));
    if (opened) return opened;
    const onEnd = () => {
      if (opened === opening) opened = undefined;
      reconnectLater();
    };
    const opening = open(options, onEnd, wakeAll);
    opened = opening;
    opening.catch(onEnd);
    return opening;
  };
  function reconnectLater(): void {
    if (cancelReconnect || isClosed) return;
    cancelReconnect = later(options.reconnectMs, () => {
      cancelReconnect = undefined;
      if (listeners.size > 0 && !opened) connected().then(wakeAll, () => {});
    });
  }

  return {
    /**
     * The `result` of one command, API version 2. Throws `XrplRefusal` for the error codes in `expected`,
     * `ChainUnreachable` for every other failure, and `ChainRefused` for a wrong network.
     */
    async request<T>(command: string, fields: object = {}, expected: readonly string[] = []): Promise<T> {
      const session = await connected();
      options.onCall(command);
      return (await session.ask(command, fields, expected)) as T;
    },
    /** Connects if needed and checks the network. */
    async check(): Promise<void> {
      options.identify(await (await connected()).ask('server_info'));
    },
    onLedger(wake: () => void): () => void {
      listeners.add(wake);
      connected().catch(() => {});
      return () => void listeners.delete(wake);
    },
    async close() {
      listeners.clear();
      isClosed = true;
      cancelReconnect?.();
      const session = await opened?.catch(() => undefined);
      await session?.drop();
    },
  };
}

async function open({ create, identify, timeoutMs }: Options, onEnd: () => void, onLedger: () => void) {
  const session = openSession(await create(), timeoutMs, onEnd, onLedger);
  try {
    await session.connect();
    identify(await session.ask('server_info'));
    await session.ask('subscribe', { streams: ['ledger'] });
    return session;
  } catch (error) {
    void session.drop();
    throw error;
  }
}

import { later } from '../../kernel/interval.ts';
import { ChainUnreachable } from '../port.ts';
import { openSession, type Session, type XrplSocket } from './session.ts';

export interface XrplConnection {
  /**
   * The `result` of one command, API version 2. Throws `XrplRefusal` for the error codes in `expected`,
   * `ChainUnreachable` for every other failure, and `ChainRefused` for a wrong network.
   */
  request<T>(command: string, fields?: object, expected?: readonly string[]): Promise<T>;
  /** Connects if needed and checks the network. */
  check(): Promise<void>;
  onLedger(wake: () => void): () => void;
  close(): Promise<void>;
}

/**
 * One connection, opened when it is needed. The library's own reconnecting is not used: it tries once, and neither
 * checks the network nor subscribes again. Here every connection does both before its first command, and is dropped
 * when an answer does not come in time.
 */
export function xrplConnection(
  create: () => Promise<XrplSocket>,
  identify: (serverInfo: unknown) => void,
  timeoutMs: number,
  reconnectMs: number,
  onCall: (command: string) => void,
): XrplConnection {
  const listeners = new Set<() => void>();
  let opened: Promise<Session> | undefined;
  let cancelReconnect: (() => void) | undefined;
  let isClosed = false;
  const wakeAll = () => {
    for (const wake of listeners) wake();
  };

  async function open(onEnd: () => void): Promise<Session> {
    const session = openSession(await create(), timeoutMs, onEnd, wakeAll);
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
  const connected = (): Promise<Session> => {
    if (isClosed) return Promise.reject(new ChainUnreachable('the adapter is closed'));
    if (opened) return opened;
    const onEnd = () => {
      if (opened === opening) opened = undefined;
      reconnectLater();
    };
    const opening = open(onEnd);
    opened = opening;
    opening.catch(onEnd);
    return opening;
  };
  function reconnectLater(): void {
    if (cancelReconnect || isClosed) return;
    cancelReconnect = later(reconnectMs, () => {
      cancelReconnect = undefined;
      if (listeners.size > 0 && !opened) connected().then(wakeAll, () => {});
    });
  }

  return {
    request: async <T>(command: string, fields: object = {}, expected: readonly string[] = []) => {
      const session = await connected();
      onCall(command);
      return (await session.ask(command, fields, expected)) as T;
    },
    async check() {
      identify(await (await connected()).ask('server_info'));
    },
    onLedger(wake) {
      listeners.add(wake);
      if (!opened) connected().catch(() => {});
      return () => void listeners.delete(wake);
    },
    async close() {
      isClosed = true;
      cancelReconnect?.();
      listeners.clear();
      const session = await opened?.catch(() => undefined);
      await session?.drop();
    },
  };
}

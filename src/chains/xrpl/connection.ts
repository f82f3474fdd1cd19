import { interval } from '../../kernel/interval.ts';
import { ChainUnreachable } from '../port.ts';
import { type Line, lineOf, type XrplClient } from './session.ts';

export interface XrplConnection {
  /**
   * The `result` of one command, API version 2. Throws `XrplRefusal` for the refusals that `expected` names, and
   * `ChainUnreachable` for every other; `ChainRefused`.
   */
  request<T>(command: string, fields?: object, expected?: readonly string[]): Promise<T>;
  /** Connects anew if need be and checks who the server is. */
  check(): Promise<void>;
  onLedger(wake: () => void): () => void;
  close(): Promise<void>;
}

const RECONNECT_MS = 1_000;

/**
 * One connection, opened when it is needed. The library's own reconnecting is not used: it tries once, and neither
 * checks the network nor subscribes again. Here every connection does both before anything else is asked on it, and
 * one on which an answer stays away is given up.
 */
export function xrplConnection(
  create: () => XrplClient,
  identify: (serverInfo: unknown) => void,
  timeoutMs: number,
): XrplConnection {
  const listeners = new Set<() => void>();
  let opened: Promise<Line> | undefined;
  let isClosed = false;
  const wakeAll = () => {
    for (const wake of listeners) wake();
  };

  async function open(forget: () => void): Promise<Line> {
    const line = lineOf(create(), timeoutMs, forget, wakeAll);
    try {
      await line.connect();
      identify(await line.ask('server_info'));
      await line.ask('subscribe', { streams: ['ledger'] });
      return line;
    } catch (error) {
      void line.drop();
      throw error;
    }
  }
  const connected = (): Promise<Line> => {
    if (isClosed) return Promise.reject(new ChainUnreachable('the adapter is closed'));
    if (opened) return opened;
    const forget = () => {
      if (opened === opening) opened = undefined;
    };
    const opening = open(forget);
    opened = opening;
    opening.catch(forget);
    return opening;
  };
  const stopReconnecting = interval(RECONNECT_MS, () => {
    if (listeners.size > 0 && !opened) connected().then(wakeAll, () => {});
  });

  return {
    request: async <T>(command: string, fields: object = {}, expected: readonly string[] = []) =>
      (await (await connected()).ask(command, fields, expected)) as T,
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
      stopReconnecting();
      listeners.clear();
      const line = await opened?.catch(() => undefined);
      await line?.drop();
    },
  };
}

import { every } from '../../kernel/every.ts';
import { ChainUnreachable } from '../port.ts';

/** The part of xrpl's `Client` that is used. Its `request` knows no api_version here: we say it. */
export interface XrplClient {
  connection: {
    connect(): Promise<void>;
    request(command: object): Promise<{ result: unknown }>;
  };
  on(event: 'error' | 'disconnected' | 'ledgerClosed', listener: () => void): unknown;
  disconnect(): Promise<void>;
}

/** The server says no. */
export class XrplRefusal extends Error {
  override readonly name = 'XrplRefusal';
  /** Its whole answer: `error` is the word, e.g. `txnNotFound`. */
  readonly data: RefusalData;
  constructor(data: RefusalData, text: string) {
    super(text);
    this.data = data;
  }
}
export interface RefusalData {
  error: string;
  error_message?: string;
  error_exception?: string;
  searched_all?: boolean;
}

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
 * checks the network nor subscribes again. Here every connection does both before anything else is asked on it.
 */
export function xrplConnection(
  create: () => XrplClient,
  identify: (serverInfo: unknown) => void,
): XrplConnection {
  const listeners = new Set<() => void>();
  let opened: Promise<XrplClient> | undefined;
  let isClosed = false;
  const wakeAll = () => {
    for (const wake of listeners) wake();
  };

  async function open(ended: () => void): Promise<XrplClient> {
    const client = create();
    client.on('error', () => {});
    client.on('disconnected', () => {
      ended();
      // After the library has set its timer to reconnect: this clears it.
      queueMicrotask(() => void client.disconnect());
    });
    client.on('ledgerClosed', wakeAll);
    try {
      await client.connection.connect().catch(cause => {
        throw unreachable('connect', cause);
      });
      identify(await ask(client, 'server_info'));
      await ask(client, 'subscribe', { streams: ['ledger'] });
      return client;
    } catch (error) {
      await client.disconnect();
      throw error;
    }
  }
  const connected = (): Promise<XrplClient> => {
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
  const stopReconnecting = every(RECONNECT_MS, () => {
    if (listeners.size > 0 && !opened) connected().then(wakeAll, () => {});
  });

  return {
    request: async <T>(command: string, fields: object = {}, expected: readonly string[] = []) =>
      (await ask(await connected(), command, fields, expected)) as T,
    async check() {
      const client = await connected();
      identify(await ask(client, 'server_info'));
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
      const client = await opened?.catch(() => undefined);
      await client?.disconnect();
    },
  };
}

async function ask(
  client: XrplClient,
  command: string,
  fields: object = {},
  expected: readonly string[] = [],
): Promise<unknown> {
  try {
    return (await client.connection.request({ command, api_version: 2, ...fields })).result;
  } catch (error) {
    const { name, data } = error as { name?: string; data?: RefusalData };
    if (name !== 'RippledError' || typeof data?.error !== 'string') throw unreachable(command, error);
    const text = `${data.error} ${data.error_message ?? data.error_exception ?? ''}`.trim();
    if (expected.includes(data.error)) throw new XrplRefusal(data, text);
    throw unreachable(command, new Error(text, { cause: error }));
  }
}

const unreachable = (command: string, cause: unknown): ChainUnreachable =>
  new ChainUnreachable(`${command}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });

import type { Connection } from 'xrpl/dist/npm/client/connection.js';
import { ChainUnreachable } from '../port.ts';

/** The server refused a command. */
export class XrplRefusal extends Error {
  override readonly name = 'XrplRefusal';
  /** The whole answer; `error` is the code, e.g. `txnNotFound`. */
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

export type Session = ReturnType<typeof openSession>;

/**
 * One WebSocket connection, from its opening to its end. The `request` of `socket` sets no api_version, so `ask` does. Its
 * `timeout` must be long enough that its heartbeat never runs: the heartbeat would reconnect without us. The index of xrpl,
 * with `Client`, is as large as half of the program, so it is not loaded.
 */
export function openSession(
  socket: Connection,
  timeoutMs: number,
  ended: () => void,
  transactionsClosed: () => void,
) {
  socket.on('error', () => {});
  // An empty ledger moves no money.
  socket.on('ledgerClosed', (ledger: { txn_count: number }) => {
    if (ledger.txn_count !== 0) transactionsClosed();
  });
  socket.on('disconnected', () => {
    ended();
    // After the library has set its timer to reconnect: this clears it.
    queueMicrotask(() => void socket.disconnect());
  });
  /** Ends it at once, without waiting for the server. */
  const drop = () => {
    ended();
    const { ws } = socket as unknown as { ws?: { terminate?(): void } | null };
    const ending = socket.disconnect();
    ws?.terminate?.();
    return ending;
  };
  return {
    connect: () =>
      socket.connect().catch(cause => {
        throw unreachable('connect', cause);
      }),
    /** Throws `XrplRefusal` where `expected` names the error, `ChainUnreachable` for everything else. */
    async ask(command: string, fields: object = {}, expected: readonly string[] = []): Promise<unknown> {
      try {
        const request = { command, api_version: 2, ...fields };
        const answer = (await socket.request(request, timeoutMs)) as { result: unknown };
        return answer.result;
      } catch (error) {
        if ((error as Error).name === 'TimeoutError') void drop();
        throw refusalOf(error, expected) ?? unreachable(command, error);
      }
    },
    drop,
  };
}

function refusalOf(error: unknown, expected: readonly string[]): XrplRefusal | undefined {
  const { name, data } = error as { name?: string; data?: RefusalData };
  if (name !== 'RippledError' || !data || !expected.includes(data.error)) return undefined;
  return new XrplRefusal(data, `${data.error} ${data.error_message ?? data.error_exception ?? ''}`.trim());
}

const unreachable = (command: string, cause: unknown): ChainUnreachable =>
  new ChainUnreachable(`${command}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });

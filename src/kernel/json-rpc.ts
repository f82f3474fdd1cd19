import { Agent, request } from 'undici';

/** The server answered with an error. Servers agree neither on `code` nor on texts. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal';
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** No answer, or none that is JSON-RPC. */
export class RpcUnreachable extends Error {
  override readonly name = 'RpcUnreachable';
}

export interface JsonRpc {
  /** The `result` of one call. Throws `RpcRefusal` and `RpcUnreachable`. */
  call<T>(method: string, ...params: unknown[]): Promise<T>;
  close(): Promise<void>;
}

const CONNECTIONS = 16;

/**
 * JSON-RPC over HTTP: pooled connections, no batches (many providers refuse them), `timeoutMs` for every call.
 * `onConnect` runs for every new connection.
 */
export function jsonRpc(url: string, timeoutMs: number, onConnect = () => {}): JsonRpc {
  const dispatcher = new Agent({ connections: CONNECTIONS, connect: { timeout: timeoutMs } });
  dispatcher.on('connect', onConnect);
  let id = 0;
  return {
    async call<T>(method: string, ...params: unknown[]) {
      id += 1;
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
      const answer = await post(url, dispatcher, body, timeoutMs).catch(cause => {
        throw new RpcUnreachable(`${method}: ${reasonOf(cause)}`, { cause });
      });
      return resultOf<T>(method, answer);
    },
    close: () => dispatcher.destroy(),
  };
}

async function post(url: string, dispatcher: Agent, body: string, timeoutMs: number): Promise<unknown> {
  const answer = await request(url, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await answer.body.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`HTTP ${answer.statusCode}, no JSON`);
  }
}

function resultOf<T>(method: string, answer: unknown): T {
  const { result, error } = (answer ?? {}) as { result?: T; error?: { code?: unknown; message?: unknown } };
  if (error && typeof error === 'object' && typeof error.message === 'string')
    throw new RpcRefusal(Number(error.code ?? 0), error.message);
  if (result === undefined) throw new RpcUnreachable(`${method}: an answer without result`);
  return result;
}

const reasonOf = (cause: unknown): string =>
  cause instanceof Error ? cause.message || cause.name : String(cause);

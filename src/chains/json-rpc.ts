import { Agent, request } from 'undici';
import { ChainUnreachable } from './port.ts';

/** An answer of the node that says no: `code` differs between nodes, so look at the text as well. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal';
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface JsonRpc {
  /** The `result` of one call. Throws `RpcRefusal`; everything else that goes wrong is `ChainUnreachable`. */
  call<T>(method: string, ...params: unknown[]): Promise<T>;
  close(): Promise<void>;
}

const CONNECTIONS = 16;
/** Codes that mean "not now": limit exceeded, and the HTTP codes that some providers put there. */
const BUSY = new Set([-32005, 429, 502, 503, 504]);

/** JSON-RPC over HTTP: pooled connections, no batches (many providers refuse them), a time limit on every call. `onConnect`: a new connection. */
export function jsonRpc(url: string, timeoutMs: number, onConnect: () => void): JsonRpc {
  const dispatcher = new Agent({ connections: CONNECTIONS, connect: { timeout: timeoutMs } });
  dispatcher.on('connect', onConnect);
  let id = 0;
  return {
    async call<T>(method: string, ...params: unknown[]) {
      id += 1;
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
      const answer = await post(url, dispatcher, body, timeoutMs).catch(cause => {
        throw new ChainUnreachable(`${method}: ${reasonOf(cause)}`, { cause });
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
  if (error && typeof error === 'object' && typeof error.message === 'string') {
    const code = Number(error.code ?? 0);
    if (BUSY.has(code)) throw new ChainUnreachable(`${method}: ${error.message} (${code})`);
    throw new RpcRefusal(code, error.message);
  }
  if (result === undefined) throw new ChainUnreachable(`${method}: an answer without result`);
  return result;
}

const reasonOf = (cause: unknown): string =>
  cause instanceof Error ? cause.message || cause.name : String(cause);

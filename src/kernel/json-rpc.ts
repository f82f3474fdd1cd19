import { elapsedMs } from './clock.ts';
import { type HttpClient, type HttpRequest, httpClient } from './http-client.ts';
import { parseRetryAfter } from './http-exchange.ts';
import { parseJson } from './json.ts';
import { withoutCredentials } from './secrets.ts';

/** The server answered with an error. Codes and texts differ between servers. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal';
  readonly code: number;
  /** From the header `Retry-After`. */
  readonly retryAfterMs: number | undefined;
  constructor(code: number, message: string, retryAfterMs?: number) {
    super(message);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** There is no answer, or the answer is not JSON-RPC. */
export class RpcUnreachable extends Error {
  override readonly name = 'RpcUnreachable';
  /** From the header `Retry-After`. */
  readonly retryAfterMs: number | undefined;
  /** Undefined: there is no answer. */
  readonly httpStatus: number | undefined;
  constructor(message: string, options?: ErrorOptions & { retryAfterMs?: number | undefined; httpStatus?: number }) {
    super(message, options);
    this.retryAfterMs = options?.retryAfterMs;
    this.httpStatus = options?.httpStatus;
  }
}

export type JsonRpc = ReturnType<typeof jsonRpc>;

const CONNECTIONS = 16;
const JSON_HEADERS = { 'content-type': 'application/json' };
/** Longer than the time between two blocks. */
const IDLE_MS = 30_000;
/** The server may change behind connections that end in good order, so they count as lost after this time. */
const TRUSTED_MS = 600_000;
/** The trace of a transaction is long. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export interface JsonRpcOptions {
  /** For the first connection, and for the next one after a connection was lost: another server may answer. */
  onReconnect?: () => void;
  pass?: PassCall | undefined;
}

/** Makes the call by `send`. */
export type PassCall = <T>(call: { method: string; params?: unknown }, send: () => Promise<T>) => Promise<T>;

/** JSON-RPC over HTTP: Basic auth with the user in the address, pooled connections, `timeoutMs` for every call. */
export function jsonRpc(
  address: string,
  timeoutMs: number,
  { onReconnect = () => {}, pass = (_call, send) => send() }: JsonRpcOptions = {},
) {
  const { url, authorization } = withoutCredentials(address);
  const headers = authorization === undefined ? JSON_HEADERS : { ...JSON_HEADERS, authorization };
  let isLost = true;
  let trustedSince = 0;
  const connected = () => {
    if (!isLost && elapsedMs() - trustedSince < TRUSTED_MS) return;
    isLost = false;
    trustedSince = elapsedMs();
    onReconnect();
  };
  const http = httpClient({
    connections: CONNECTIONS,
    idleMs: IDLE_MS,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    onSocket(socket) {
      let isIdle = false;
      socket.once('connect', connected);
      socket.once('timeout', () => {
        isIdle = true;
      });
      // A connection that we end because it is idle is not lost.
      socket.once('close', () => {
        if (!isIdle) isLost = true;
      });
    },
  });
  let id = 0;
  return {
    /** The `result` of one call. Throws `RpcRefusal` and `RpcUnreachable`. */
    call: <T>(method: string, ...params: unknown[]): Promise<T> =>
      pass({ method, params }, async () => {
        id += 1;
        const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
        const request = { method: 'POST', headers, body } as const;
        const answer = await post(http, url, request, timeoutMs).catch(cause => {
          throw new RpcUnreachable(`${method}: ${reasonOf(cause)}`, { cause });
        });
        return resultOf<T>(method, answer);
      }),
    close: async (): Promise<void> => http.destroy(),
  };
}

interface Answer {
  httpStatus: number;
  retryAfterMs: number | undefined;
  /** Undefined: the body is not JSON. */
  json: unknown;
}

/** Such a call counts twice if it is sent twice. A transaction does not. */
const CHANGES_A_NODE = /"method":"(?!(eth|net|web3|debug)_)/;

async function post(
  http: HttpClient,
  url: string,
  request: HttpRequest & { body: string },
  timeoutMs: number,
): Promise<Answer> {
  const watch = CHANGES_A_NODE.test(request.body) ? {} : { onRepeat() {} };
  const answer = await http.call(url, request, { timeoutMs }, watch);
  return { httpStatus: answer.status, retryAfterMs: parseRetryAfter(answer.headers), json: parseJson(answer.body) };
}

/** The HTTP status says more than the code. */
const TOO_MANY = 429;

function resultOf<T>(method: string, { httpStatus, retryAfterMs, json }: Answer): T {
  if (json === undefined)
    throw new RpcUnreachable(`${method}: HTTP ${httpStatus}, the answer is not JSON`, { retryAfterMs, httpStatus });
  const { result, error } = (json ?? {}) as { result?: T; error?: { code?: unknown; message?: unknown } };
  if (error && typeof error === 'object' && typeof error.message === 'string')
    throw new RpcRefusal(httpStatus === TOO_MANY ? TOO_MANY : Number(error.code ?? 0), error.message, retryAfterMs);
  if (result === undefined)
    throw new RpcUnreachable(`${method}: the answer has no result`, { retryAfterMs, httpStatus });
  return result;
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message || cause.name : String(cause));

import { type Caller, type Dispatcher, dispatch, echo, hasGoodVersion } from './dispatch.ts';
import type { Json } from './errors.ts';
import { parseObject } from './websocket-envelope.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export const MAX_BODY_BYTES = 1_000_000;
const ADMIN_ONLY = new Set(['ledger_accept']);
const plain = (status: number, body: string): HttpAnswer => ({
  status,
  contentType: 'text/plain; charset=utf-8',
  body: `${body}\r\n`,
});

/** The body of a JSON-RPC POST -> its answer (XRPL-1.3). A failed command is HTTP 200 too. */
export function answerJsonRpc(to: Dispatcher, body: Buffer, caller: Caller): HttpAnswer {
  const call = body.length > MAX_BODY_BYTES ? undefined : parseObject(body);
  if (!call || Object.keys(call).length === 0)
    return plain(400, 'Unable to parse request: not a JSON object');
  const { method } = call;
  if (method === undefined || method === null) return plain(400, 'Null method');
  if (typeof method !== 'string') return plain(400, 'method is not string');
  if (method === '') return plain(400, 'method is empty');
  const params = paramsOf(call);
  if (!params) return plain(400, 'params unparsable');
  const request: Json = { ...params, command: method };
  if (!hasGoodVersion(request)) return plain(400, 'invalid_API_version');
  if (ADMIN_ONLY.has(method) && !caller.admin) return plain(403, 'Forbidden');
  const result = dispatch(to, method, request, caller);
  const failed = result.error !== undefined;
  const full = failed
    ? { ...result, status: 'error', request: echo(request) }
    : { ...result, status: 'success' };
  return {
    status: 200,
    contentType: 'application/json; charset=UTF-8',
    body: `${JSON.stringify({ result: full })}\n`,
  };
}

/** `params` is an array of one object. Absent or empty `params` means no parameters. */
function paramsOf({ params }: Json): Json | undefined {
  if (params === undefined || params === null) return {};
  if (typeof params !== 'object') return undefined;
  if (Object.keys(params).length === 0) return {};
  if (!Array.isArray(params) || params.length !== 1) return undefined;
  const [first] = params as unknown[];
  if (first === null) return {};
  return typeof first === 'object' && !Array.isArray(first) ? (first as Json) : undefined;
}

import { jsonDepth } from '../../../kernel/json-depth.ts';
import { wholeIds } from '../../../kernel/json-ids.ts';
import { repetitionIn } from '../../../kernel/json-members.ts';
import { parseJson } from '../../../kernel/parse-json.ts';
import { InvalidTransaction } from '../parse-transaction.ts';
import { type Json, orderedError, RpcError, rpcError } from './errors.ts';
import { SECRET_FIELDS } from './key-pair.ts';
import { COMMANDS } from './registry.ts';
import type { Caller, Dispatcher } from './request.ts';

/** The result of a command, or its error as an `error` field. Never throws. */
export function dispatch(to: Dispatcher, command: string, params: Json, caller: Caller): Json {
  const refusal = caller.refusalOf(command);
  if (refusal) return orderedError(refusal);
  try {
    const handler = COMMANDS.get(command);
    if (!handler) throw rpcError('unknownCmd');
    const apiVersion = params.api_version === 2 ? 2 : 1;
    return handler({ ...to, ...caller, params, apiVersion });
  } catch (error) {
    if (error instanceof RpcError) return error.body;
    if (error instanceof InvalidTransaction) return { error: 'invalidTransaction', error_exception: error.message };
    to.log.error({ command, err: String(error) }, 'xrpl: command failed');
    return rpcError('internal').body;
  }
}

/** API versions 1 and 2; version 1 is the default (XRPL-1.1). */
export const hasGoodVersion = (params: Json): boolean =>
  params.api_version === undefined || params.api_version === 1 || params.api_version === 2;

/** The request as errors echo it: secrets are masked. */
export function echo(request: Json): Json {
  const hidden = SECRET_FIELDS.filter(field => request[field] !== undefined);
  return { ...request, ...Object.fromEntries(hidden.map(field => [field, '<masked>'])) };
}

const MAX_BYTES = 1_000_000;
const ECHOED = 256;

/** One frame of a WebSocket client -> the frame that answers it (XRPL-1.1). */
export function answerFrame(to: Dispatcher, frame: Buffer, caller: Caller): string {
  const { text, restored } = wholeIds(frame.toString('utf8'), 1);
  return restored(JSON.stringify(answerTo(to, Buffer.from(text), caller)));
}

function answerTo(to: Dispatcher, frame: Buffer, caller: Caller): Json {
  const request = frame.length > MAX_BYTES ? undefined : parseObject(frame);
  if (!request) return { type: 'error', error: 'jsonInvalid', value: frame.toString('utf8', 0, ECHOED) };
  const kept = pick(request, ['id', 'jsonrpc', 'ripplerpc', 'api_version']);
  const command = request.command ?? request.method;
  const conflicting =
    request.command !== undefined && request.method !== undefined && request.command !== request.method;
  if (typeof command !== 'string' || conflicting || !hasGoodVersion(request)) {
    const error = hasGoodVersion(request) ? 'missingCommand' : 'invalid_API_version';
    return { ...kept, type: 'response', status: 'error', error, request };
  }
  const result = dispatch(to, command, request, caller);
  if (result.error !== undefined)
    return { ...result, status: 'error', request: echo(request), ...kept, type: 'response' };
  return { result, status: 'success', ...kept, type: 'response' };
}

/** As on a real server. Deeper values could not be written again: JSON is written by recursion. */
const MAX_LEVELS = 25;

/** As on a real server, an object that has a member twice is none. */
export function parseObject(bytes: Buffer): Json | undefined {
  const text = bytes.toString('utf8');
  const value = jsonDepth(text) > MAX_LEVELS ? undefined : parseJson(text);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  return repetitionIn(text, value) ? undefined : (value as Json);
}

const pick = (from: Json, fields: string[]): Json =>
  Object.fromEntries(fields.filter(field => from[field] !== undefined).map(field => [field, from[field]]));

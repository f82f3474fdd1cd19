import { parseJson, repetitionIn, wholeIds } from '../../../kernel/json.ts';
import { InvalidTransaction } from '../parse-transaction.ts';
import * as accounts from './account.ts';
import { type Json, orderedError, RpcError, rpcError } from './errors.ts';
import { ledger } from './ledger.ts';
import { ledgerData, ledgerEntry } from './ledger-entry.ts';
import { accountOffers, bookOffers } from './offers.ts';
import type { Caller, Dispatcher, Handler } from './request.ts';
import * as server from './server-info.ts';
import { SECRET_FIELDS, sign, signFor, simulate, submit, submitMultisigned } from './submit.ts';
import { transactionEntry, tx, txHistory } from './tx.ts';

/** The result of a command, or its error as an `error` field. Never throws. */
function dispatch(to: Dispatcher, command: string, params: Json, caller: Caller): Json {
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
const hasGoodVersion = (params: Json): boolean =>
  params.api_version === undefined || params.api_version === 1 || params.api_version === 2;

/** The request as errors echo it: secrets are masked. */
function echo(request: Json): Json {
  const hidden = SECRET_FIELDS.filter(field => request[field] !== undefined);
  return { ...request, ...Object.fromEntries(hidden.map(field => [field, '<masked>'])) };
}

/** Of a frame or a body. */
export const MAX_BYTES = 1_000_000;
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
  const value = parseJson(text, { maxDepth: MAX_LEVELS });
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  return repetitionIn(text) ? undefined : (value as Json);
}

const pick = (from: Json, fields: string[]): Json =>
  Object.fromEntries(fields.filter(field => from[field] !== undefined).map(field => [field, from[field]]));

/** Every command that the server knows (XRPL-1.3). */
export const COMMANDS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['account_currencies', accounts.accountCurrencies],
  ['account_info', accounts.accountInfo],
  ['account_lines', accounts.accountLines],
  ['account_objects', accounts.accountObjects],
  ['account_offers', accountOffers],
  ['account_tx', accounts.accountTx],
  ['book_offers', bookOffers],
  ['deposit_authorized', accounts.depositAuthorized],
  ['feature', server.feature],
  ['fee', server.fee],
  ['gateway_balances', accounts.gatewayBalances],
  ['ledger', ledger],
  ['ledger_accept', server.ledgerAccept],
  ['ledger_closed', server.ledgerClosed],
  ['ledger_current', server.ledgerCurrent],
  ['ledger_data', ledgerData],
  ['ledger_entry', ledgerEntry],
  ['noripple_check', accounts.norippleCheck],
  ['ping', server.ping],
  ['random', server.random],
  ['server_definitions', server.serverDefinitions],
  ['server_info', server.serverInfo],
  ['server_state', server.serverState],
  ['sign', sign],
  ['sign_for', signFor],
  ['simulate', simulate],
  ['submit', submit],
  ['submit_multisigned', submitMultisigned],
  ['subscribe', server.subscribe],
  ['transaction_entry', transactionEntry],
  ['tx', tx],
  ['tx_history', txHistory],
  ['unsubscribe', server.unsubscribe],
]);

/** In the parameters of a call. */
const DEPTH_OF_ID = 3;

/** A request that never becomes a command. */
class Rejection extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

const plain = (status: number, body: string) =>
  new Response(`${body}\r\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });

export const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  jsonText(status, JSON.stringify(body), headers);

const jsonText = (status: number, text: string, headers: Record<string, string> = {}) =>
  new Response(`${text}\n`, { status, headers: { 'content-type': 'application/json; charset=UTF-8', ...headers } });

/** The body of a JSON-RPC POST -> its answer (XRPL-1.3). A failed command is HTTP 200 too. */
export function answerJsonRpc(to: Dispatcher, body: Buffer, caller: Caller): Response {
  const { text, restored } = wholeIds(body.toString('utf8'), DEPTH_OF_ID);
  try {
    return jsonText(200, restored(JSON.stringify(answerCall(to, Buffer.from(text), caller))));
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return plain(error.status, error.message);
  }
}

/** Throws `Rejection`. */
function answerCall(to: Dispatcher, body: Buffer, caller: Caller): Json {
  const call = body.length > MAX_BYTES ? undefined : parseObject(body);
  if (!call || Object.keys(call).length === 0)
    throw new Rejection('Unable to parse request: not a JSON object, or one with a member twice');
  const { method } = call;
  if (method === undefined || method === null) throw new Rejection('Null method');
  if (typeof method !== 'string') throw new Rejection('method is not string');
  if (method === '') throw new Rejection('method is empty');
  const params = paramsOf(call);
  const request: Json = { ...params, command: method };
  if (!hasGoodVersion(request)) throw new Rejection('invalid_API_version');
  if (method === 'ledger_accept' && !caller.admin) throw new Rejection('Forbidden', 403);
  const result = dispatch(to, method, request, caller);
  const status = result.error === undefined ? { status: 'success' } : { status: 'error', request: echo(request) };
  return { result: { ...result, ...status }, ...pick({ ...call, ...params }, ['jsonrpc', 'ripplerpc', 'id']) };
}

/** `params` is an array of one object. Absent or empty `params` means no parameters. */
function paramsOf({ params }: Json): Json {
  if (params === undefined || params === null) return {};
  if (typeof params !== 'object') throw new Rejection('params unparsable');
  if (Object.keys(params).length === 0) return {};
  if (!Array.isArray(params) || params.length !== 1) throw new Rejection('params unparsable');
  const [first] = params as unknown[];
  if (first === null) return {};
  if (typeof first !== 'object' || Array.isArray(first)) throw new Rejection('params unparsable');
  return first as Json;
}

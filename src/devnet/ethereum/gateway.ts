import { batches } from '../../kernel/batch.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import { type HttpClient, httpClient } from '../../kernel/http-client.ts';
import { parseJson, repetitionIn, wholeIds } from '../../kernel/json.ts';
import { type PassCall, RpcRefusal } from '../../kernel/json-rpc.ts';
import { countQueueDelay } from '../../kernel/stall.ts';
import { limitPerKey, type oneAtATime } from '../../kernel/turns.ts';
import {
  type DevnetAccess,
  type DevnetCaller,
  MAX_RPC_BYTES,
  mapAccess,
  type RpcRefused,
  withFaults,
} from '../access.ts';
import { type Ask, feeHistory, inWordsOfGeth, type NodeError, refusedByGeth, refusedLogs } from './as-geth.ts';
import { announce, createLimits } from './limits.ts';
import { refusedMethod, SUBSCRIBING, sends } from './methods.ts';

export type Gateway = ReturnType<typeof ethereumGateway>;
interface FrameContext {
  caller: DevnetCaller;
  subscribe(call: RpcCall): Promise<string>;
}
export interface RpcCall {
  id?: unknown;
  method: string;
  params?: unknown;
}

/**
 * For a whole body, because a batch is as long as its calls together; it begins with its first call. The node needs
 * seconds for its first transaction with blobs, and for a thousand blocks.
 */
const ANSWER_WITHIN_MS: Readonly<Record<DevnetAccess, number>> = { everything: 60_000, 'reading and sending': 15_000 };
/** Of the answers to one body together. Strangers share the memory of this process. */
const MAX_ANSWER_BYTES: Readonly<Record<DevnetAccess, number>> = {
  everything: 32 * 1024 * 1024,
  'reading and sending': 4 * 1024 * 1024,
};
const MAX_CALLS = 1_000;
const MAX_LEVELS = 64;
/** Of a call, and of a call in a batch. */
const DEPTH_OF_ID = 2;
const CONNECTIONS = 32;
const IDLE_MS = 4_000;
/** Calls of one VASP that the node answers at the same time, and questions of one call. Each may take it some time, and the others wait. */
const MAX_PER_VASP = 2;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const SERVER_ERROR = -32000;
const LIMIT_EXCEEDED = -32005;

const JSON_HEADERS = { 'content-type': 'application/json' };
const tooLong = (access: DevnetAccess) =>
  `The answers to one request have at most ${MAX_ANSWER_BYTES[access] / 1024 / 1024} MiB: ask for less at once.`;
const late = (access: DevnetAccess) =>
  `The calls before this one took ${ANSWER_WITHIN_MS[access] / 1000} s: send smaller batches.`;

type Context = Partial<FrameContext> & Pick<FrameContext, 'caller'>;

/** Of a notification: a call without `id` is served, and has no answer. */
const NO_ANSWER = '';

type Serve = (call: unknown, signal: AbortSignal, context: Context) => Promise<string>;
type Forward = (call: RpcCall, signal: AbortSignal) => Promise<string>;

/** One after the other: the node gives several transactions of its accounts at the same time one number. */
export type Numbered = ReturnType<typeof oneAtATime>;

/** `/devnet/ethereum`: passes allowed calls on to the node, one after the other, and refuses the others. */
export function ethereumGateway(nodeUrl: string, pass: PassCall, numbered: Numbered) {
  const clients = mapAccess(access =>
    httpClient({ connections: CONNECTIONS, idleMs: IDLE_MS, maxAnswerBytes: MAX_ANSWER_BYTES[access] }),
  );
  const forwarders = mapAccess(access => forwarder(nodeUrl, clients[access], pass, access));
  const serve = serving(forwarders, numbered);
  const one: Serve = async (call, signal, context) => {
    if (!isCall(call)) return failure(null, INVALID_REQUEST, 'Invalid request');
    const answer = await withFaults(
      method => context.caller.faultOn('ETH', method),
      refusalOf => {
        const refusal = refusalOf(call.method);
        return refusal ? failure(call.id, ...ordered(refusal)) : serve(call, signal, context);
      },
    );
    return call.id === undefined ? NO_ANSWER : answer;
  };
  const answerAll = answering(one);
  return {
    /** One HTTP body -> its answer. Empty: only notifications, which have none. */
    answer: (body: string, caller: DevnetCaller, gone?: () => AbortSignal) => answerAll(body, { caller }, gone),
    /** One frame of a WebSocket; `subscribe` serves the calls that need one. */
    answerFrame: (frame: string, context: FrameContext) => answerAll(frame, context),
    async close(): Promise<void> {
      for (const http of Object.values(clients)) http.destroy();
    },
  };
}

/** `code`: of JSON-RPC. */
const ordered = ({ code, message = 'This error was ordered.' }: RpcRefused): [number, string] => [
  Number.isSafeInteger(Number(code ?? Number.NaN)) ? Number(code) : SERVER_ERROR,
  message,
];

const forwarder =
  (nodeUrl: string, http: HttpClient, pass: PassCall, access: DevnetAccess): Forward =>
  async (call, signal) => {
    const body = JSON.stringify({ ...call, jsonrpc: '2.0', id: OWN_ID });
    const request = { method: 'POST', headers: JSON_HEADERS, body } as const;
    const limit = { timeoutMs: ANSWER_WITHIN_MS[access], signal };
    try {
      if (sends(call.method)) {
        const send = async () => sentBy((await http.call(nodeUrl, request, limit)).body);
        return success(call.id, await pass(call, send));
      }
      return await pass(call, async () => {
        const { body: text, problem } = await http.call(nodeUrl, request, limit);
        return problem ? failure(call.id, LIMIT_EXCEEDED, tooLong(access)) : answerTo(call.id, text);
      });
    } catch (error) {
      if (error instanceof RpcRefusal) return failure(call.id, error.code, error.message);
      return failure(
        call.id,
        SERVER_ERROR,
        (error as Error).name === 'TimeoutError' ? notInTime(access) : NO_ANSWER_NOW,
      );
    }
  };

/** The node does not take every id that a client may have. */
const OWN_ID = 0;
const HEAD = `{"jsonrpc":"2.0","id":${OWN_ID},`;

/** The answer of the node with the id of the caller. A result may be long, so it is not parsed. */
function answerTo(id: unknown, text: string): string {
  if (text.startsWith(`${HEAD}"result"`))
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id ?? null)},${text.slice(HEAD.length)}`;
  const { error } = (parsed(text) ?? {}) as { error?: NodeError };
  if (!error) return failure(id, SERVER_ERROR, NO_ANSWER_NOW);
  return JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: inWordsOfGeth(error) });
}

/** The result of a call that sends. Throws `RpcRefusal`: the node has not taken it. */
function sentBy(text: string): unknown {
  const { result, error } = (parsed(text) ?? {}) as { result?: unknown; error?: NodeError };
  const { code, message } = error ? inWordsOfGeth(error) : NOTHING_SAID;
  if (result === undefined) throw new RpcRefusal(code, message);
  return result;
}

/** Serves one call to whom it is allowed. */
function serving(forwarders: Record<DevnetAccess, Forward>, numbered: Numbered) {
  const limited = createLimits();
  const filters = ownFilters();
  const inTurn = limitPerKey(MAX_PER_VASP);

  const asking = (forward: Forward, signal: AbortSignal) => {
    const few = limitPerKey(MAX_PER_VASP);
    return async <T>(method: string, ...params: unknown[]): Promise<T | undefined> => {
      const answer = await few('', () => forward({ method, params }, signal));
      return (parsed(answer) as { result?: T } | undefined)?.result;
    };
  };

  return async (call: RpcCall, signal: AbortSignal, { caller, subscribe }: Context): Promise<string> => {
    const isShared = caller.access !== 'everything';
    const forward = forwarders[caller.access];
    const isSubscribing = subscribe && SUBSCRIBING.has(call.method);
    const refusal = isSubscribing ? undefined : refusedMethod(call.method, caller.access);
    if (refusal) return failure(call.id, refusal.code, refusal.message);
    // The node knows neither.
    if (call.method === 'net_peerCount') return success(call.id, '0x0');
    const within = limited(call, caller.access);
    if (typeof within === 'string') return failure(call.id, INVALID_PARAMS, within);
    if (isSubscribing) return subscribe({ ...within, id: call.id });
    const send = async () => {
      const ask = asking(forward, signal);
      const ofStranger = async () =>
        (await refusedSending(within, caller)) ?? filters.refused(within, caller.owner, ask);
      const { code, message } = (await refusedByGeth(within, ask)) ?? (isShared ? await ofStranger() : undefined) ?? {};
      if (code !== undefined) return failure(call.id, code, message!);
      const params = Array.isArray(within.params) ? within.params : [];
      const history = call.method === 'eth_feeHistory' && (await feeHistory(params, ask));
      if (history) return success(call.id, history);
      const pass = () => forward({ ...within, id: call.id }, signal);
      const answer = await (call.method === 'eth_sendTransaction' ? numbered(pass) : pass());
      if (isShared && isOfFilters(call.method))
        filters.served(within, caller.owner, (parsed(answer) as { result?: unknown } | undefined)?.result);
      return answer;
    };
    const hasAnswer = countQueueDelay(caller.owner);
    // The tester of the local mode shares the node with nobody.
    return (isShared ? inTurn(caller.owner, send) : send()).finally(hasAnswer);
  };
}

/** What geth would take counts for the quotas of a VASP. */
async function refusedSending(
  { method, params }: RpcCall,
  { beforeSending }: DevnetCaller,
): Promise<NodeError | undefined> {
  if (!sends(method)) return undefined;
  try {
    await announce((params as unknown[] | undefined)?.[0], beforeSending);
    return undefined;
  } catch (error) {
    return { code: LIMIT_EXCEEDED, message: (error as Error).message };
  }
}

/** One call, or a batch until `gone`. */
function answering(one: Serve) {
  const answersTo = batches();
  async function answer(text: string, context: Context, gone?: () => AbortSignal): Promise<string> {
    const { access, owner, turns } = context.caller;
    const [maxBytes, withinMs] = [MAX_RPC_BYTES[access], ANSWER_WITHIN_MS[access]];
    if (text.length > maxBytes) return failure(null, INVALID_REQUEST, `At most ${maxBytes / 1024} KiB at once`);
    const { count, problem } = callsIn(text);
    if (problem) return failure(null, ...problem);
    if (count === 'one call') return one(parsed(text), AbortSignal.timeout(withinMs), context);
    if (count === 0 || count > MAX_CALLS) return failure(null, INVALID_REQUEST, `A batch has 1 to ${MAX_CALLS} calls`);
    const read = () => parsed(text) as unknown[];
    const serve = (call: unknown, timeIsUp: AbortSignal) => one(call, timeIsUp, context);
    const refuse = (call: unknown, why: 'late' | 'too long') =>
      failure(idOf(call), LIMIT_EXCEEDED, why === 'late' ? late(access) : tooLong(access));
    const batch = { read, owner, turns, gone: gone?.(), withinMs, serve, refuse };
    const given = (await answersTo(batch, MAX_ANSWER_BYTES[access])).filter(each => each !== NO_ANSWER);
    return given.length === 0 ? NO_ANSWER : `[${given.join(',')}]`;
  }
  return async (body: string, context: Context, gone?: () => AbortSignal): Promise<string> => {
    const { text, restored } = wholeIds(body, DEPTH_OF_ID);
    return restored(await answer(text, context, gone));
  };
}

/** Only the count: the calls of a batch are read again when it begins. */
function callsIn(text: string): { count: number | 'one call'; problem?: [number, string] } {
  const value = parsed(text);
  if (value === undefined) return { count: 0, problem: [PARSE_ERROR, 'Parse error'] };
  const twice = repetitionIn(text);
  if (twice) return { count: 0, problem: [INVALID_REQUEST, `Invalid request: ${twice}`] };
  return { count: Array.isArray(value) ? value.length : 'one call' };
}

const parsed = (text: string): unknown => parseJson(text, { maxDepth: MAX_LEVELS });

function isCall(value: unknown): value is RpcCall {
  const { method, id, jsonrpc = '2.0' } = (value ?? {}) as Record<string, unknown>;
  const hasId = typeof id !== 'object' || id === null;
  return typeof method === 'string' && jsonrpc === '2.0' && hasId;
}

const idOf = (value: unknown): unknown => (isCall(value) ? value.id : null);

const success = (id: unknown, result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id: id ?? null, result });

export const failure = (id: unknown, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });

const notInTime = (access: DevnetAccess) => `The node did not answer within ${ANSWER_WITHIN_MS[access] / 1000} s.`;
const NO_ANSWER_NOW = 'The Ethereum node does not answer now. See /readyz and try again.';
const NOTHING_SAID = { code: SERVER_ERROR, message: NO_ANSWER_NOW };

interface Filter {
  owner: string;
  /** Undefined: of blocks or transactions. */
  logs: unknown;
  usedAt: number;
}

const FILTERS_MAX_PER_VASP = 50;
/** The node forgets a filter that nobody has used for this time. */
const FORGOTTEN_AFTER_MS = 300_000;
const TOO_MANY = {
  code: LIMIT_EXCEEDED,
  message: `A VASP has at most ${FILTERS_MAX_PER_VASP} filters: end one with eth_uninstallFilter.`,
};
const NOT_FOUND = { code: SERVER_ERROR, message: 'filter not found' };

/**
 * The filters of strangers at the node, which keeps what each of them has not read yet. A VASP has few, and uses only its
 * own.
 */
function ownFilters() {
  const filters = new Map<string, Filter>();
  const forget = () => {
    for (const [id, { usedAt }] of filters) if (elapsedMs() - usedAt > FORGOTTEN_AFTER_MS) filters.delete(id);
  };
  const countOf = (owner: string) => [...filters.values()].filter(each => each.owner === owner).length;

  return {
    async refused({ method, params }: RpcCall, owner: string, ask: Ask): Promise<NodeError | undefined> {
      const [first] = Array.isArray(params) ? params : [];
      if (method === 'eth_getLogs') return refusedLogs(first, ask);
      if (isNew(method)) {
        forget();
        if (countOf(owner) >= FILTERS_MAX_PER_VASP) return TOO_MANY;
        return method === 'eth_newFilter' ? refusedLogs(first, ask) : undefined;
      }
      if (!USING.has(method)) return undefined;
      const filter = filters.get(first as string);
      if (filter?.owner !== owner) return NOT_FOUND;
      filter.usedAt = elapsedMs();
      return method === 'eth_getFilterLogs' ? refusedLogs(filter.logs, ask) : undefined;
    },
    /** The node has served the call. */
    served({ method, params }: RpcCall, owner: string, result: unknown): void {
      const [first] = Array.isArray(params) ? params : [];
      if (isNew(method) && typeof result === 'string')
        filters.set(result, { owner, logs: method === 'eth_newFilter' ? first : undefined, usedAt: elapsedMs() });
      if (method === 'eth_uninstallFilter') filters.delete(first as string);
    },
  };
}

const USING: ReadonlySet<string> = new Set(['eth_getFilterChanges', 'eth_getFilterLogs', 'eth_uninstallFilter']);
const isNew = (method: string): boolean => /^eth_new.*Filter$/.test(method);
const isOfFilters = (method: string): boolean => isNew(method) || USING.has(method);

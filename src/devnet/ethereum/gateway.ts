import { atMostOfEach } from '../../kernel/at-most.ts';
import { httpClient } from '../../kernel/http-client.ts';
import { jsonDepth } from '../../kernel/json-depth.ts';
import type { PassCall } from '../../kernel/json-rpc.ts';
import { turnByTurn } from '../../kernel/turns.ts';
import type { DevnetCaller } from '../access.ts';
import { createLimits } from './limits.ts';
import { refusedMethod, SUBSCRIBING } from './methods.ts';

/** `/devnet/ethereum`: passes allowed calls on to the node, one after the other, and refuses the others. */
export interface Gateway {
  /** One HTTP body -> its answer. */
  answer(body: string, caller: DevnetCaller): Promise<GatewayAnswer>;
  /** One call of a WebSocket; `subscribe` serves the calls that need one. */
  answerFrame(frame: string, { caller, subscribe }: FrameContext): Promise<string>;
  close(): Promise<void>;
}
export interface FrameContext {
  caller: DevnetCaller;
  subscribe(call: RpcCall): Promise<string>;
}
export interface GatewayAnswer {
  status: number;
  body: string;
}
export interface RpcCall {
  id?: unknown;
  method: string;
  params?: unknown;
}

/** For a whole body, because a batch is as long as its calls together. */
const ANSWER_WITHIN_MS = 15_000;
const MOST_ANSWER_BYTES = 32 * 1024 * 1024;
const MOST_CALLS = 1_000;
const MOST_LEVELS = 64;
const CONNECTIONS = 32;
const IDLE_MS = 4_000;
/** Calls of one VASP that the node answers at the same time. Each may take it some time, and the others wait. */
const MOST_OF_A_VASP = 2;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const NOT_ALLOWED = -32601;
const SERVER_ERROR = -32000;
const LIMIT_EXCEEDED = -32005;

const JSON_HEADERS = { 'content-type': 'application/json' };
const TOO_LONG = `The answer has more than ${MOST_ANSWER_BYTES / 1024 / 1024} MiB.`;
const LATE = `The calls before this one took ${ANSWER_WITHIN_MS / 1000} s: send smaller batches.`;

type Context = Partial<FrameContext> & Pick<FrameContext, 'caller'>;

interface Outcome {
  text: string;
  isRefused: boolean;
}

export function ethereumGateway(nodeUrl: string, pass: PassCall): Gateway {
  const http = httpClient({
    connections: CONNECTIONS,
    idleMs: IDLE_MS,
    maxAnswerBytes: MOST_ANSWER_BYTES,
  });
  const limited = createLimits();
  const inTurn = atMostOfEach(MOST_OF_A_VASP);

  async function forward(call: RpcCall, signal: AbortSignal): Promise<string> {
    const body = JSON.stringify({ jsonrpc: '2.0', ...call });
    const request = { method: 'POST', headers: JSON_HEADERS, body } as const;
    const limit = { timeoutMs: ANSWER_WITHIN_MS, signal };
    try {
      return await pass(call.method, async () => {
        const { body: text, flaw } = await http.call(nodeUrl, request, limit);
        return flaw ? failure(call.id, SERVER_ERROR, TOO_LONG) : text;
      });
    } catch (error) {
      return failure(call.id, SERVER_ERROR, sentenceOf(error as Error));
    }
  }

  async function one(call: unknown, signal: AbortSignal, { caller, subscribe }: Context) {
    if (!isCall(call)) return { text: failure(null, INVALID_REQUEST, 'Invalid request'), isRefused: false };
    if (subscribe && SUBSCRIBING.has(call.method)) return { text: await subscribe(call), isRefused: false };
    const reason = refusedMethod(call.method, caller.access);
    if (reason) return { text: failure(call.id, NOT_ALLOWED, reason), isRefused: true };
    const within = limited(call, caller.access);
    if (typeof within === 'string')
      return { text: failure(call.id, INVALID_PARAMS, within), isRefused: false };
    const send = () => forward({ ...within, id: call.id ?? null }, signal);
    // The tester of the local mode shares the node with nobody.
    const text = await (caller.access === 'everything' ? send() : inTurn(caller.owner, send));
    return { text, isRefused: false };
  }

  async function all(text: string, context: Context): Promise<Outcome> {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const value = parsed(text);
    if (value === undefined) return { text: failure(null, PARSE_ERROR, 'Parse error'), isRefused: false };
    if (!Array.isArray(value)) return one(value, signal, context);
    if (value.length === 0 || value.length > MOST_CALLS)
      return {
        text: failure(null, INVALID_REQUEST, `A batch has 1 to ${MOST_CALLS} calls`),
        isRefused: false,
      };
    const answers: string[] = [];
    const nextTurn = turnByTurn(context.caller.turns, signal);
    for (const call of value) {
      // The first one counts with its request or frame.
      const begins = answers.length === 0 || (await nextTurn());
      answers.push(
        begins ? (await one(call, signal, context)).text : failure(idOf(call), LIMIT_EXCEEDED, LATE),
      );
    }
    return { text: `[${answers.join(',')}]`, isRefused: false };
  }

  return {
    async answer(body, caller) {
      const { text, isRefused } = await all(body, { caller });
      return { status: isRefused ? 403 : 200, body: text };
    },
    answerFrame: async (frame, context) => (await all(frame, context)).text,
    close: async () => http.destroy(),
  };
}

function parsed(text: string): unknown {
  if (jsonDepth(text) > MOST_LEVELS) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isCall = (value: unknown): value is RpcCall =>
  typeof value === 'object' && value !== null && typeof (value as { method?: unknown }).method === 'string';

const idOf = (value: unknown): unknown => (isCall(value) ? value.id : null);

export const failure = (id: unknown, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });

function sentenceOf(error: Error): string {
  if (error.name === 'TimeoutError') return `The node did not answer within ${ANSWER_WITHIN_MS / 1000} s.`;
  return 'The Ethereum node does not answer now. See /readyz and try again.';
}

import { createHash, createHmac } from 'node:crypto';
import { maxHeaderSize } from 'node:http';
import type { VaspOperation } from '../contract/vasp-api.ts';
import type { Exchange } from '../http/exchange.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { type CallWatch, type HttpAnswer, type HttpRequest, httpClient } from '../kernel/http-client.ts';
import {
  type AnswerProblem,
  CallFailure,
  type CallFailureCode,
  type CallLimit,
  MAX_HANDSHAKE_BYTES,
  MAX_INTERIM_ANSWERS,
} from '../kernel/http-exchange.ts';
import { USER_AGENT } from '../kernel/program.ts';
import { maskedHeaders, maskedUrl } from '../kernel/secrets.ts';
import { selfDelay } from '../kernel/stall.ts';
import { AddressNotAllowed, type CallGuard, noGuard } from './call-guard.ts';
import { BadAnswer, HANDSHAKE_WAIT_MS, NoAnswer } from './port.ts';

const CONNECTIONS = 64;
const IDLE_MS = 4_000;

export type GuardedClient = ReturnType<typeof guardedClient>;

/** Calls of one VASP, on pooled connections. */
export function guardedClient({ problemOf, lookup, maxAnswerBytes, handshakes }: CallGuard, vaspId = '') {
  const client = httpClient({ connections: CONNECTIONS, idleMs: IDLE_MS, maxAnswerBytes, lookup });
  return {
    /**
     * Throws `AddressNotAllowed` and the errors of `HttpClient`. D-38: a call that dies on a reused connection is sent
     * once more on a fresh one.
     */
    async call(
      url: string,
      request: HttpRequest,
      limit: CallLimit,
      { onRepeat = () => {}, onConnection }: CallWatch = {},
    ): Promise<HttpAnswer> {
      const problem = problemOf(url);
      if (problem !== undefined) throw new AddressNotAllowed(problem);
      const calling = (seen?: CallWatch['onConnection']) => {
        const both: CallWatch['onConnection'] = (state, stop) => {
          onConnection?.(state, stop);
          seen?.(state, stop);
        };
        return client.call(url, request, limit, { onRepeat, onConnection: both });
      };
      const { protocol, origin } = new URL(url);
      if (!handshakes || protocol !== 'https:') return calling();
      return handshakes.during(vaspId, origin, calling, limit.signal);
    },
    close: client.close,
  };
}

/** Signs callbacks by Standard Webhooks, version v1 (HMAC-SHA-256). WIRE-3.4 */
export interface CallbackSigner {
  /** Three headers for one attempt. Undefined: the VASP has no signing secret. `name`: the same at every attempt. */
  headers(vaspId: string, name: string, body: string): Record<string, string> | undefined;
}

/** `secretsOf`: the active secrets of a VASP, `whsec_` and base64. `now`: the time of the machine, epoch ms. */
export const callbackSigner = (
  secretsOf: (vaspId: string) => readonly string[],
  now: () => number,
): CallbackSigner => ({
  headers(vaspId, name, body) {
    const secrets = secretsOf(vaspId);
    if (secrets.length === 0) return undefined;
    const messageId = messageIdOf(name);
    const timestamp = String(Math.floor(now() / 1000));
    const content = `${messageId}.${timestamp}.${body}`;
    return {
      'webhook-id': messageId,
      'webhook-timestamp': timestamp,
      'webhook-signature': secrets.map(secret => `v1,${signature(secret, content)}`).join(' '),
    };
  },
});

export const SECRET_PREFIX = 'whsec_';

const signature = (secret: string, content: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
    .update(content)
    .digest('base64');

/** The same text has the same id, also after a restore. */
const messageIdOf = (text: string): string =>
  `msg_${createHash('sha256').update(text).digest('base64url').slice(0, 27)}`;

/** The registration of a VASP and the request headers that follow from it. */

/** Full URLs: those of the four operations, the driver's, and that of the clock of a robot that has joined. */
type Endpoints = { [O in VaspOperation | 'driver' | 'clock']?: string | undefined };

export interface Registration {
  vaspId: string;
  name: string;
  endpoints: Endpoints;
  authorization: { header: string; token?: string | undefined };
  /** Time of the last change, epoch ms. */
  updatedAt: number;
}

/** WIRE-3: `Authorization: Bearer <token>`, or `<name>: <token>` for another header. Without a token there is none. */
export function requestHeaders({ header, token }: Registration['authorization']): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': USER_AGENT,
  };
  if (token !== undefined)
    headers[header.toLowerCase()] = header.toLowerCase() === 'authorization' ? `Bearer ${token}` : token;
  return headers;
}

const failures = (peer: string): Readonly<Record<CallFailureCode, string>> => ({
  'CLOSED-WHILE-REUSED': `The ${peer} closed the kept-alive connection before it answered. The call is sent once more on a fresh one.`,
  'ANSWER-CUT-OFF': `The connection ended in the middle of the answer of the ${peer}.`,
  'INTERIM-ANSWERS': `The ${peer} sent more than ${MAX_INTERIM_ANSWERS} interim answers (status 1xx). What came after them was not read.`,
  'TINY-CHUNKS': `The ${peer} sent its answer in too many chunks of a few bytes.`,
  'PROTOCOL-SWITCHED': `The ${peer} answered with status 101, but the call did not ask for another protocol.`,
  'HANDSHAKE-TOO-LARGE': `The ${peer} sent more than ${MAX_HANDSHAKE_BYTES / 1024} KiB before its TLS handshake was made.`,
  'HANDSHAKE-FAILED-BEFORE': `The ${peer} was not called: its last TLS handshake failed less than ${HANDSHAKE_WAIT_MS / 1_000} seconds ago.`,
  'HANDSHAKE-TOO-LONG-BEFORE': `The ${peer} was not called: less than an hour ago the certificates of its server took too long to check.`,
});

/** The code of an error that a call throws, of Node or of our own. */
export function codeOf(error: Error): string {
  const { code = error.name } = error as { code?: string };
  // Node.js has a code of its own for an alert that is read, and none for one that is met by a write.
  const [, alert] = (code === 'EPROTO' && /:([\w ]*\balert [a-z ]+)/.exec(error.message)) || [];
  return alert ? `ERR_SSL_${alert.trim().toUpperCase().replaceAll(' ', '_')}` : code;
}

export const HUNG_UP = /^(ECONNRESET|EPIPE)$/;

/** A sentence about a call without an answer. `limitMs`: its time limit. `peer`: `VASP`, or what else was called. */
export function failureText(error: Error, limitMs: number, peer = 'VASP'): string {
  if (error.name === 'TimeoutError') return `timeout of ${limitMs}ms exceeded`;
  if (error instanceof AddressNotAllowed) return error.message;
  if (error instanceof CallFailure) return failures(peer)[error.code];
  const code = codeOf(error);
  if (code === 'HPE_HEADER_OVERFLOW')
    return `The answer of the ${peer} has more than ${maxHeaderSize / 1024} KiB of headers.`;
  if (code.startsWith('HPE_')) return `The answer of the ${peer} is not HTTP (${code}).`;
  if (HUNG_UP.test(code)) return `The ${peer} closed the connection without an answer (${code}).`;
  return `The ${peer} could not be reached (${code}).`;
}

export const problemText = ({ text }: AnswerProblem, peer = 'VASP'): string => `The answer of the ${peer} ${text}.`;

/** Calls of one peer with its token, which may change. `onExchange` gets each of them, with or without an answer. */

export interface CallRecording {
  /** Time on the clock of that VASP, epoch ms. */
  now(vaspId: string): number;
  /** Current position of the history. Default: its beginning. */
  position?(): number;
  /** Resolves when it is the turn of this VASP. A long answer is read then. Default: at once. */
  turnOf?(vaspId: string): Promise<void>;
  /** Default: every address may be called. */
  guard?: CallGuard;
  /** What an answer must not hold, beside the token of the call, and what stands there instead. */
  secret?: { hide(text: string): string; shown: string } | undefined;
  /** The calls are those of the endpoint check. Default: false. */
  isCheck?: boolean;
  onExchange(exchange: OutgoingExchange): void;
}

export type OutgoingExchange = Omit<Exchange, 'direction'> & { method: 'GET' | 'POST' };

type Outcome = Pick<OutgoingExchange, 'status' | 'response' | 'responseHeaders' | 'error'> & { isRepeated?: boolean };

export interface Call
  extends Pick<OutgoingExchange, 'vaspId' | 'operation' | 'method' | 'url' | 'verificationUuid' | 'callbackId'> {
  body?: string;
  timeoutMs: number;
  /** Beside those of every call. */
  headers?: Record<string, string> | undefined;
  fault?: string | undefined;
}

/** Characters. To read as much takes no time. */
const SHORT_ANSWER = 4 * 1024;

export function recordedCalls(
  authorization: Registration['authorization'],
  recording: CallRecording,
  name = 'VASP',
  vaspId?: string,
) {
  const { guard = noGuard, secret } = recording;
  const { token } = authorization;
  const client = guardedClient(guard, vaspId);
  /** A peer may repeat its token in an answer. What is stored must not. */
  const withoutToken = (text: string): string => {
    const plain = secret ? secret.hide(text) : text;
    return token ? plain.replaceAll(token, '***') : plain;
  };

  /** Returns every answer with `maskedBody`, its body without the token. Throws `NoAnswer` or `BadAnswer`. */
  async function send(call: Call) {
    const { url, method, body, timeoutMs, fault } = call;
    const headers = { ...requestHeaders(authorization), ...call.headers };
    const masked = maskedHeaders(headers, [authorization.header.toLowerCase()]);
    const { record, recordFailure, times, selfDelayMs } = recorderOf(recording, call, masked);
    try {
      const request = { method, headers, ...(body === undefined ? {} : { body }) };
      const answer = await client.call(
        url,
        request,
        { timeoutMs, selfDelayMs },
        {
          onRepeat(why) {
            recordFailure(failureText(why, timeoutMs, name), true);
            times.attemptAt = elapsedMs();
          },
          onConnection(state) {
            times.connection = state === 'made' ? { madeAt: elapsedMs() } : {};
          },
        },
      );
      times.answeredAt = elapsedMs();
      if (answer.body.length > SHORT_ANSWER) await recording.turnOf?.(call.vaspId);
      const maskedBody = withoutToken(answer.body);
      const visible = answer.headers.map(([key, value]): [string, string] => [key, withoutToken(value)]);
      record({
        status: answer.status,
        response: maskedBody,
        responseHeaders: { ...maskedHeaders(visible), ...telling(visible, secret?.shown) },
        error: answer.problem ? problemText(answer.problem, name) : (fault ?? null),
      });
      return { maskedBody, ...answer };
    } catch (error) {
      const failure = failureOf(error as Error, timeoutMs, name);
      recordFailure(failure.message);
      throw failure;
    }
  }
  return { send, close: client.close };
}

/** The headers that hold it, also where their values are masked by their names. */
const telling = (headers: readonly [string, string][], shown: string | undefined) =>
  Object.fromEntries(
    headers.flatMap(([name, value]) =>
      shown !== undefined && value.includes(shown) ? [[name.toLowerCase(), shown]] : [],
    ),
  );

interface Times {
  attemptAt: number;
  connection?: { madeAt?: number };
  answeredAt?: number;
}

/** Of one call. The limit is for both attempts, and so are the times that are compared with it. */
function recorderOf(
  recording: CallRecording,
  { url, body, timeoutMs: _, headers: __, fault: ___, ...call }: Call,
  headers: Record<string, string>,
) {
  const at = recording.now(call.vaspId);
  const afterHistory = recording.position?.() ?? 0;
  const startedAt = elapsedMs();
  const selfDelayMs = selfDelay(call.vaspId);
  const times: Times = { attemptAt: startedAt };
  const record = ({ status, response, responseHeaders, error, isRepeated = false }: Outcome) => {
    const { connection, attemptAt } = times;
    recording.onExchange({
      url: maskedUrl(url),
      request: body ?? null,
      status,
      response,
      headers,
      responseHeaders,
      error,
      isCheck: recording.isCheck ?? false,
      isRepeated,
      durationMs: Math.round((times.answeredAt ?? elapsedMs()) - startedAt),
      connectMs: connection ? Math.round((connection.madeAt ?? elapsedMs()) - attemptAt) : undefined,
      stallMs: selfDelayMs() || undefined,
      at,
      afterHistory,
      ...call,
    });
  };
  const recordFailure = (error: string, isRepeated = false) =>
    record({ status: null, response: null, responseHeaders: {}, error, isRepeated });
  return { record, recordFailure, times, selfDelayMs };
}

function failureOf(error: Error, timeoutMs: number, peer: string): NoAnswer | BadAnswer {
  if (error.name === 'TimeoutError') return new NoAnswer(timeoutMs);
  return new BadAnswer(failureText(error, timeoutMs, peer), { cause: error, code: codeOf(error) });
}

import type { Exchange } from '../http/exchange.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { maskedHeaders, maskedUrl } from '../kernel/secrets.ts';
import { selfDelay } from '../kernel/stall.ts';
import { type CallGuard, noGuard } from './call-guard.ts';
import { codeOf, failureText, guardedClient, problemText, type Registration, requestHeaders } from './http-client.ts';
import { BadAnswer, NoAnswer } from './port.ts';

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

import type { Exchange } from '../http/exchange.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { maskedHeaders } from '../kernel/masked-headers.ts';
import { maskedUrl } from '../kernel/masked-url.ts';
import { standstillSince } from '../kernel/standstill.ts';
import { codeOf, failureText, flawText } from './call-failure.ts';
import { type CallGuard, noGuard } from './call-guard.ts';
import { guardedClient } from './http-client.ts';
import { BadAnswer, NoAnswer } from './port.ts';
import { type Registration, requestHeaders } from './wire.ts';

/** Calls of one peer with its token, which may change. `onExchange` gets each of them, with or without an answer. */

export interface CallRecording {
  /** Time on the clock of that VASP, epoch ms. */
  now(vaspId: string): number;
  /** Current position of the history. Default: its beginning. */
  position?(): number;
  /** Default: every address may be called. */
  guard?: CallGuard;
  /** The calls are those of the endpoint check. Default: false. */
  isCheck?: boolean;
  onExchange(exchange: OutgoingExchange): void;
}

export type OutgoingExchange = Omit<Exchange, 'direction'> & { method: 'GET' | 'POST' };

type Outcome = Pick<OutgoingExchange, 'status' | 'response' | 'responseHeaders' | 'error'> & {
  isRepeated?: boolean;
};

export interface Call
  extends Pick<OutgoingExchange, 'vaspId' | 'operation' | 'method' | 'url' | 'verificationUuid'> {
  body?: string;
  timeoutMs: number;
  /** Beside those of every call. */
  headers?: Record<string, string> | undefined;
  fault?: string | undefined;
}

export function recordedCalls(
  authorization: Registration['authorization'],
  recording: CallRecording,
  peer = 'VASP',
) {
  const client = guardedClient(recording.guard ?? noGuard);
  const secretNames = [authorization.header.toLowerCase()];

  /**
   * Returns every answer, whatever its status; `maskedBody` is its body without the token. Throws `NoAnswer` or `BadAnswer`
   * when there is none.
   */
  async function send({ url, body, timeoutMs, headers: more, fault, ...call }: Call) {
    const { token } = authorization;
    const sent = { ...requestHeaders(authorization), ...more };
    /** A peer may repeat its token in an answer. What is stored must not. */
    const withoutToken = (text: string): string => (token ? text.replaceAll(token, '***') : text);
    const pairWithoutToken = ([name, value]: [string, string]): [string, string] => [
      name,
      withoutToken(value),
    ];
    const at = recording.now(call.vaspId);
    const afterHistory = recording.position?.() ?? 0;
    /** The limit is for both attempts, and so are the times that are compared with it. */
    const startedAt = elapsedMs();
    let attemptAt = startedAt;
    let connection: { madeAt?: number } | undefined;
    const record = ({ status, response, responseHeaders, error, isRepeated = false }: Outcome) =>
      recording.onExchange({
        url: maskedUrl(url),
        request: body ?? null,
        status,
        response,
        headers: maskedHeaders(sent, secretNames),
        responseHeaders,
        error,
        isCheck: recording.isCheck ?? false,
        isRepeated,
        durationMs: Math.round(elapsedMs() - startedAt),
        connectMs: connection ? Math.round((connection.madeAt ?? elapsedMs()) - attemptAt) : undefined,
        standstillMs: standstillSince(startedAt) || undefined,
        at,
        afterHistory,
        ...call,
      });
    const recordFailure = (error: string, isRepeated = false) =>
      record({ status: null, response: null, responseHeaders: {}, error, isRepeated });
    try {
      const request = { method: call.method, headers: sent, ...(body === undefined ? {} : { body }) };
      const answer = await client.call(
        url,
        request,
        { timeoutMs },
        {
          onRepeat(why) {
            recordFailure(failureText(why, timeoutMs, peer), true);
            attemptAt = elapsedMs();
          },
          onConnection(state) {
            connection = state === 'begun' ? {} : { madeAt: elapsedMs() };
          },
        },
      );
      const maskedBody = withoutToken(answer.body);
      record({
        status: answer.status,
        response: maskedBody,
        responseHeaders: maskedHeaders(token ? answer.headers.map(pairWithoutToken) : answer.headers),
        error: answer.flaw ? flawText(answer.flaw, peer) : (fault ?? null),
      });
      return { maskedBody, ...answer };
    } catch (error) {
      const failure = failureOf(error as Error, timeoutMs, peer);
      recordFailure(failure.message);
      throw failure;
    }
  }
  return { send, close: client.close };
}

function failureOf(error: Error, timeoutMs: number, peer: string): NoAnswer | BadAnswer {
  if (error.name === 'TimeoutError') return new NoAnswer(timeoutMs);
  return new BadAnswer(failureText(error, timeoutMs, peer), { cause: error, code: codeOf(error) });
}

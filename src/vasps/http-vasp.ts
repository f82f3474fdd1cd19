import type * as z from 'zod';
import type { Callback } from '../contract/callbacks.ts';
import { parseJsonObject } from '../contract/json-object.ts';
import { parse } from '../contract/parse.ts';
import type { Renaming } from '../contract/provider-names.ts';
import { Refusal } from '../contract/refusals.ts';
import { VASP_API, type VaspOperation } from '../contract/vasp-api.ts';
import { elapsedMs } from '../kernel/clock.ts';
import type { HttpAnswer } from '../kernel/http-client.ts';
import { type HeaderValues, maskedHeaders } from '../kernel/masked-headers.ts';
import { maskedUrl } from '../kernel/masked-url.ts';
import { parseRetryAfter } from '../kernel/retry-after.ts';
import { standstillSince } from '../kernel/standstill.ts';
import { codeOf, failureText, flawText } from './call-failure.ts';
import { type CallGuard, noGuard } from './call-guard.ts';
import { guardedClient } from './http-client.ts';
import { BadAnswer, NoAnswer, type Vasp } from './port.ts';
import type { CallbackSigner } from './signature.ts';
import { type Registration, requestHeaders } from './wire.ts';

/** WIRE-3: a VASP that is reached over HTTP, with one address and one time limit per operation. */

export interface HttpVaspDeps {
  timeoutMs: Record<VaspOperation, number>;
  /** Time on the clock of that VASP, epoch ms. */
  now(vaspId: string): number;
  /** Current position of the history. Default: its beginning. */
  position?(): number;
  /** Provider names in callbacks. Default: the names of the reference. */
  names?: Renaming;
  /** Default: every address may be called. */
  guard?: CallGuard;
  /** Default: callbacks are not signed. */
  signer?: CallbackSigner;
  /** The calls are those of the endpoint check. Default: false. */
  isCheck?: boolean;
  /** Called after every exchange, with or without an answer. */
  onExchange(exchange: OutgoingExchange): void;
}

export interface OutgoingExchange {
  vaspId: string;
  operation: VaspOperation;
  url: string;
  verificationUuid: string | null;
  request: string;
  status: number | null;
  response: string | null;
  headers: HeaderValues;
  responseHeaders: HeaderValues;
  error: string | null;
  durationMs: number;
  standstillMs: number | undefined;
  /** A call of the endpoint check. */
  isCheck: boolean;
  /** D-38: the next exchange is the same call on a fresh connection. */
  isRepeated: boolean;
  at: number;
  afterHistory: number;
}

type Outcome = Pick<OutgoingExchange, 'status' | 'response' | 'responseHeaders' | 'error'> & {
  isRepeated?: boolean;
};

export interface HttpVasp extends Vasp {
  close(): Promise<void>;
}

export function httpVasp(registration: Registration, deps: HttpVaspDeps): HttpVasp {
  const client = guardedClient(deps.guard ?? noGuard);
  const headers = requestHeaders(registration.authorization);
  const { token, header } = registration.authorization;
  const secretNames = [header.toLowerCase()];
  const maskedOwn = maskedHeaders(headers, secretNames);
  /** A VASP may repeat its token in an answer. What is stored must not. */
  const withoutToken = (body: string): string => (token ? body.replaceAll(token, '***') : body);
  const pairWithoutToken = ([name, value]: [string, string]): [string, string] => [name, withoutToken(value)];

  async function post(
    endpoint: VaspOperation,
    uuid: string | null,
    body: string,
    more?: Record<string, string>,
  ): Promise<HttpAnswer> {
    const sent = more ? { ...headers, ...more } : headers;
    const url = registration.endpoints[endpoint];
    if (url === undefined) throw new BadAnswer(`The VASP has no ${endpoint} address configured.`);
    const timeoutMs = deps.timeoutMs[endpoint];
    const at = deps.now(registration.vaspId);
    const afterHistory = deps.position?.() ?? 0;
    let startedAt = elapsedMs();
    const record = ({ status, response, responseHeaders, error, isRepeated = false }: Outcome) =>
      deps.onExchange({
        vaspId: registration.vaspId,
        operation: endpoint,
        url: maskedUrl(url),
        verificationUuid: uuid,
        request: body,
        status,
        response,
        headers: more ? maskedHeaders(sent, secretNames) : maskedOwn,
        responseHeaders,
        error,
        isCheck: deps.isCheck ?? false,
        isRepeated,
        durationMs: Math.round(elapsedMs() - startedAt),
        standstillMs: standstillSince(startedAt) || undefined,
        at,
        afterHistory,
      });
    const recordFailure = (error: string, isRepeated = false) =>
      record({ status: null, response: null, responseHeaders: {}, error, isRepeated });
    try {
      const answer = await client.call(url, { method: 'POST', headers: sent, body }, { timeoutMs }, why => {
        recordFailure(failureText(why, timeoutMs), true);
        startedAt = elapsedMs();
      });
      record({
        status: answer.status,
        response: withoutToken(answer.body),
        responseHeaders: maskedHeaders(token ? answer.headers.map(pairWithoutToken) : answer.headers),
        error: answer.flaw ? flawText(answer.flaw) : null,
      });
      return answer;
    } catch (error) {
      const failure = failureOf(error as Error, timeoutMs);
      recordFailure(failure.message);
      throw failure;
    }
  }

  async function ask<O extends Exclude<VaspOperation, 'callback'>>(
    operation: O,
    request: { verificationUuid?: string },
  ): Promise<z.output<(typeof VASP_API)[O]['answer']>> {
    const uuid = request.verificationUuid ?? null;
    const { status, body, flaw } = await post(operation, uuid, JSON.stringify(request));
    if (status !== 200) throw new BadAnswer(`The VASP answered with status ${status} instead of 200.`);
    if (flaw) throw new BadAnswer(flawText(flaw), { code: flaw.code });
    if (body === '') throw new BadAnswer('The answer of the VASP has no body.');
    return parseAnswer(VASP_API[operation].answer, body) as z.output<(typeof VASP_API)[O]['answer']>;
  }

  return {
    verifyAccount: request => ask('verifyAccount', request as object),
    verifyUser: request => ask('verifyUser', request),
    transactionStatus: request => ask('transactionStatus', request),
    async callback(callback: Callback, { name, body: written, changeBody = unchanged } = {}) {
      const renamed = deps.names?.body(callback) ?? callback;
      const body = changeBody((renamed === callback && written) || JSON.stringify(renamed));
      const signed = deps.signer?.headers(registration.vaspId, name ?? body, body);
      const answer = await post('callback', callback.data.verificationUuid, body, signed);
      const retryAfterMs = parseRetryAfter(answer.headers);
      return {
        status: answer.status,
        body: withoutToken(answer.body),
        retryAfterMs,
        flaw: answer.flaw && flawText(answer.flaw),
      };
    },
    close: client.close,
  };
}

const unchanged = (body: string): string => body;

function failureOf(error: Error, timeoutMs: number): NoAnswer | BadAnswer {
  if (error.name === 'TimeoutError') return new NoAnswer(timeoutMs);
  return new BadAnswer(failureText(error, timeoutMs), { cause: error, code: codeOf(error) });
}

/** The error names the first invalid member, never its value. */
function parseAnswer<S extends z.ZodType>(schema: S, text: string): z.output<S> {
  try {
    return parse(schema, parseJsonObject(text));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.kind === 'not-json') throw new BadAnswer('The answer of the VASP is not JSON.');
    const flaw = error.field === undefined ? 'it should be a JSON object.' : error.message;
    throw new BadAnswer(`The answer of the VASP is not valid: ${flaw}`);
  }
}

import { STATUS_CODES } from 'node:http';
import type { Context } from 'hono';
import {
  CUT_OFF,
  INTERNAL_ERROR,
  type Operation,
  STORAGE_UNAVAILABLE,
  type WireError,
  wireError,
} from '../contract/errors.ts';
import { REFUSED_FIELD, Refusal } from '../contract/refusals.ts';
import type { Log } from '../kernel/log.ts';
import { ProgramStops } from '../kernel/program.ts';
import type { Random } from '../kernel/random.ts';
import { storageTrouble } from '../kernel/storage-trouble.ts';

export interface Answer {
  status: number;
  text: string;
  headers?: Readonly<Record<string, string>>;
}

/** RFC 6750 */
const CHALLENGE = { 'www-authenticate': 'Bearer realm="robot-vasp"' };
const RETRY_AFTER = { 'retry-after': '2' };

export function answerRefusal(operation: Operation, refusal: Refusal): Answer {
  const { status, code, message } = wireError(operation, refusal);
  const text = JSON.stringify({ code, message });
  const { retryAfterS, field } = refusal;
  const headers = {
    ...refusal.headers,
    ...(field === undefined ? {} : { [REFUSED_FIELD]: encodeURIComponent(field) }),
    ...(status === 401 ? CHALLENGE : {}),
    ...(status === 429 ? RETRY_AFTER : {}),
    ...(status === 429 && retryAfterS !== undefined ? { 'retry-after': String(retryAfterS) } : {}),
  };
  return { status, text, headers };
}

/** Nobody can serve the request now. */
export const answerUnavailable = ({ status, code, message }: WireError): Answer => ({
  status,
  text: JSON.stringify({ code, message }),
  headers: RETRY_AFTER,
});

/**
 * Any error but a refusal of this operation, storage trouble and the end of the program is a bug: it is logged, and the
 * answer names the id of the log entry.
 */
export function answerError(
  operation: Operation,
  error: unknown,
  deps: { random: Random; log: Log; stopping?: AbortController },
): Answer {
  if (error instanceof Refusal && wireError(operation, error) !== INTERNAL_ERROR)
    return answerRefusal(operation, error);
  const trouble = storageTrouble(error);
  if (trouble) {
    deps.log.warn({ operation, err: trouble.message }, 'the storage is not available');
    return answerUnavailable(STORAGE_UNAVAILABLE);
  }
  if (error instanceof ProgramStops || deps.stopping?.signal.aborted) {
    deps.log.warn({ operation, err: String(error) }, 'a request was cut off by the end of the program');
    return answerUnavailable(CUT_OFF);
  }
  const id = deps.random.uuid();
  deps.log.error({ id, operation, err: String(error), stack: (error as Error).stack }, 'unexpected failure');
  const { status, code, message } = INTERNAL_ERROR;
  return { status, text: JSON.stringify({ code, message: `${message}; details are in the log under ${id}` }) };
}

export const responseHeadersOf = ({ headers }: Answer): Record<string, string> => ({
  'content-type': 'application/json; charset=UTF-8',
  // Some answers hold keys, most of them persons' data.
  'cache-control': 'no-store',
  ...headers,
});

export const send = (answer: Answer, others?: Record<string, string>): Response =>
  new Response(answer.text, {
    status: answer.status,
    headers: others ? { ...responseHeadersOf(answer), ...others } : responseHeadersOf(answer),
  });

/** Closes the connection without an answer. An in-process call gets a network error instead. */
export function closeConnection(c: Context): Response | Promise<Response> {
  const { outgoing } = (c.env ?? {}) as { outgoing?: { destroy(): void } };
  if (!outgoing) return Response.error();
  outgoing.destroy();
  return new Promise(() => {});
}

/** The headers of an answer that ends its connection. */
export const lastHeaders = ({ text, headers }: Answer): Record<string, string> => ({
  'content-type': 'application/json; charset=UTF-8',
  'content-length': String(Buffer.byteLength(text)),
  connection: 'close',
  ...headers,
});

/** An answer for a socket on which Node serves no request. */
export function rawAnswer(answer: Answer): string {
  const lines = Object.entries(lastHeaders(answer)).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${lines.join('')}\r\n${answer.text}`;
}

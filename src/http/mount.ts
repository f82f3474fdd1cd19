import type { Context, Hono } from 'hono';
import { INTERNAL_ERROR, type Operation, wireError } from '../contract/errors.ts';
import { parse } from '../contract/parse.ts';
import { Refusal, refusals } from '../contract/refusals.ts';
import { elapsedMs } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Random } from '../kernel/random.ts';
import { type JsonObject, readJsonObject } from './body.ts';
import type { Endpoint, EndpointInput } from './endpoint.ts';
import { type EventStream, streamed } from './event-stream.ts';
import type { ExchangeLog } from './exchange.ts';

export interface HttpDeps {
  /** D-01: `Authorization` header -> vaspId of the caller. Throws `Refusal` unauthorized. */
  authenticate(authorization: string | undefined): string;
  exchanges: ExchangeLog;
  /** Called for every answered request, also for those that are not recorded as exchanges. */
  onServed(operation: Operation, status: number): void;
  /** Time on the caller's clock, epoch ms. */
  now(vaspId: string): number;
  /** Runs `work` in the common transaction of this event-loop turn. Resolves after the commit. */
  groupCommit<T>(work: () => T): Promise<T>;
  /** The answer that an ordered fault makes of this one; undefined: no fault applies. */
  faultyAnswer?(call: ServedCall): Promise<FaultyAnswer> | undefined;
  random: Random;
  log: Log;
}

export interface Answer {
  status: number;
  text: string;
}
export interface ServedCall {
  vaspId: string;
  operation: Operation;
  verificationUuid: string | null;
  answer: Answer;
  /** Aborted when the caller disconnects. */
  disconnected: AbortSignal;
}
export interface FaultyAnswer {
  /** Undefined: the connection is closed without an answer. */
  answer: Answer | undefined;
  cause: string;
}

/** Adds one route for each endpoint. Other methods of its path answer 405, other paths 404. */
export function mount(app: Hono, endpoints: readonly Endpoint[], deps: HttpDeps): void {
  const byPath = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints)
    byPath.set(endpoint.path, [...(byPath.get(endpoint.path) ?? []), endpoint]);
  // Fixed paths first: otherwise `account` of `/v1/verifications/account` would match `:uuid`.
  const paths = [...byPath.keys()].sort((a, b) => Number(a.includes(':')) - Number(b.includes(':')));
  for (const path of paths) {
    const here = byPath.get(path)!;
    for (const endpoint of here) {
      const answer = endpoint.isEventStream ? serveStream : serve;
      app.on(endpoint.method, path, c => answer(c, endpoint, deps));
    }
    const allow = here.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    app.all(path, () =>
      send(answerRefusal(here[0]!.operation, refusals.wrongMethod(allow)), { allow: allow.join(', ') }),
    );
  }
  app.onError(error => send(answerError('sandbox', error, deps)));
  app.notFound(() => send(answerRefusal('sandbox', refusals.unknownPath())));
}

async function serve(c: Context, endpoint: Endpoint, deps: HttpDeps): Promise<Response> {
  const { operation } = endpoint;
  const startedAt = elapsedMs();
  const afterHistory = deps.exchanges.position();
  let at = 0;
  let caller: string | undefined;
  let body: JsonObject | undefined;
  let answer: Answer;
  try {
    caller = deps.authenticate(c.req.header('authorization'));
    at = deps.now(caller);
    if (endpoint.body) body = await readJsonObject(c.req.raw, endpoint.bodyMayBeAbsent);
    const input = inputOf(c, endpoint, body, c.req.raw.signal);
    const run = () => endpoint.run(input, caller!);
    const body200 = await (endpoint.groupCommit ? deps.groupCommit(run) : run());
    answer = { status: 200, text: JSON.stringify(body200) };
  } catch (error) {
    answer = answerError(operation, error, deps);
  }
  if (caller === undefined || operation === 'sandbox') return finished(answer);
  const verificationUuid = verificationOf(c, body, answer.text);
  const replaced = deps.faultyAnswer?.({
    vaspId: caller,
    operation,
    verificationUuid,
    answer,
    disconnected: c.req.raw.signal,
  });
  const { answer: out, cause } = replaced ? await replaced : { answer, cause: null };
  deps.exchanges.record({
    vaspId: caller,
    direction: 'IN',
    operation,
    method: c.req.method,
    url: pathAndQuery(c.req.url),
    verificationUuid,
    request: body === undefined ? null : JSON.stringify(body),
    status: out?.status ?? null,
    response: out?.text ?? null,
    error: cause,
    durationMs: Math.round(elapsedMs() - startedAt),
    at,
    afterHistory,
  });
  return finished(out);

  function finished(out: Answer | undefined): Response | Promise<Response> {
    deps.onServed(operation, out?.status ?? answer.status);
    return out ? send(out) : closeConnection(c);
  }
}

async function serveStream(c: Context, endpoint: Endpoint, deps: HttpDeps): Promise<Response> {
  const { operation } = endpoint;
  const gone = new AbortController();
  try {
    const caller = deps.authenticate(c.req.header('authorization'));
    const signal = AbortSignal.any([c.req.raw.signal, gone.signal]);
    const events = endpoint.run(inputOf(c, endpoint, undefined, signal), caller) as EventStream;
    deps.onServed(operation, 200);
    return streamed(c, events, { gone, onFailure });
  } catch (error) {
    const answer = answerError(operation, error, deps);
    deps.onServed(operation, answer.status);
    return send(answer);
  }

  /** The status 200 is already sent, so a broken connection is the only way to show a failure. */
  function onFailure(error: unknown): void {
    answerError(operation, error, deps);
    void closeConnection(c);
  }
}

const inputOf = (c: Context, { body, query }: Endpoint, json: JsonObject | undefined, signal: AbortSignal) =>
  ({
    body: body && parse(body, json),
    query: query && parse(query, queryOf(c)),
    params: c.req.param(),
    idempotencyKey: c.req.header('idempotency-key'),
    lastEventId: c.req.header('last-event-id'),
    signal,
  }) as EndpointInput<never, never>;

/** Closes the connection without an answer. An in-process call gets a network error instead. */
function closeConnection(c: Context): Response | Promise<Response> {
  const { outgoing } = (c.env ?? {}) as { outgoing?: { destroy(): void } };
  if (!outgoing) return Response.error();
  outgoing.destroy();
  return new Promise(() => {});
}

const send = ({ status, text }: Answer, headers?: Record<string, string>): Response =>
  new Response(text, { status, headers: { 'content-type': 'application/json; charset=UTF-8', ...headers } });

function answerRefusal(operation: Operation, refusal: Refusal): Answer {
  const { status, code, message } = wireError(operation, refusal);
  return { status, text: JSON.stringify({ code, message }) };
}

/** Any error but a refusal of this operation is a bug: it is logged, and the answer names the id of the log entry. */
function answerError(operation: Operation, error: unknown, deps: HttpDeps): Answer {
  if (error instanceof Refusal && wireError(operation, error) !== INTERNAL_ERROR)
    return answerRefusal(operation, error);
  const id = deps.random.uuid();
  deps.log.error({ id, operation, err: String(error), stack: (error as Error).stack }, 'unexpected failure');
  const { status, code, message } = INTERNAL_ERROR;
  return {
    status,
    text: JSON.stringify({ code, message: `${message}; details are in the log under ${id}` }),
  };
}

/** A repeated parameter becomes an array, which every schema rejects. */
function queryOf(c: Context): JsonObject {
  const all = c.req.queries();
  return Object.fromEntries(
    Object.entries(all).map(([name, values]) => [name, values.length > 1 ? values : values[0]]),
  );
}

const pathAndQuery = (url: string): string => url.slice(url.indexOf('/', url.indexOf('//') + 2));

function verificationOf(c: Context, body: JsonObject | undefined, answer: string | undefined): string | null {
  const named = body?.verificationUuid ?? c.req.param('uuid');
  if (typeof named === 'string') return named.slice(0, 40);
  return /^\{"verificationUuid":"([0-9a-f-]{36})"/.exec(answer ?? '')?.[1] ?? null;
}

import type { Context, Hono, MiddlewareHandler } from 'hono';
import type * as z from 'zod';
import type { Operation } from '../contract/errors.ts';
import { type JsonObject, parse, parseJsonObject } from '../contract/parse.ts';
import { Refusal, refusals } from '../contract/refusals.ts';
import { asCaller, type CallerId } from '../contract/tenancy.ts';
import { verificationKey } from '../contract/text.ts';
import { elapsedMs } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Random } from '../kernel/random.ts';
import { nearestName, nearestOf } from '../kernel/text.ts';
import { firstAborted } from '../kernel/turns.ts';
import { type Answer, answerError, answerRefusal, closeConnection, send } from './answer.ts';
import { incomingOf, readText } from './body.ts';
import { type Caller, requireAccess } from './caller.ts';
import type { Endpoint, EndpointInput } from './endpoint.ts';
import { type EventStream, streamed } from './event-stream.ts';
import { type ExchangeLog, received } from './exchange.ts';

export interface HttpDeps {
  /** The caller. Throws `Refusal` unauthorized. */
  callerOf(c: Context): Admitted;
  exchanges: ExchangeLog;
  /** Called for every answered request, also for those that are not recorded as exchanges. */
  onServed(operation: Operation, status: number): void;
  /** Time on the caller's clock, epoch ms. */
  now(vaspId: string): number;
  /** The answer that an ordered fault makes of this one; undefined: no fault applies. */
  faultyAnswer?(call: ServedCall): Promise<FaultyAnswer> | undefined;
  random: Random;
  log: Log;
  stopping?: AbortController;
}

export interface Admitted {
  /** Undefined: a public request without a key. */
  caller: Caller | undefined;
  /** Aborts when the caller may no longer read. Undefined: never. */
  over?: AbortSignal;
  address: string;
}

const NOBODY: Caller = { role: 'nobody', vaspId: asCaller('') };

interface ServedCall {
  vaspId: string;
  operation: Operation;
  verificationUuid: string | null;
  answer: Answer;
  /** Aborted when the caller disconnects. A signal is expensive, so it is made on demand. */
  disconnected(): AbortSignal;
}
export interface FaultyAnswer {
  /** Undefined: the connection is closed without an answer. */
  answer: Answer | undefined;
  cause: string;
}

/** Answers one request. Calls of `/v1` and of the robot are recorded and may meet a fault; those of the sandbox do not. */
export async function serve(c: Context, endpoint: Endpoint, deps: HttpDeps): Promise<Response> {
  const { operation } = endpoint;
  const startedAt = elapsedMs() - waitedMs(c);
  const afterHistory = deps.exchanges.position();
  const { caller, at, text, body, result, answer } = await run(c, endpoint, deps);
  if (caller === undefined || operation === 'sandbox') {
    deps.onServed(operation, answer.status);
    return send(answer, headersOf(endpoint, answer));
  }
  const verificationUuid = verificationOf(c, body, result);
  const replaced = deps.faultyAnswer?.({
    vaspId: caller,
    operation,
    verificationUuid,
    answer,
    disconnected: () => c.req.raw.signal,
  });
  const { answer: sent, cause } = replaced ? await replaced : { answer, cause: null };
  const incoming = incomingOf(c);
  if (incoming) incoming.isRecorded = true;
  const request = text === '' ? null : text;
  const call = { vaspId: caller, operation, verificationUuid, request, error: cause, at, afterHistory };
  deps.exchanges.record(received(c, { startedAt, waitedMs: waitedMs(c), sent, ...call }));
  deps.onServed(operation, sent?.status ?? answer.status);
  return sent ? send(sent) : closeConnection(c);
}

const waitedMs = (c: Context): number => incomingOf(c)?.waitedMs ?? 0;

/**
 * `caller` undefined: the API key is not valid. `at`: its arrival, on the caller's clock, epoch ms. `text`: the body as it was
 * sent; empty: there was none, or it could not be read.
 */
async function run(c: Context, endpoint: Endpoint, deps: HttpDeps) {
  let caller: CallerId | undefined;
  let at = 0;
  let text = '';
  let body: JsonObject | undefined;
  let result: unknown;
  let answer: Answer;
  let end = () => {};
  try {
    const { who, over, address } = admitted(c, endpoint, deps);
    caller = who.vaspId;
    at = deps.now(caller) - Math.round(waitedMs(c));
    if (endpoint.body) {
      const incoming = incomingOf(c);
      const headers = incoming?.headers ?? c.req.header();
      text = await readText(incoming?.rawBody ?? c.req.raw, headers, endpoint.maxBytes);
      body = text === '' && endpoint.bodyMayBeAbsent ? {} : parseJsonObject(text, endpoint.maxElements);
    }
    const signal = () => {
      if (!over) return c.req.raw.signal;
      const first = firstAborted(c.req.raw.signal, over);
      end = first.release;
      return first.signal;
    };
    const input = inputOf(c, endpoint, { body, signal, who, address });
    result = await endpoint.run(input, caller);
    const written = endpoint.mediaType ? String(result) : JSON.stringify(result);
    answer = { status: endpoint.success ?? 200, text: written };
  } catch (error) {
    answer = answerError(endpoint.operation, error, deps);
  } finally {
    end();
  }
  return { caller, at, text, body, result, answer };
}

/** Answers with a stream of events. Streams are not recorded. The answer to HEAD has no stream: it has ended at once. */
async function serveStream(c: Context, endpoint: Endpoint, deps: HttpDeps): Promise<Response> {
  const { operation } = endpoint;
  const gone = new AbortController();
  try {
    const { who, over, address } = admitted(c, endpoint, deps);
    const { signal } = firstAborted(c.req.raw.signal, gone.signal, ...(over ? [over] : []));
    const input = inputOf(c, endpoint, { body: undefined, signal: () => signal, who, address });
    const events = endpoint.run(input, who.vaspId) as EventStream;
    deps.onServed(operation, 200);
    if (c.req.method === 'HEAD') gone.abort();
    return streamed(c, events, { gone, over: signal, onFailure });
  } catch (error) {
    gone.abort();
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

/** Throws `Refusal` unauthorized, forbidden. */
function admitted(c: Context, { access }: Endpoint, deps: HttpDeps) {
  const { caller, ...admission } = deps.callerOf(c);
  if (!caller && access !== 'everybody') throw refusals.unauthorized();
  const who = caller ?? NOBODY;
  requireAccess(who, access);
  return { who, ...admission };
}

type Circumstances = Pick<EndpointInput<JsonObject | undefined, never>, 'body' | 'signal' | 'who' | 'address'>;

/** Calls of the network ignore what they do not know (D-05). A control call says what was meant. */
function parsed(schema: z.ZodType, value: unknown, operation: Operation): unknown {
  const misspelled = operation === 'sandbox' ? misspelledMember(schema, value) : undefined;
  if (!misspelled) return parse(schema, value);
  try {
    parse(schema, value);
  } catch (error) {
    throw error instanceof Refusal ? withMisspelling(error, misspelled) : error;
  }
  throw misspelledRefusal(misspelled);
}

const inputOf = (c: Context, { body: schema, query, operation }: Endpoint, { body, ...others }: Circumstances) =>
  ({
    body: schema && parsed(schema, body, operation),
    query: queryOf(c, query, operation),
    params: paramsOf(c),
    idempotencyKey: c.req.header('idempotency-key'),
    lastEventId: c.req.header('last-event-id'),
    ...others,
  }) as EndpointInput<never, never>;

const paramsOf = (c: Context): Record<string, string> => {
  const { uuid, ...others } = c.req.param();
  return uuid === undefined ? others : { ...others, uuid: verificationKey(uuid) };
};

/** A repeated parameter becomes an array, which every schema rejects. A control call takes only what it knows. */
function queryOf(c: Context, schema: z.ZodType | undefined, operation: Operation): unknown {
  const all = c.req.queries();
  if (!schema) return operation === 'sandbox' ? requireKnown([], all) : undefined;
  const single = Object.entries(all).map(([name, values]) => [name, values.length > 1 ? values : values[0]]);
  let query: unknown;
  try {
    query = parsed(schema, Object.fromEntries(single), operation);
  } catch (error) {
    const field = error instanceof Refusal ? error.field : undefined;
    const { length: times } = (field !== undefined && all[field]) || [];
    if (field === undefined || times < 2) throw error;
    throw refusals.invalidField(field, `came ${times} times`, 'Send it once.');
  }
  if (operation === 'sandbox') requireKnown(membersOf(schema), all);
  return query;
}

/** A refusal is JSON, whatever the operation answers otherwise. */
const headersOf = ({ mediaType }: Endpoint, { status }: Answer): Record<string, string> | undefined =>
  mediaType && status < 300
    ? { 'content-type': mediaType.startsWith('text/') ? `${mediaType}; charset=UTF-8` : mediaType }
    : undefined;

function verificationOf(c: Context, body: JsonObject | undefined, result: unknown): string | null {
  const named = body?.verificationUuid ?? c.req.param('uuid');
  if (typeof named === 'string') return verificationKey(named.slice(0, 40));
  return (result as { verificationUuid?: string } | undefined)?.verificationUuid ?? null;
}

/** A member of a control call that no schema knows, and the known one that it is near to. */
interface Misspelled {
  readonly path: string;
  readonly nearest: string;
}

interface Parts {
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly catchall?: unknown;
  readonly options?: readonly z.ZodType[];
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
}
const partsOf = (schema: z.ZodType): Parts => schema.def as unknown as Parts;

/** The objects that a value may be. Those that take any member are left out. */
function objectsIn(schema: z.ZodType): Parts[] {
  const parts = partsOf(schema);
  if (parts.shape) return parts.catchall && !isStrict(parts.catchall) ? [] : [parts];
  const inside = [parts.innerType, parts.in, parts.out, ...(parts.options ?? [])];
  return inside.flatMap(each => (each ? objectsIn(each) : []));
}
const isStrict = (catchall: unknown): boolean => (catchall as { def: { type: string } }).def.type === 'never';

/** The names of the members that an object of the schema may have. */
const membersOf = (schema: z.ZodType): string[] => [
  ...new Set(objectsIn(schema).flatMap(({ shape }) => Object.keys(shape!))),
];

/** D-54: a mistyped filter would list everything. Throws `Refusal` invalid-field. */
function requireKnown(known: readonly string[], query: Readonly<Record<string, unknown>>): void {
  const unknown = Object.keys(query).find(name => !known.includes(name));
  if (unknown === undefined) return;
  const taken = known.map(name => `\`${name}\``).join(', ') || 'no parameters';
  throw refusals.invalidField(unknown.slice(0, LONGEST_NAME), 'is not known', `This call takes ${taken}.`);
}

function elementOf(schema: z.ZodType): z.ZodType | undefined {
  const { element, innerType, in: input, out } = partsOf(schema);
  if (element) return element;
  return [innerType, input, out].flatMap(each => (each && elementOf(each)) ?? [])[0];
}

/** Unknown members of one body that are compared with the known ones. */
const MAX_UNKNOWN = 50;
const LONGEST_NAME = 64;

/** The first misspelt member, also inside of members. A member far from every name is an extension (D-05). */
function misspelledMember(
  schema: z.ZodType,
  value: unknown,
  path = '',
  room = { unknown: MAX_UNKNOWN },
): Misspelled | undefined {
  if (Array.isArray(value)) {
    const element = elementOf(schema);
    return element && firstOf(value, (each, i) => misspelledMember(element, each, `${path}[${i}]`, room));
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const objects = objectsIn(schema);
  const known = membersOf(schema);
  return firstOf(Object.entries(value), ([name, member]) => {
    const at = path === '' ? name : `${path}.${name}`;
    if (known.includes(name))
      return firstOf(objects, ({ shape }) => shape![name] && misspelledMember(shape![name], member, at, room));
    if (name.length > LONGEST_NAME || --room.unknown < 0) return undefined;
    const nearest = known.find(each => bare(each) === bare(name)) ?? nearestName(name, known);
    if (nearest === undefined || Object.hasOwn(value, nearest)) return undefined;
    return { path: at, nearest: path === '' ? nearest : `${path}.${nearest}` };
  });
}

/** `verification_uuid` and `VerificationUUID` are the same word. */
const bare = (name: string): string => name.replace(/[_-]/g, '').toLowerCase();

function firstOf<T, F>(all: readonly T[], find: (each: T, index: number) => F | undefined): F | undefined {
  for (const [index, each] of all.entries()) {
    const found = find(each, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

const misspelledRefusal = ({ path, nearest }: Misspelled): Refusal =>
  refusals.invalidField(path, 'is not known', `Did you mean \`${nearest}\`?`);

/** The refusal of a missing member says what came instead. */
const withMisspelling = (refusal: Refusal, { path, nearest }: Misspelled): Refusal =>
  refusal.kind === 'missing-field' && refusal.field === nearest
    ? refusals.missingField(nearest, `\`${path}\` came: did you mean \`${nearest}\`?`)
    : refusal;

const SLASHES =
  'No endpoint has a path with two slashes in a row. Let the base address of your client end without a slash.';
const LONGEST_PATH = 200;
/** Slashes and blanks. */
const END = /(\/|%20|%2F)+$/i;

/** Adds one route for each endpoint. Other methods of its path answer 405, other paths 404. */
export function mount(app: Hono, endpoints: readonly Endpoint[], deps: HttpDeps): void {
  const byPath = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) byPath.set(endpoint.path, [...(byPath.get(endpoint.path) ?? []), endpoint]);
  // Fixed paths first: otherwise `account` of `/v1/verifications/account` would match `:uuid`.
  const paths = [...byPath.keys()].sort((a, b) => Number(a.includes(':')) - Number(b.includes(':')));
  for (const path of paths) {
    const here = byPath.get(path)!;
    for (const endpoint of here) {
      const answer = endpoint.isEventStream ? serveStream : serve;
      app.on(endpoint.method, path, c => answer(c, endpoint, deps));
    }
    const allow = withHead(here.map(({ method }) => method));
    app.all(path, () => wrongMethod(allow, here[0]!.operation));
  }
  app.onError(error => send(answerError('sandbox', error, deps)));
  app.notFound(c => {
    const allow = app.routes.filter(each => each.path === c.req.path).map(({ method }) => method);
    const isThere = allow.length > 0 && !allow.includes(c.req.method);
    if (isThere) return wrongMethod(withHead(allow));
    const why = c.req.path.includes('//') ? SLASHES : nearPath(c.req.path, app);
    return send(answerRefusal('sandbox', refusals.unknownPath(why)));
  });
}

/** Names the endpoint that is near. */
function nearPath(path: string, { routes }: Hono): string | undefined {
  if (path.length > LONGEST_PATH) return undefined;
  const asked = path.replace(END, '');
  const given = asked.split('/');
  const asAsked = (part: string, i: number) => (part.startsWith(':') ? (given[i] ?? part) : part);
  const paths = routes
    .map(each => each.path.split('/'))
    .filter(parts => parts.length === given.length && !parts.includes('*'))
    .map(parts => parts.map(asAsked).join('/'));
  const near = nearestOf(asked, paths);
  return near === undefined ? undefined : `No endpoint has this path; \`${near}\` is one.`;
}

/** A path that another process has: `why` says which. */
export const mountNotServed = (app: Hono, path: string, why: string): void =>
  void app.all(path, () => send(answerRefusal('sandbox', refusals.unknownPath(why))));

/** Middleware for pages that answer every other method by 404. */
export const allowOnly =
  (...allow: string[]): MiddlewareHandler =>
  (c, next) =>
    allow.includes(c.req.method) ? next() : Promise.resolve(wrongMethod(allow));

const wrongMethod = (allow: readonly string[], operation: Operation = 'sandbox'): Response =>
  send(answerRefusal(operation, refusals.wrongMethod(allow)), { allow: allow.join(', ') });

const withHead = (methods: readonly string[]): string[] =>
  methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]));

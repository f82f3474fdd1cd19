import type * as z from 'zod';
import type { CallbackType } from '../contract/callbacks.ts';
import type { Operation, RefusalKind, RefusalOf } from '../contract/errors.ts';
import type { CallerId } from '../contract/tenancy.ts';
import type { Access, Caller } from './caller.ts';
import type { EventStream } from './event-stream.ts';
import type { ParametersIn, PathParameter } from './openapi/path-parameters.ts';
import type { DocumentedPath } from './openapi/tags.ts';

/** One operation over HTTP. Its schemas validate requests, type the handler and describe the API. */
export interface Endpoint<O extends Operation = Operation> {
  readonly operation: O;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `:name` for path parameters. */
  readonly path: string;
  readonly summary: string;
  /** Details, in Markdown. */
  readonly description?: string;
  readonly body?: z.ZodType;
  /** An empty body counts as `{}`. */
  readonly bodyMayBeAbsent?: true;
  /** The most bytes of a body. Default: `MAX_BODY_BYTES`. */
  readonly mostBytes?: number;
  /** The most elements of each list of a body. Default: `MAX_ELEMENTS`. */
  readonly mostElements?: number;
  readonly query?: z.ZodType;
  /** Fields that other fields make required. The schema shows them as optional. */
  readonly conditionallyRequired?: readonly string[];
  readonly acceptsIdempotencyKey?: true;
  readonly response: z.ZodType;
  /** The answer is `text/event-stream`: `response` is the data of each event. Made by `eventStream`. */
  readonly isEventStream?: true;
  /** Default: built from the examples of the schema. */
  readonly responseExample?: unknown;
  /** Every call is refused, with a text that says what to do. It is not in the API document. */
  readonly alwaysRefuses?: true;
  /** Default: 200. */
  readonly success?: 201;
  /** `run` returns text of this type instead of JSON. */
  readonly mediaType?: string;
  /** Besides the common ones. Default: all refusals of the operation. */
  readonly refusals?: readonly RefusalKind[];
  /** The callbacks that the operation may cause. */
  readonly callbacks?: readonly CallbackType[];
  /** By name. Each is answered with 200. Default: one, built from the examples of the schemas. */
  readonly examples?: Readonly<Record<string, RequestExample>>;
  /** The examples need these first. */
  readonly precondition?: Precondition;
  /** The callers that it serves in the hosted mode. Default: a VASP. */
  readonly access?: Access;
  readonly run: (input: EndpointInput<never, never>, caller: CallerId) => unknown;
}

export interface RequestExample {
  readonly summary?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Texts for the document: they continue "The examples need". */
export const PRECONDITIONS = {
  verified:
    'a verification that you started and the robot answered with VERIFIED (`POST /v1/verifications`). Use its UUID instead of the one shown.',
  paid: 'a verification that is VERIFIED and whose transaction status your VASP can answer. Use its UUID instead of the one shown.',
  'verified-for-robot':
    'a verification that the robot started and you answered with VERIFIED (`POST /vega/robot/v1.0/action/verifications`). Use its UUID instead of the one shown.',
  'robot-holds-money':
    'a verification that the robot started and you answered with VERIFIED, and a deposit of at least its amount at the address that the robot pays from. Use the UUID of the verification instead of the one shown.',
  'fault-ordered':
    'a fault that you ordered (`PUT /sandbox/v1/faults`). Use its id instead of the one shown.',
  'run-started': 'a conformance run (`POST /sandbox/v1/runs`). Use its id instead of the one shown.',
  'transaction-waits': 'a transaction that waits for a block. Use its hash instead of the one shown.',
  'callback-sent':
    'a callback that was sent to you (`GET /sandbox/v1/callbacks`). Use its id instead of the one shown.',
} as const;
export type Precondition = keyof typeof PRECONDITIONS;

export interface EndpointInput<Body, Query, Parameter extends string = string> {
  body: Body;
  query: Query;
  params: Record<Parameter, string>;
  /** Header `Idempotency-Key`. */
  idempotencyKey: string | undefined;
  /** Header `Last-Event-ID`. */
  lastEventId: string | undefined;
  /** Aborted when the caller disconnects, or may no longer read. A signal is expensive, so it is made on demand. */
  signal(): AbortSignal;
  who: Caller;
  /** Of the client; empty for a call inside the process. */
  address: string;
}

/** One endpoint for each operation: a missing one does not compile. */
export type EndpointsOf<O extends Operation> = { readonly [K in O]: Endpoint<K> };

type Schema = z.ZodType;
type Parsed<S> = S extends Schema ? z.output<S> : undefined;
/** A path of a section whose parameters are described. */
type Described<P extends string> = P extends DocumentedPath
  ? ParametersIn<P> extends PathParameter
    ? P
    : never
  : never;

type Declaration<O extends Operation, P extends string, B, Q, R extends Schema, A> = Omit<
  Endpoint<O>,
  'path' | 'refusals' | 'body' | 'query' | 'response' | 'run'
> & {
  path: P & Described<P>;
  refusals?: readonly RefusalOf<O>[];
  body?: B;
  query?: Q;
  response: R;
  run: (input: EndpointInput<Parsed<B>, Parsed<Q>, ParametersIn<P>>, caller: CallerId) => A;
};

/** Declares an endpoint; `run` gets parsed input and the caller's vaspId, and returns the body of the answer. */
export function endpoint<
  O extends Operation,
  P extends string,
  B extends Schema | undefined,
  Q extends Schema | undefined,
  R extends Schema,
>(declaration: Declaration<O, P, B, Q, R, Promise<z.input<R>> | z.input<R>>): Endpoint<O> {
  return declaration as unknown as Endpoint<O>;
}

/** Declares an endpoint whose answer is a stream of events; a refusal of `run` is answered like any other. */
export const eventStream = <O extends Operation, P extends string, Q extends Schema, R extends Schema>(
  declaration: Omit<Declaration<O, P, undefined, Q, R, EventStream<z.input<R>>>, 'method' | 'isEventStream'>,
): Endpoint<O> => ({ ...declaration, method: 'GET', isEventStream: true }) as unknown as Endpoint<O>;

const controlCall =
  (method: Endpoint['method']) =>
  <P extends string, B extends Schema | undefined, Q extends Schema | undefined, R extends Schema>(
    path: P & Described<P>,
    call: Omit<
      Declaration<'sandbox', P, B, Q, R, Promise<z.input<R>> | z.input<R>>,
      'operation' | 'method' | 'path'
    >,
  ): Endpoint<'sandbox'> =>
    ({ operation: 'sandbox', method, path, refusals: [], ...call }) as unknown as Endpoint<'sandbox'>;

/** Declares a control call. Its own `refusals` come beside the common ones. */
export const control = {
  get: controlCall('GET'),
  post: controlCall('POST'),
  put: controlCall('PUT'),
  patch: controlCall('PATCH'),
  delete: controlCall('DELETE'),
};

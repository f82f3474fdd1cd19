import type * as z from 'zod';
import type { CallbackType } from '../contract/callbacks.ts';
import type { Operation, RefusalOf } from '../contract/errors.ts';
import type { RefusalKind } from '../contract/refusals.ts';
import type { EventStream } from './event-stream.ts';
import type { ParametersIn, PathParameter } from './openapi/path-parameters.ts';
import type { DocumentedPath } from './openapi/tags.ts';

/** One operation over HTTP: the same schemas validate, type the handler and make the API document. */
export interface Endpoint<O extends Operation = Operation> {
  readonly operation: O;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `:name` for path parameters. */
  readonly path: string;
  readonly summary: string;
  /** What the summary leaves out, in Markdown. */
  readonly description?: string;
  readonly body?: z.ZodType;
  /** No body at all counts as `{}`. */
  readonly bodyMayBeAbsent?: true;
  readonly query?: z.ZodType;
  /** Fields that the schema cannot know to be required, because it depends on others. */
  readonly requiredAtTimes?: readonly string[];
  readonly takesIdempotencyKey?: true;
  readonly response: z.ZodType;
  /** The answer is `text/event-stream`: `response` is the data of each event. Made by `eventStream`. */
  readonly isEventStream?: true;
  /** The refusals of its own; default: every one that the operation knows. */
  readonly raises?: readonly RefusalKind[];
  /** Callbacks that may follow. */
  readonly causes?: readonly CallbackType[];
  /** By name; each is answered with 200. Default: one, made of the examples in the schemas. */
  readonly examples?: Readonly<Record<string, RequestExample>>;
  /** What has to be there before the examples work. */
  readonly after?: Precondition;
  /** `run` is synchronous, and what it writes commits with everything else of the same turn of the event loop. */
  readonly commitsTogether?: true;
  readonly run: (input: EndpointInput<never, never>, caller: string) => unknown;
}

export interface RequestExample {
  readonly summary?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The document shows the text, and which id of it belongs into the examples. */
export const PRECONDITIONS = {
  verified:
    'a verification of yours that the robot has answered VERIFIED (`POST /v1/verifications`): its UUID',
  paid: 'a verification of yours that is VERIFIED, and of whose transaction your VASP knows the status: its UUID',
  'verified-for-robot':
    'a verification of the robot that you have answered VERIFIED (`POST /vega/robot/v1.0/action/verifications`): its UUID',
  'robot-holds-money':
    'the same, and at the address it is to pay from the robot has received at least as much: its UUID',
  faulty: 'a fault that you have ordered (`PUT /sandbox/v1/faults`): its id',
  'called-back': 'a callback to you (`GET /sandbox/v1/callbacks`): its id',
} as const;
export type Precondition = keyof typeof PRECONDITIONS;

export interface EndpointInput<Body, Query, Parameter extends string = string> {
  body: Body;
  query: Query;
  params: Record<Parameter, string>;
  /** Headers of that name. */
  idempotencyKey: string | undefined;
  lastEventId: string | undefined;
  /** Aborted when the caller hangs up. */
  signal: AbortSignal;
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
  'path' | 'raises' | 'body' | 'query' | 'response' | 'run'
> & {
  path: P & Described<P>;
  raises?: readonly RefusalOf<O>[];
  body?: B;
  query?: Q;
  response: R;
  run: (input: EndpointInput<Parsed<B>, Parsed<Q>, ParametersIn<P>>, caller: string) => A;
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

import type * as z from 'zod';
import type { CallbackType } from '../contract/callbacks.ts';
import { CALLS, type CallName } from '../contract/calls.ts';
import type { Operation, RefusalKind, RefusalOf } from '../contract/errors.ts';
import type { CallerId } from '../contract/tenancy.ts';
import type { Access, Caller } from './caller.ts';
import type { EventStream } from './event-stream.ts';
import type { ParametersIn } from './openapi/schemas.ts';

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
  readonly maxBytes?: number;
  /** The most elements of each list of a body. Default: `MAX_ELEMENTS`. */
  readonly maxElements?: number;
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
    'a verification that the robot started and you answered with VERIFIED, and a payment of at least its amount to the address that the robot pays from. Use the UUID of the verification instead of the one shown.',
  'fault-ordered': 'a fault that you ordered (`PUT /sandbox/v1/faults`). Use its id instead of the one shown.',
  'run-started': 'a test run (`POST /sandbox/v1/runs`). Use its id instead of the one shown.',
  'transaction-waits': 'a transaction that waits for a block. Use its hash instead of the one shown.',
  exchanged: 'an HTTP exchange with you (`GET /sandbox/v1/exchanges`). Use its id instead of the one shown.',
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

type Schema = z.ZodType;

/** Method, path and schemas of an operation. Its route and its document follow from it, and a method of the client. */
export interface Call extends Shape {
  readonly method: Endpoint['method'];
  readonly path: string;
}
interface Shape {
  readonly response: Schema;
  readonly body?: Schema;
  readonly bodyMayBeAbsent?: true;
  readonly query?: Schema;
}
type AddressOf<N extends CallName> = (typeof CALLS)[N] extends `${infer M} ${infer P}`
  ? { readonly method: M; readonly path: P }
  : never;

/** The calls of these names, each with what it takes and returns. */
export const calls = <S extends { readonly [N in CallName]?: Shape }>(shapes: S) =>
  Object.fromEntries(
    Object.entries<Shape>(shapes as never).map(([name, shape]) => {
      const [method, path] = CALLS[name as CallName].split(' ');
      return [name, { method, path, ...shape }];
    }),
  ) as unknown as { readonly [N in keyof S & CallName]: S[N] & AddressOf<N> };

type BodyOf<C> = C extends { body: infer B extends Schema } ? z.output<B> : undefined;
type QueryOf<C> = C extends { query: infer Q extends Schema } ? z.output<Q> : undefined;
type Returned<C extends Call> = z.input<C['response']>;
type Served<O extends Operation, C extends Call, A = Promise<Returned<C>> | Returned<C>> = Omit<
  Endpoint<O>,
  'operation' | 'refusals' | 'run' | keyof Call
> & {
  refusals?: readonly RefusalOf<O>[];
  run: (input: EndpointInput<BodyOf<C>, QueryOf<C>, ParametersIn<C['path']>>, caller: CallerId) => A;
};

/** Serves a call; `run` gets parsed input and the caller's vaspId, and returns the body of the answer. */
export const endpoint = <const C extends Call>(call: C, served: Served<Operation, C>): Omit<Endpoint, 'operation'> =>
  ({ ...call, ...served }) as unknown as Endpoint;

/** One endpoint for each operation: a missing one does not compile. */
export const operations = <O extends Operation>(
  endpoints: Readonly<Record<O, Omit<Endpoint, 'operation'>>>,
): Endpoint[] =>
  Object.entries<Omit<Endpoint, 'operation'>>(endpoints).map(([operation, served]) => ({
    operation: operation as O,
    ...served,
  }));

/** Serves a control call. Its own `refusals` come beside the common ones. */
export const control = <C extends Call>(call: C, served: Served<'sandbox', C>): Endpoint<'sandbox'> =>
  ({ operation: 'sandbox', refusals: [], ...call, ...served }) as unknown as Endpoint<'sandbox'>;

/** Serves a control call whose answer is a stream of events; a refusal of `run` is answered like any other. */
export const eventStream = <C extends Call>(
  call: C,
  served: Omit<Served<'sandbox', C, EventStream<Returned<C>>>, 'isEventStream'>,
): Endpoint<'sandbox'> => control(call, { ...served, isEventStream: true } as never);

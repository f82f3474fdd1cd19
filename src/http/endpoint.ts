import type * as z from 'zod';
import type { Operation } from '../contract/errors.ts';

/** One operation over HTTP: the same schemas validate, type the handler and make the API document. */
export interface Endpoint {
  readonly operation: Operation;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `:name` for path parameters. */
  readonly path: string;
  readonly summary: string;
  readonly body?: z.ZodType;
  /** No body at all counts as `{}`. */
  readonly bodyMayBeAbsent?: true;
  readonly query?: z.ZodType;
  readonly response: z.ZodType;
  readonly run: (input: EndpointInput<never, never>, caller: string) => unknown;
}

export interface EndpointInput<Body, Query> {
  body: Body;
  query: Query;
  params: Record<string, string>;
  /** Header of that name. */
  idempotencyKey: string | undefined;
  /** Aborted when the caller hangs up. */
  signal: AbortSignal;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** Declares an endpoint; `run` gets parsed input and the caller's vaspId, and returns the body of the answer. */
export function endpoint<
  B extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  R extends z.ZodType,
>(
  declaration: Omit<Endpoint, 'body' | 'query' | 'response' | 'run'> & {
    body?: B;
    query?: Q;
    response: R;
    run: (input: EndpointInput<Parsed<B>, Parsed<Q>>, caller: string) => Promise<z.input<R>> | z.input<R>;
  },
): Endpoint {
  return declaration as unknown as Endpoint;
}

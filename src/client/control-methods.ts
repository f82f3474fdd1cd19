import type * as z from 'zod';
import type { Call } from '../http/endpoint.ts';
import { CALLS, type CallOf } from './calls.ts';

/** The methods of the client for the control calls: they take the parameters of the path, then the body or the query. */

export type Query = Readonly<Record<string, string | number>>;
type InPath<P extends string> = P extends `${string}:${string}/${infer Rest}`
  ? [string, ...InPath<Rest>]
  : P extends `${string}:${string}`
    ? [string]
    : [];
type InBody<B> = B extends z.ZodType
  ? Partial<z.input<B>> extends z.input<B>
    ? [body?: z.input<B>]
    : [body: z.input<B>]
  : [];
type InQuery<Q> = Q extends z.ZodType ? [query?: { readonly [M in keyof z.input<Q>]?: string | number }] : [];
type MethodOf<C> =
  C extends Call<infer _, infer P, infer R, infer B, infer Q>
    ? (...args: [...InPath<P>, ...InBody<B>, ...InQuery<Q>]) => Promise<z.infer<R>>
    : never;
type ControlMethods = { readonly [M in keyof typeof CALLS]: MethodOf<CallOf<M>> };

export const controlMethods = (
  send: (method: string, path: string, body?: unknown) => Promise<unknown>,
): ControlMethods =>
  Object.fromEntries(
    Object.entries(CALLS).map(([name, call]) => [
      name,
      (...args: unknown[]) => {
        const [method, path] = call.split(' ') as [string, string];
        const filled = path.replace(/:\w+/g, () => encodeURIComponent(String(args.shift())));
        const [input] = args;
        return method === 'GET'
          ? send(method, filled + queryText(input as Query))
          : send(method, filled, input);
      },
    ]),
  ) as ControlMethods;

export const queryText = (query: Query = {}): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return parameters.size === 0 ? '' : `?${parameters}`;
};

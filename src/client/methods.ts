import type * as z from 'zod';
import { CALLS, type CallName } from '../contract/calls.ts';
import type { CallOf, Order } from './calls.ts';

export type Query = Readonly<Record<string, string | number>>;
type InPath<P extends string> = P extends `${string}:${string}/${infer Rest}`
  ? [string, ...InPath<Rest>]
  : P extends `${string}:${string}`
    ? [string]
    : [];
type InQuery<Q> = { readonly [M in keyof Q]: Q[M] | string | number };
type Input<N extends CallName> =
  CallOf<N> extends { query: infer Q extends z.ZodType } ? InQuery<z.input<Q>> : Order<N>;
type Argument<I> = [I] extends [never] ? [] : Partial<I> extends I ? [input?: I] : [input: I];
export type Methods = {
  readonly [N in CallName]: (
    ...args: [...InPath<CallOf<N>['path']>, ...Argument<Input<N>>]
  ) => Promise<z.infer<CallOf<N>['response']>>;
};

/** A method for each call of the API: it takes the parameters of the path, then the body or the query. */
export const methods = (send: (method: string, path: string, body?: unknown) => Promise<unknown>): Methods =>
  Object.fromEntries(
    Object.entries(CALLS).map(([name, call]) => [
      name,
      (...args: unknown[]) => {
        const [method, path] = call.split(' ') as [string, string];
        const filled = path.replace(/:\w+/g, () => encodeURIComponent(String(args.shift())));
        const [input] = args;
        return method === 'GET' ? send(method, filled + queryText(input as Query)) : send(method, filled, input);
      },
    ]),
  ) as Methods;

export const queryText = (query: Query = {}): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return parameters.size === 0 ? '' : `?${parameters}`;
};

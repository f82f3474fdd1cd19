import type * as z from 'zod';
import { CALLS, type CallName } from '../contract/calls.ts';
import type { CallOf, Order } from './calls.ts';

/** A method of the client takes the parameters of the path, then the body or the query. These take members of it by themselves. */
const FIRST_MEMBERS = {
  reportTransaction: ['verificationUuid', 'txHash', 'vout'],
  reportError: ['verificationUuid', 'result', 'reason', 'message'],
  inquireTransaction: ['verificationUuid'],
  assessSanction: ['verificationUuid'],
  assessKyt: ['verificationUuid'],
  assessWco: ['verificationUuid'],
  balance: ['vaspId', 'symbol', 'address'],
  letRobotInquire: ['verificationUuid'],
  letRobotWithdraw: ['verificationUuid', 'omitTxReport'],
  letRobotReport: ['verificationUuid', 'txHash'],
  letRobotReportError: ['verificationUuid', 'result', 'reason', 'message'],
  checkIvms101: ['payload'],
  advance: ['duration'],
  rollSigningSecret: ['overlap'],
  switchReferenceVasp: ['running'],
  claimTrial: ['invitation'],
  rollKey: ['overlap'],
  invite: ['name', 'expiresIn'],
  faucet: ['symbol', 'address', 'amount'],
} as const satisfies { readonly [N in CallName]?: readonly string[] };

export type Query = Readonly<Record<string, string | number>>;
type InPath<P extends string> = P extends `${string}:${string}/${infer Rest}`
  ? [string, ...InPath<Rest>]
  : P extends `${string}:${string}`
    ? [string]
    : [];
type InQuery<Q> = { readonly [M in keyof Q]: Q[M] | string | number };
type Input<N extends CallName> =
  CallOf<N> extends { query: infer Q extends z.ZodType } ? InQuery<z.input<Q>> : Order<N>;
type Arguments<I, First> = [I] extends [never]
  ? []
  : First extends readonly [infer M extends keyof I, ...infer Others]
    ? Partial<Pick<I, M>> extends Pick<I, M>
      ? [member?: I[M], ...Arguments<Omit<I, M>, Others>]
      : [member: I[M], ...Arguments<Omit<I, M>, Others>]
    : keyof I extends never
      ? []
      : Partial<I> extends I
        ? [input?: I]
        : [input: I];
type First<N> = N extends keyof typeof FIRST_MEMBERS ? (typeof FIRST_MEMBERS)[N] : [];
type Methods = {
  readonly [N in CallName]: (
    ...args: [...InPath<CallOf<N>['path']>, ...Arguments<Input<N>, First<N>>]
  ) => Promise<z.infer<CallOf<N>['response']>>;
};

/** A method for each call of the API. */
export const methods = (send: (method: string, path: string, body?: unknown) => Promise<unknown>): Methods =>
  Object.fromEntries(
    Object.entries(CALLS).map(([name, call]) => [
      name,
      (...args: unknown[]) => {
        const [method, path] = call.split(' ') as [string, string];
        const filled = path.replace(/:\w+/g, () => encodeURIComponent(String(args.shift())));
        const input = inputOf(name, args);
        return method === 'GET'
          ? send(method, filled + queryText(input as Query))
          : send(method, filled, input);
      },
    ]),
  ) as Methods;

function inputOf(name: string, args: unknown[]): unknown {
  const members = (FIRST_MEMBERS as Readonly<Record<string, readonly string[]>>)[name];
  if (!members) return args[0];
  const first = Object.fromEntries(members.map(member => [member, args.shift()]));
  return { ...first, ...(args[0] as object) };
}

export const queryText = (query: Query = {}): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return parameters.size === 0 ? '' : `?${parameters}`;
};

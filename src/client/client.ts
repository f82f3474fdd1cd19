import type * as z from 'zod';
import { CALLS, type CallName } from '../contract/calls.ts';
import type { ErrorBody } from '../contract/errors.ts';
import { REFUSED_FIELD } from '../contract/refusals.ts';
import { defined, jsonOrText } from '../kernel/json.ts';
import { percentDecoded } from '../kernel/text.ts';
import { limitedText } from '../kernel/text-file.ts';
import type { EventData } from '../sandbox/events/schema.ts';
import type { CallOf, Order } from './calls.ts';

/** HTTP client of the enclave, the robot and the sandbox. */

export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

/** The answer has a status other than 200. `code` is the error code of its body. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly code: string | undefined;
  /** Only the message of the answer. */
  readonly reason: string;
  /** Dotted path of the field that is refused. */
  readonly field: string | undefined;
  /** `GET /path answered 400 CODE` */
  readonly call: string;
  constructor(request: string, { status, headers, body }: Answer<ErrorBody | undefined>) {
    const { code, message: reason = '' } = body ?? {};
    const call = `${request} answered ${status} ${code ?? ''}`;
    super(`${call}: ${reason}`);
    this.status = status;
    this.code = code;
    this.reason = reason;
    this.call = call;
    const field = headers.get(REFUSED_FIELD);
    this.field = field === null ? undefined : percentDecoded(field);
  }
}

export type Client = ReturnType<typeof client>;
export type Answers = {
  [M in keyof Client]: Awaited<ReturnType<Extract<Client[M], (...args: never[]) => unknown>>>;
};
export type Info = Answers['info'];
export type RobotUser = Info['users'][number];
export type { RunReport } from '../contract/plans.ts';
export type { EventData } from '../sandbox/events/schema.ts';

interface ClientOptions {
  /** Key of a registered VASP. Without it the caller is the tested VASP of the configuration (D-01). */
  apiKey?: string | undefined;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>;
  /** Sends a request. Default: over the network. */
  send?: (request: Request) => Promise<Response> | Response;
}

/** Every method but `call` returns the body of a 200 or 201 and throws `Refused` otherwise. */
export function client(url: string, { apiKey, headers = {}, send = fetch }: ClientOptions = {}) {
  const common = defined({ ...headers, authorization: apiKey === undefined ? undefined : `Bearer ${apiKey}` });

  async function call<T>(
    method: string,
    path: string,
    body?: unknown,
    signal: AbortSignal | null = null,
  ): Promise<Answer<T>> {
    const sent =
      body === undefined
        ? { headers: common }
        : {
            headers: { ...common, 'content-type': 'application/json' },
            body: typeof body === 'string' ? body : JSON.stringify(body),
          };
    return answerOf<T>(await send(new Request(url + path, { method, signal, ...sent })));
  }

  async function ok<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await call<T>(method, path, body);
    if (answer.status !== 200 && answer.status !== 201) throw new Refused(`${method} ${path}`, answer as Answer<never>);
    return answer.body;
  }

  const api = methods(ok);
  return {
    ...api,
    ...shortCalls(api),
    url,
    call,
    /** Live events, until the loop ends or `signal` aborts. With `lastEventId`: those after that event. */
    async *events(
      query: Query = {},
      { lastEventId, signal }: { lastEventId?: string; signal?: AbortSignal } = {},
    ): AsyncGenerator<ReceivedEvent<EventData>> {
      const [method, path] = CALLS.events.split(' ') as [string, string];
      const request = { method, headers: defined({ ...common, 'last-event-id': lastEventId }), signal: signal ?? null };
      const response = await send(new Request(url + path + queryText(query), request));
      if (response.status !== 200) throw new Refused(CALLS.events, await answerOf(response));
      yield* receivedEvents<EventData>(response.body!, signal);
    },
  };
}

/** A data export is the longest answer. */
const MAX_MIB = 256;

async function answerOf<T>(response: Response): Promise<Answer<T>> {
  const { status, headers } = response;
  const text = await limitedText(response, MAX_MIB);
  return { status, headers, body: (text === '' ? undefined : jsonOrText(text)) as T };
}

/** One server-sent event, as the HTML standard defines it. */
export interface ReceivedEvent<D> {
  id: string;
  event: string;
  data: D;
}

/** Of one event. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Throws the reason of `signal` when it aborts: the abort of a request is lost once the request is collected. */
async function* receivedEvents<D>(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ReceivedEvent<D>> {
  // A start would load the streams of the platform with it.
  const { EventSourceParserStream } = await import('eventsource-parser/stream');
  const messages = body
    .pipeThrough(new TextDecoderStream(), signal && { signal })
    .pipeThrough(new EventSourceParserStream({ maxBufferSize: MAX_CHARACTERS }));
  for await (const { id = '', event = '', data } of messages) yield { id, event, data: JSON.parse(data) as D };
}

type Verdict = Order<'reportError'>['result'];

/** The calls that are made most often take the members of their body one after another. */
const shortCalls = (api: Methods) => ({
  reportTransaction: (verificationUuid: string, txHash: string, vout?: string) =>
    api.reportTransaction({ verificationUuid, txHash, vout }),
  reportError: (verificationUuid: string, result: Verdict, reason: string, message?: string) =>
    api.reportError({ verificationUuid, result, reason, message }),
  inquireTransaction: (verificationUuid: string) => api.inquireTransaction({ verificationUuid }),
  balance: (vaspId: string, symbol: string, address: string) => api.balance({ vaspId, symbol, address }),
  robotInquire: (verificationUuid: string) => api.robotInquire({ verificationUuid }),
  robotWithdraw: (verificationUuid: string, omitTxReport?: boolean) =>
    api.robotWithdraw({ verificationUuid, omitTxReport }),
  robotReport: (verificationUuid: string, txHash: string) => api.robotReport({ verificationUuid, txHash }),
  robotReportError: (verificationUuid: string, result: Verdict, reason: string, message?: string) =>
    api.robotReportError({ verificationUuid, result, reason, message }),
  advance: (duration: string) => api.advance({ duration }),
  switchReferenceVasp: (running: boolean) => api.switchReferenceVasp({ running }),
  faucet: (
    symbol: string,
    address: string,
    amount: string,
    options: {
      /** The transaction gets into the ledger and fails there. */
      fails?: boolean;
      token?: boolean;
      /** XRP only: a partial payment that states `amount` and delivers less. */
      delivered?: string;
      /** ETH only: further payments of the same transaction. */
      others?: { address: string; amount: string }[];
    } = {},
  ) => api.faucet({ symbol, address, amount, ...options }),
});

export type Query = Readonly<Record<string, string | number | undefined>>;
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

/** With what is defined. */
export const queryText = (query: Query = {}): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return parameters.size === 0 ? '' : `?${parameters}`;
};

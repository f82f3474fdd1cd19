import type * as z from 'zod';
import type { Callback, CallbackType } from '../contract/callbacks.ts';
import { parse, parseJsonObject } from '../contract/parse.ts';
import { Refusal } from '../contract/refusals.ts';
import { VASP_API, type VaspOperation } from '../contract/vasp-api.ts';
import type { Renaming } from '../contract/vasps.ts';
import { parseRetryAfter } from '../kernel/http-exchange.ts';
import {
  type Call,
  type CallbackSigner,
  type CallRecording,
  type OutgoingExchange,
  problemText,
  type Registration,
  recordedCalls,
} from './http-client.ts';
import { BadAnswer, type Vasp } from './port.ts';

/** The only place where a vaspId becomes a `Vasp`. */
export interface Directory {
  /** Does the VASP run in this process? */
  isResident(vaspId: string): boolean;
  /** Undefined: no such VASP. */
  find(vaspId: string): Vasp | undefined;
  /** Where the callback goes over HTTP. Undefined: the VASP has no callback endpoint, or is resident. */
  callbackUrl(vaspId: string, type: CallbackType): string | undefined;
  /** For the endpoint check: a registered VASP on connections of its own, which the caller closes. `onExchange` gets its exchanges too. */
  connect(vaspId: string, onExchange: (exchange: OutgoingExchange) => void): HttpVasp | undefined;
  close(): Promise<void>;
}

/** `residents` run in this process. Other VASPs are reached at the endpoints of their current registration. */
export function directory(
  residents: ReadonlyMap<string, Vasp>,
  registrationOf: (vaspId: string) => Registration | undefined,
  deps: HttpVaspDeps,
): Directory {
  const remote = new Map<string, { updatedAt: number; vasp: HttpVasp }>();
  return {
    isResident: vaspId => residents.has(vaspId),
    find(vaspId) {
      const resident = residents.get(vaspId);
      if (resident) return resident;
      const registration = registrationOf(vaspId);
      if (!registration) return undefined;
      const cached = remote.get(vaspId);
      if (cached?.updatedAt === registration.updatedAt) return cached.vasp;
      void cached?.vasp.close();
      const vasp = httpVasp(registration, deps);
      remote.set(vaspId, { updatedAt: registration.updatedAt, vasp });
      return vasp;
    },
    callbackUrl: vaspId => registrationOf(vaspId)?.endpoints.callback,
    connect(vaspId, onExchange) {
      const registration = registrationOf(vaspId);
      const both = (exchange: OutgoingExchange) => {
        deps.onExchange(exchange);
        onExchange(exchange);
      };
      return registration && httpVasp(registration, { ...deps, isCheck: true, onExchange: both });
    },
    async close() {
      await Promise.all([...remote.values()].map(({ vasp }) => vasp.close()));
      remote.clear();
    },
  };
}

/** WIRE-3: a VASP that is reached over HTTP, with one address and one time limit per operation. */

export interface HttpVaspDeps extends CallRecording {
  timeoutMs: Record<VaspOperation, number>;
  /** Provider names in callbacks. Default: the names of the reference. */
  names?: Renaming;
  /** Default: callbacks are not signed. */
  signer?: CallbackSigner;
}

export interface HttpVasp extends Vasp {
  close(): Promise<void>;
}

export function httpVasp(registration: Registration, deps: HttpVaspDeps): HttpVasp {
  const { vaspId } = registration;
  const calls = recordedCalls(registration.authorization, deps, 'VASP', vaspId);

  async function post(
    operation: VaspOperation,
    verificationUuid: string | null,
    body: string,
    more: Pick<Call, 'headers' | 'fault' | 'callbackId'> = {},
  ) {
    const url = registration.endpoints[operation];
    if (url === undefined)
      throw new BadAnswer(
        `The VASP has no ${operation} endpoint configured. Set \`endpoints.${operation}\` of its registration.`,
      );
    const timeoutMs = deps.timeoutMs[operation];
    return calls.send({ vaspId, operation, method: 'POST', url, verificationUuid, body, timeoutMs, ...more });
  }

  async function ask<O extends Exclude<VaspOperation, 'callback'>>(
    operation: O,
    request: { verificationUuid?: string },
  ): Promise<z.output<(typeof VASP_API)[O]['answer']>> {
    const uuid = request.verificationUuid ?? null;
    const { status, body, problem } = await post(operation, uuid, JSON.stringify(request));
    if (status !== 200) throw new BadAnswer(`The VASP answered with status ${status} instead of 200.`);
    if (problem) throw new BadAnswer(problemText(problem), { code: problem.code });
    if (body === '') throw new BadAnswer('The answer of the VASP has no body.');
    return parseAnswer(VASP_API[operation].answer, body) as z.output<(typeof VASP_API)[O]['answer']>;
  }

  return {
    verifyAccount: request => ask('verifyAccount', request as object),
    verifyUser: request => ask('verifyUser', request),
    transactionStatus: request => ask('transactionStatus', request),
    async callback(callback: Callback, { name, id, body: written, changeBody = unchanged, onSend, fault } = {}) {
      const renamed = deps.names?.body(callback) ?? callback;
      const body = changeBody((renamed === callback && written) || JSON.stringify(renamed));
      onSend?.(body);
      const signed = deps.signer?.headers(vaspId, name ?? body, body);
      const callbackId = body === written ? id : undefined;
      const more = { headers: signed, fault, callbackId };
      const answer = await post('callback', callback.data.verificationUuid, body, more);
      const retryAfterMs = parseRetryAfter(answer.headers);
      return {
        status: answer.status,
        body: answer.maskedBody,
        retryAfterMs,
        problem: answer.problem && problemText(answer.problem),
      };
    },
    close: calls.close,
  };
}

const unchanged = (body: string): string => body;

/** The error names the first invalid member, never its value. */
function parseAnswer<S extends z.ZodType>(schema: S, text: string): z.output<S> {
  try {
    return parse(schema, parseJsonObject(text));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.kind === 'not-json') throw new BadAnswer('The answer of the VASP is not JSON.');
    const problem = error.field === undefined ? 'it should be a JSON object.' : error.message;
    throw new BadAnswer(`The answer of the VASP is not valid: ${problem}`);
  }
}

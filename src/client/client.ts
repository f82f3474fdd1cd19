import type * as z from 'zod';
import type {
  BalanceResponse,
  ListResponse,
  VerifyAccountRequest,
  VerifyAccountResponse,
  VerifyUserRequest,
  VerifyUserResponse,
  WithdrawResponse,
} from '../contract/requests.ts';
import type { AssessmentRegistered, AssessSanctionResponse } from '../contract/risk.ts';
import type { TransactionStatusResult } from '../contract/transaction-status.ts';
import type { VaspsResponse } from '../contract/vasps.ts';
import type { VerificationResult } from '../contract/verification.ts';
import type { KnobResponse } from '../sandbox/chains/schema.ts';
import type { EventData } from '../sandbox/events/schema.ts';
import { controlMethods, type Query, queryText } from './control-methods.ts';
import { type ReceivedEvent, receivedEvents } from './event-stream.ts';

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
  constructor(request: string, status: number, body: { code?: string; message?: string } | undefined) {
    super(`${request} answered ${status} ${body?.code ?? ''}: ${body?.message ?? ''}`);
    this.status = status;
    this.code = body?.code;
    this.reason = body?.message ?? '';
  }
}

export type Client = ReturnType<typeof client>;
/** The answer of each method. */
export type Answers = {
  [M in keyof Client]: Awaited<ReturnType<Extract<Client[M], (...args: never[]) => unknown>>>;
};
const ROBOT = '/vega/robot/v1.0/action';

export interface ClientOptions {
  /** Key of a registered VASP. Without it the caller is the tested VASP of the configuration (D-01). */
  apiKey?: string | undefined;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>;
  /** Sends a request. Default: over the network. */
  send?: (request: Request) => Promise<Response> | Response;
}

/** Every method but `call` returns the body of a 200 or 201 and throws `Refused` otherwise. */
export function client(url: string, { apiKey, headers = {}, send = fetch }: ClientOptions = {}) {
  async function call<T>(
    method: string,
    path: string,
    body?: unknown,
    signal: AbortSignal | null = null,
  ): Promise<Answer<T>> {
    const request = new Request(url + path, {
      method,
      signal,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const response = await send(request);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(text) as T };
  }
  async function ok<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { status: got, body: answer } = await call<T>(method, path, body);
    if (got !== 200 && got !== 201) throw new Refused(`${method} ${path}`, got, answer as object);
    return answer;
  }
  const get = <T>(path: string, query: Query = {}) => ok<T>('GET', path + queryText(query));
  const post = <T>(path: string, body: unknown) => ok<T>('POST', path, body);
  const accepted = (path: string, body: unknown) => post<{ result: true }>(path, body);
  const control = controlMethods(ok);
  return {
    url,
    call,
    self: () => get<{ vaspId: string }>('/v1/vasps/self'),
    vasps: () => get<VaspsResponse>('/v1/vasps'),
    verifyAccount: (body: VerifyAccountRequest) =>
      post<VerifyAccountResponse>('/v1/verifications/account', body),
    verifyUser: (body: VerifyUserRequest) => post<VerifyUserResponse>('/v1/verifications', body),
    verification: (uuid: string) => get<VerificationResult>(`/v1/verifications/${uuid}`),
    list: (query: Query = {}) => get<ListResponse>('/v1/verifications', query),
    reportTransaction: (verificationUuid: string, txHash: string, vout?: string) =>
      accepted('/v1/verifications/tx', { verificationUuid, txHash, vout }),
    reportError: (verificationUuid: string, result: string, reason: string, message?: string) =>
      accepted('/v1/verifications/error', { verificationUuid, result, reason, message }),
    inquireTransaction: (verificationUuid: string) =>
      post<TransactionStatusResult>('/v1/verifications/tx/inquiry', { verificationUuid }),
    assessSanction: (verificationUuid: string) =>
      post<AssessSanctionResponse>('/v1/risk-assessment/providerA-sanction', { verificationUuid }),
    assessKyt: (verificationUuid: string) =>
      post<AssessmentRegistered>('/v1/risk-assessment/providerA-kyt', { verificationUuid }),
    assessWco: (verificationUuid: string) =>
      post<AssessmentRegistered>('/v1/risk-assessment/providerB-wco', { verificationUuid }),
    balance: (vaspId: string, symbol: string, address: string) =>
      get<BalanceResponse>('/vega/robot/v1.0/testnet/balance', { vaspId, symbol, address }),
    letRobotInquire: (verificationUuid: string) =>
      post<TransactionStatusResult>(`${ROBOT}/tx/inquiry`, { verificationUuid }),
    letRobotVerifyAccount: (body: VerifyAccountRequest) =>
      post<VerifyAccountResponse>(`${ROBOT}/verifications/account`, body),
    letRobotVerifyUser: (body: VerifyUserRequest) => post<VerifyUserResponse>(`${ROBOT}/verifications`, body),
    letRobotWithdraw: (verificationUuid: string, omitTxReport?: boolean) =>
      post<WithdrawResponse>(`${ROBOT}/withdrawal`, { verificationUuid, omitTxReport }),
    letRobotReport: (verificationUuid: string, txHash: string) =>
      accepted(`${ROBOT}/verifications/tx`, { verificationUuid, txHash }),
    letRobotReportError: (verificationUuid: string, result: string, reason: string, message?: string) =>
      accepted(`${ROBOT}/verifications/error`, { verificationUuid, result, reason, message }),
    ...control,
    checkIvms101: (payload: object) => control.checkIvms101({ payload }),
    advance: (duration: string) => control.advance({ duration }),
    rollSigningSecret: (overlap = '24h') => control.rollSigningSecret({ overlap }),
    switchReferenceVasp: (running: boolean) => control.switchReferenceVasp({ running }),
    claimTrial: (invitation: string) => control.claimTrial({ invitation }),
    rollKey: (id: string, overlap = '24h') => control.rollKey(id, { overlap }),
    invite: (name: string, expiresIn = '7d') => control.invite({ name, expiresIn }),
    /** Live events, until the loop ends or `signal` aborts. With `lastEventId`: those after that event. */
    async *events(
      query: Query = {},
      { lastEventId, signal }: { lastEventId?: string; signal?: AbortSignal } = {},
    ): AsyncGenerator<ReceivedEvent<EventData>> {
      const path = `/sandbox/v1/events${queryText(query)}`;
      const headers = {
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      };
      const response = await send(new Request(url + path, { headers, signal: signal ?? null }));
      if (response.status !== 200)
        throw new Refused(`GET ${path}`, response.status, parsed(await response.text()) as object);
      yield* receivedEvents<EventData>(response.body!, signal);
    },
    /**
     * `fails`: the transaction gets into the ledger and fails there. `delivered`: XRP only, a partial payment that states
     * `amount` and delivers less.
     */
    faucet: (
      symbol: string,
      address: string,
      amount: string,
      { fails, token, delivered }: { fails?: boolean; token?: boolean; delivered?: string } = {},
    ) =>
      control.faucet({
        symbol,
        address,
        amount,
        ...(fails ? { fails } : {}),
        ...(token ? { token } : {}),
        ...(delivered === undefined ? {} : { delivered }),
      }),
    /** `KNOBS` describes the parameters. */
    turnKnob: (symbol: string, knob: string, parameters: object = {}) =>
      post<z.infer<typeof KnobResponse>>(`/sandbox/v1/chains/${symbol}/${knob}`, parameters),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text === '' ? undefined : text;
  }
}

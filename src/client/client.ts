import type * as z from 'zod';
import type { RunReport, RunsResponse } from '../contract/plans.ts';
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
import type { AssessmentsResponse } from '../sandbox/assessments/schema.ts';
import type { BalancesResponse } from '../sandbox/balances/schema.ts';
import type { CallbackEntry, CallbacksResponse, MailboxResponse } from '../sandbox/callbacks/schema.ts';
import type { KnobResponse, ResumeResponse } from '../sandbox/chains/schema.ts';
import type { CheckResponse } from '../sandbox/checks/schema.ts';
import type { AdvanceResponse, ClockResponse, TimersResponse } from '../sandbox/clock/schema.ts';
import type { DepositsResponse } from '../sandbox/deposits/schema.ts';
import type { EventData } from '../sandbox/events/schema.ts';
import type { ExchangesResponse } from '../sandbox/exchanges/schema.ts';
import type { FaultEntry, FaultsRemoved, FaultsResponse } from '../sandbox/faults/schema.ts';
import type { HealthResponse } from '../sandbox/health/schema.ts';
import type { InfoResponse } from '../sandbox/info/schema.ts';
import type { Ivms101CheckResponse } from '../sandbox/ivms101/schema.ts';
import type { ReferenceVaspState } from '../sandbox/reference-vasp/schema.ts';
import type { ResetResponse } from '../sandbox/reset/schema.ts';
import type { ReadyRequest, ScenariosResponse } from '../sandbox/scenarios/schema.ts';
import type { RollResponse } from '../sandbox/signing/schema.ts';
import type { StatisticsResponse } from '../sandbox/statistics/schema.ts';
import type { TimelineResponse } from '../sandbox/timeline/schema.ts';
import type { TransferResponse, TransfersResponse } from '../sandbox/transfers/schema.ts';
import type { UsersRemoved, UsersResponse } from '../sandbox/users/schema.ts';
import type { RegisteredVasp, VaspsResponse as RegisteredVasps } from '../sandbox/vasps/schema.ts';
import type { NeighboursResponse, VerificationsResponse } from '../sandbox/verifications/schema.ts';
import type { WhyResponse } from '../sandbox/why/schema.ts';
import type { AuditResponse } from '../tenants/audit/schema.ts';
import type { InvitationsResponse, NewInvitation } from '../tenants/invitations/schema.ts';
import type { KeysResponse, NewKey } from '../tenants/keys/schema.ts';
import type { UsageResponse } from '../tenants/usage/schema.ts';
import type { Tenant, TenantExport, TenantImported, TenantsResponse } from '../tenants/vasps/schema.ts';
import { type ReceivedEvent, receivedEvents } from './event-stream.ts';
import type {
  CheckOptions,
  FaultOrder,
  KeyOrder,
  NewTenant,
  RunOrder,
  TenantChange,
  TransferOrder,
  UserChange,
  VaspChange,
  VaspRegistration,
} from './orders.ts';

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
type Of<S extends z.ZodType> = z.infer<S>;
type RobotUser = Of<typeof InfoResponse>['users'][number];
const ROBOT = '/vega/robot/v1.0/action';
type Query = Record<string, string | number>;

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
  async function ok<T>(method: string, path: string, body?: unknown, status = 200): Promise<T> {
    const { status: got, body: answer } = await call<T>(method, path, body);
    if (got !== status) throw new Refused(`${method} ${path}`, got, answer as object);
    return answer;
  }
  const get = <T>(path: string, query: Query = {}) => ok<T>('GET', path + queryText(query));
  const post = <T>(path: string, body: unknown) => ok<T>('POST', path, body);
  const created = <T>(path: string, body: unknown) => ok<T>('POST', path, body, 201);
  const accepted = (path: string, body: unknown) => post<{ result: true }>(path, body);
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
    info: () => get<Of<typeof InfoResponse>>('/sandbox/v1/info'),
    users: () => get<Of<typeof UsersResponse>>('/sandbox/v1/users'),
    user: (id: string) => get<RobotUser>(`/sandbox/v1/users/${encodeURIComponent(id)}`),
    putUser: (id: string, user: UserChange) =>
      ok<RobotUser>('PUT', `/sandbox/v1/users/${encodeURIComponent(id)}`, user),
    removeUser: (id: string) =>
      ok<Of<typeof UsersRemoved>>('DELETE', `/sandbox/v1/users/${encodeURIComponent(id)}`),
    restoreUsers: () => ok<Of<typeof UsersRemoved>>('DELETE', '/sandbox/v1/users'),
    checkIvms101: (payload: unknown) =>
      post<Of<typeof Ivms101CheckResponse>>('/sandbox/v1/ivms101/check', { payload }),
    scenarios: () => get<Of<typeof ScenariosResponse>>('/sandbox/v1/scenarios'),
    clock: () => get<Of<typeof ClockResponse>>('/sandbox/v1/clock'),
    advance: (duration: string) =>
      post<Of<typeof AdvanceResponse>>('/sandbox/v1/clock/advance', { duration }),
    timers: (query: Query = {}) => get<Of<typeof TimersResponse>>('/sandbox/v1/timers', query),
    timeline: (uuid: string) =>
      get<Of<typeof TimelineResponse>>(`/sandbox/v1/verifications/${uuid}/timeline`),
    why: (uuid: string) => get<WhyResponse>(`/sandbox/v1/verifications/${encodeURIComponent(uuid)}/why`),
    callbacks: (query: Query = {}) => get<Of<typeof CallbacksResponse>>('/sandbox/v1/callbacks', query),
    replay: (id: string) => post<Of<typeof CallbackEntry>>(`/sandbox/v1/callbacks/${id}/replay`, undefined),
    mailbox: (query: Query = {}) => get<Of<typeof MailboxResponse>>('/sandbox/v1/mailbox', query),
    exchanges: (query: Query = {}) => get<Of<typeof ExchangesResponse>>('/sandbox/v1/exchanges', query),
    assessments: (query: Query = {}) => get<Of<typeof AssessmentsResponse>>('/sandbox/v1/assessments', query),
    verifications: (query: Query = {}) =>
      get<Of<typeof VerificationsResponse>>('/sandbox/v1/verifications', query),
    neighbours: (uuid: string) =>
      get<Of<typeof NeighboursResponse>>(`/sandbox/v1/verifications/${uuid}/neighbours`),
    transfers: (query: Query = {}) => get<Of<typeof TransfersResponse>>('/sandbox/v1/transfers', query),
    sendTransfer: (body: TransferOrder) => post<TransferResponse>('/sandbox/v1/transfers', body),
    balances: () => get<Of<typeof BalancesResponse>>('/sandbox/v1/balances'),
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
    statistics: () => get<Of<typeof StatisticsResponse>>('/sandbox/v1/statistics'),
    health: () => get<Of<typeof HealthResponse>>('/sandbox/v1/health'),
    deposits: (query: Query = {}) => get<Of<typeof DepositsResponse>>('/sandbox/v1/deposits', query),
    faults: () => get<Of<typeof FaultsResponse>>('/sandbox/v1/faults'),
    addFault: (order: FaultOrder) => ok<Of<typeof FaultEntry>>('PUT', '/sandbox/v1/faults', order),
    removeFault: (id: string) => ok<Of<typeof FaultsRemoved>>('DELETE', `/sandbox/v1/faults/${id}`),
    removeFaults: () => ok<Of<typeof FaultsRemoved>>('DELETE', '/sandbox/v1/faults'),
    /**
     * `fails`: the transaction gets into the ledger and fails there. `delivered`: XRP only, a partial payment that states
     * `amount` and delivers less.
     */
    faucet: (
      symbol: string,
      address: string,
      amount: string,
      { fails = false, delivered }: { fails?: boolean; delivered?: string } = {},
    ) =>
      post<{ txHash: string }>('/sandbox/v1/faucet', {
        symbol,
        address,
        amount,
        ...(fails ? { fails } : {}),
        ...(delivered === undefined ? {} : { delivered }),
      }),
    /** `KNOBS` describes the parameters. */
    turnKnob: (symbol: string, knob: string, parameters: object = {}) =>
      post<Of<typeof KnobResponse>>(`/sandbox/v1/chains/${symbol}/${knob}`, parameters),
    /** D-33: goes on with a chain that started over. */
    resumeChain: (symbol: string) =>
      post<Of<typeof ResumeResponse>>(`/sandbox/v1/chains/${encodeURIComponent(symbol)}/resume`, {}),
    registerVasp: (vaspId: string, registration: VaspRegistration) =>
      ok<Of<typeof RegisteredVasp>>('PUT', `/sandbox/v1/vasps/${vaspId}`, registration),
    readyRequest: (operation: string, options: Query = {}) =>
      get<Of<typeof ReadyRequest>>(`/sandbox/v1/requests/${encodeURIComponent(operation)}`, options),
    /** The calling VASP comes first. */
    registeredVasps: (query: Query = {}) => get<Of<typeof RegisteredVasps>>('/sandbox/v1/vasps', query),
    changeVasp: (vaspId: string, change: VaspChange) =>
      ok<Of<typeof RegisteredVasp>>('PATCH', `/sandbox/v1/vasps/${vaspId}`, change),
    rollSigningSecret: (overlap = '24h') =>
      post<Of<typeof RollResponse>>('/sandbox/v1/signing-secret/roll', { overlap }),
    checkVasp: (vaspId: string, options: CheckOptions = {}) =>
      post<Of<typeof CheckResponse>>(`/sandbox/v1/vasps/${vaspId}/check`, options),
    /** Hosted mode: with an invitation. */
    register: (registration: NewTenant) =>
      created<{ apiKey: string }>('/sandbox/v1/registrations', registration),
    startRun: (run: RunOrder) => created<{ id: string }>('/sandbox/v1/runs', run),
    runs: () => get<Of<typeof RunsResponse>>('/sandbox/v1/runs'),
    run: (id: string) => get<RunReport>(`/sandbox/v1/runs/${encodeURIComponent(id)}`),
    stopRun: (id: string) => ok<{ result: true }>('DELETE', `/sandbox/v1/runs/${encodeURIComponent(id)}`),
    referenceVasp: () => get<Of<typeof ReferenceVaspState>>('/sandbox/v1/reference-vasp'),
    switchReferenceVasp: (running: boolean) =>
      ok<Of<typeof ReferenceVaspState>>('PUT', '/sandbox/v1/reference-vasp', { running }),
    claimTrial: (invitation: string) =>
      post<{ vaspId: string }>('/sandbox/v1/registrations/claim', { invitation }),
    usage: () => get<Of<typeof UsageResponse>>('/sandbox/v1/usage'),
    keys: () => get<Of<typeof KeysResponse>>('/sandbox/v1/keys'),
    createKey: (key: KeyOrder) => post<Of<typeof NewKey>>('/sandbox/v1/keys', key),
    rollKey: (id: string, overlap = '24h') =>
      post<Of<typeof NewKey>>(`/sandbox/v1/keys/${encodeURIComponent(id)}/roll`, { overlap }),
    revokeKey: (id: string) => ok<{ result: true }>('DELETE', `/sandbox/v1/keys/${encodeURIComponent(id)}`),
    tenants: (query: Query = {}) => get<Of<typeof TenantsResponse>>('/sandbox/v1/tenants', query),
    changeTenant: (vaspId: string, change: TenantChange) =>
      ok<Of<typeof Tenant>>('PATCH', `/sandbox/v1/tenants/${encodeURIComponent(vaspId)}`, change),
    forgetTenant: (vaspId: string) =>
      ok<{ result: true }>('DELETE', `/sandbox/v1/tenants/${encodeURIComponent(vaspId)}`),
    exportTenant: (vaspId: string) =>
      get<Of<typeof TenantExport>>(`/sandbox/v1/tenants/${encodeURIComponent(vaspId)}/export`),
    importTenant: (exported: unknown) => post<Of<typeof TenantImported>>('/sandbox/v1/tenants', exported),
    invite: (name: string, expiresIn = '7d') =>
      post<Of<typeof NewInvitation>>('/sandbox/v1/invitations', { name, expiresIn }),
    invitations: () => get<Of<typeof InvitationsResponse>>('/sandbox/v1/invitations'),
    audit: (query: Query = {}) => get<Of<typeof AuditResponse>>('/sandbox/v1/audit', query),
    reset: () => post<Of<typeof ResetResponse>>('/sandbox/v1/reset', undefined),
  };
}

const queryText = (query: Query): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return parameters.size === 0 ? '' : `?${parameters}`;
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text === '' ? undefined : text;
  }
}

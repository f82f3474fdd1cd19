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
import type {
  CheckOptions,
  FaultOrder,
  KeyOrder,
  RobotUser,
  RunOrder,
  RunReport,
  SandboxAnswers,
  TenantChange,
  TransferOrder,
  UserChange,
  VaspChange,
  VaspRegistration,
} from './answers.ts';
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
  /** The message of the answer alone. */
  readonly reason: string;
  constructor(request: string, status: number, body: { code?: string; message?: string } | undefined) {
    super(`${request} answered ${status} ${body?.code ?? ''}: ${body?.message ?? ''}`);
    this.status = status;
    this.code = body?.code;
    this.reason = body?.message ?? '';
  }
}

export type Client = ReturnType<typeof client>;
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

/** Every method but `call` answers the body of a 200 and throws `Refused` otherwise. */
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
    const answer = await call<T>(method, path, body);
    if (answer.status !== 200) throw new Refused(`${method} ${path}`, answer.status, answer.body as object);
    return answer.body;
  }
  const get = <T>(path: string, query: Query = {}) => ok<T>('GET', path + queryText(query));
  const post = <T>(path: string, body: unknown) => ok<T>('POST', path, body);
  const accepted = (path: string, body: unknown) => post<{ result: true }>(path, body);
  type Sandbox = SandboxAnswers;
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
    info: () => get<Sandbox['info']>('/sandbox/v1/info'),
    users: () => get<Sandbox['users']>('/sandbox/v1/users'),
    user: (id: string) => get<RobotUser>(`/sandbox/v1/users/${encodeURIComponent(id)}`),
    putUser: (id: string, user: UserChange) =>
      ok<RobotUser>('PUT', `/sandbox/v1/users/${encodeURIComponent(id)}`, user),
    removeUser: (id: string) =>
      ok<Sandbox['usersRemoved']>('DELETE', `/sandbox/v1/users/${encodeURIComponent(id)}`),
    restoreUsers: () => ok<Sandbox['usersRemoved']>('DELETE', '/sandbox/v1/users'),
    checkIvms101: (payload: unknown) =>
      post<Sandbox['ivms101Check']>('/sandbox/v1/ivms101/check', { payload }),
    scenarios: () => get<Sandbox['scenarios']>('/sandbox/v1/scenarios'),
    clock: () => get<Sandbox['clock']>('/sandbox/v1/clock'),
    advance: (duration: string) => post<Sandbox['advance']>('/sandbox/v1/clock/advance', { duration }),
    timers: (query: Query = {}) => get<Sandbox['timers']>('/sandbox/v1/timers', query),
    timeline: (uuid: string) => get<Sandbox['timeline']>(`/sandbox/v1/verifications/${uuid}/timeline`),
    why: (uuid: string) => get<Sandbox['why']>(`/sandbox/v1/verifications/${encodeURIComponent(uuid)}/why`),
    callbacks: (query: Query = {}) => get<Sandbox['callbacks']>('/sandbox/v1/callbacks', query),
    replay: (id: string) => post<Sandbox['callback']>(`/sandbox/v1/callbacks/${id}/replay`, undefined),
    mailbox: (query: Query = {}) => get<Sandbox['mailbox']>('/sandbox/v1/mailbox', query),
    exchanges: (query: Query = {}) => get<Sandbox['exchanges']>('/sandbox/v1/exchanges', query),
    assessments: (query: Query = {}) => get<Sandbox['assessments']>('/sandbox/v1/assessments', query),
    verifications: (query: Query = {}) => get<Sandbox['verifications']>('/sandbox/v1/verifications', query),
    neighbours: (uuid: string) => get<Sandbox['neighbours']>(`/sandbox/v1/verifications/${uuid}/neighbours`),
    transfers: (query: Query = {}) => get<Sandbox['transfers']>('/sandbox/v1/transfers', query),
    sendTransfer: (body: TransferOrder) => post<Sandbox['transfer']>('/sandbox/v1/transfers', body),
    balances: () => get<Sandbox['balances']>('/sandbox/v1/balances'),
    /** Live events, until the loop ends or `signal` aborts. With `lastEventId`: those after that event. */
    async *events(
      query: Query = {},
      { lastEventId, signal }: { lastEventId?: string; signal?: AbortSignal } = {},
    ): AsyncGenerator<ReceivedEvent<Sandbox['event']>> {
      const path = `/sandbox/v1/events${queryText(query)}`;
      const headers = {
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      };
      const response = await send(new Request(url + path, { headers, signal: signal ?? null }));
      if (response.status !== 200)
        throw new Refused(`GET ${path}`, response.status, parsed(await response.text()) as object);
      yield* receivedEvents<Sandbox['event']>(response.body!, signal);
    },
    statistics: () => get<Sandbox['statistics']>('/sandbox/v1/statistics'),
    health: () => get<Sandbox['health']>('/sandbox/v1/health'),
    deposits: (query: Query = {}) => get<Sandbox['deposits']>('/sandbox/v1/deposits', query),
    faults: () => get<Sandbox['faults']>('/sandbox/v1/faults'),
    addFault: (order: FaultOrder) => ok<Sandbox['fault']>('PUT', '/sandbox/v1/faults', order),
    removeFault: (id: string) => ok<Sandbox['faultsRemoved']>('DELETE', `/sandbox/v1/faults/${id}`),
    removeFaults: () => ok<Sandbox['faultsRemoved']>('DELETE', '/sandbox/v1/faults'),
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
      post<Sandbox['knob']>(`/sandbox/v1/chains/${symbol}/${knob}`, parameters),
    /** D-33: goes on with a chain that started over. */
    resumeChain: (symbol: string) =>
      post<Sandbox['resumed']>(`/sandbox/v1/chains/${encodeURIComponent(symbol)}/resume`, {}),
    registerVasp: (vaspId: string, registration: VaspRegistration) =>
      ok<Sandbox['vasp']>('PUT', `/sandbox/v1/vasps/${vaspId}`, registration),
    readyRequest: (operation: string, options: Query = {}) =>
      get<Sandbox['readyRequest']>(`/sandbox/v1/requests/${encodeURIComponent(operation)}`, options),
    /** The calling VASP comes first. */
    registeredVasps: (query: Query = {}) => get<Sandbox['vasps']>('/sandbox/v1/vasps', query),
    changeVasp: (vaspId: string, change: VaspChange) =>
      ok<Sandbox['vasp']>('PATCH', `/sandbox/v1/vasps/${vaspId}`, change),
    rollSigningSecret: (overlap = '24h') =>
      post<Sandbox['signingSecret']>('/sandbox/v1/signing-secret/roll', { overlap }),
    checkVasp: (vaspId: string, options: CheckOptions = {}) =>
      post<Sandbox['checks']>(`/sandbox/v1/vasps/${vaspId}/check`, options),
    startRun: async (run: RunOrder) => {
      const answer = await call<{ id: string }>('POST', '/sandbox/v1/runs', run);
      if (answer.status === 201) return answer.body;
      throw new Refused('POST /sandbox/v1/runs', answer.status, answer.body as object);
    },
    runs: () => get<Sandbox['runs']>('/sandbox/v1/runs'),
    run: (id: string) => get<RunReport>(`/sandbox/v1/runs/${encodeURIComponent(id)}`),
    stopRun: (id: string) => ok<{ result: true }>('DELETE', `/sandbox/v1/runs/${encodeURIComponent(id)}`),
    referenceVasp: () => get<Sandbox['referenceVasp']>('/sandbox/v1/reference-vasp'),
    switchReferenceVasp: (running: boolean) =>
      ok<Sandbox['referenceVasp']>('PUT', '/sandbox/v1/reference-vasp', { running }),
    claimTrial: (invitation: string) =>
      post<{ vaspId: string }>('/sandbox/v1/registrations/claim', { invitation }),
    usage: () => get<Sandbox['usage']>('/sandbox/v1/usage'),
    keys: () => get<Sandbox['keys']>('/sandbox/v1/keys'),
    createKey: (key: KeyOrder) => post<Sandbox['newKey']>('/sandbox/v1/keys', key),
    rollKey: (id: string, overlap = '24h') =>
      post<Sandbox['newKey']>(`/sandbox/v1/keys/${encodeURIComponent(id)}/roll`, { overlap }),
    revokeKey: (id: string) => ok<{ result: true }>('DELETE', `/sandbox/v1/keys/${encodeURIComponent(id)}`),
    tenants: (query: Query = {}) => get<Sandbox['tenants']>('/sandbox/v1/tenants', query),
    changeTenant: (vaspId: string, change: TenantChange) =>
      ok<Sandbox['tenant']>('PATCH', `/sandbox/v1/tenants/${encodeURIComponent(vaspId)}`, change),
    forgetTenant: (vaspId: string) =>
      ok<{ result: true }>('DELETE', `/sandbox/v1/tenants/${encodeURIComponent(vaspId)}`),
    exportTenant: (vaspId: string) =>
      get<Sandbox['tenantExport']>(`/sandbox/v1/tenants/${encodeURIComponent(vaspId)}/export`),
    importTenant: (exported: unknown) => post<Sandbox['tenantImported']>('/sandbox/v1/tenants', exported),
    invite: (name: string, expiresIn = '7d') =>
      post<Sandbox['invitation']>('/sandbox/v1/invitations', { name, expiresIn }),
    invitations: () => get<Sandbox['invitations']>('/sandbox/v1/invitations'),
    audit: (query: Query = {}) => get<Sandbox['audit']>('/sandbox/v1/audit', query),
    reset: () => post<{ result: true }>('/sandbox/v1/reset', undefined),
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

import { type Endpoint, endpoint, eventStream } from '../http/endpoint.ts';
import { toIso } from '../kernel/clock.ts';
import { AssessmentsQuery, AssessmentsResponse } from './api/assessments.ts';
import {
  CallbackEntry,
  CallbacksQuery,
  CallbacksResponse,
  MailboxQuery,
  MailboxResponse,
} from './api/callbacks.ts';
import { CheckRequest, CheckResponse } from './api/checks.ts';
import { AdvanceRequest, AdvanceResponse, ClockResponse, TimersResponse } from './api/clock.ts';
import { DepositsQuery, DepositsResponse } from './api/deposits.ts';
import { EventData, EventsQuery } from './api/events.ts';
import { ExchangesQuery, ExchangesResponse } from './api/exchanges.ts';
import { FaucetRequest, FaucetResponse } from './api/faucet.ts';
import { InfoResponse } from './api/info.ts';
import { KnobRequest, KnobResponse, knobExamples } from './api/knobs.ts';
import { ResetResponse } from './api/reset.ts';
import { TimelineResponse } from './api/timeline.ts';
import { RegisteredVasp, VaspPatch, VaspRequest, VaspsResponse } from './api/vasps.ts';
import { listAssessments } from './assessments.ts';
import { turnKnob } from './chains.ts';
import { checkVasp } from './check/check-vasp.ts';
import { advanceClock, pendingTimers } from './clock.ts';
import { listDeposits } from './deposits.ts';
import type { SandboxDeps } from './deps.ts';
import { listExchanges } from './exchanges.ts';
import { faucet } from './faucet.ts';
import { faultEndpoints } from './faults/routes.ts';
import { info } from './info.ts';
import { listingEndpoints } from './listings/routes.ts';
import { listCallbacks, mailbox, replayCallback } from './mailbox.ts';
import { reset } from './reset.ts';
import { scenarioEndpoints } from './scenarios/routes.ts';
import { events } from './timeline/events.ts';
import { timeline } from './timeline/timeline.ts';
import { userEndpoints } from './users/routes.ts';
import { changeVasp, listVasps, registerVasp } from './vasps.ts';

const sandbox = { operation: 'sandbox', raises: [] } as const;
const GET = { ...sandbox, method: 'GET' } as const;
const POST = { ...sandbox, method: 'POST' } as const;
/** The tested VASP of the local mode, as the defaults of the configuration name it. */
const LOCAL_VASP = { vaspId: '15952089931162058999' };
const at = <P extends string>(path: P) => ({ path: `/sandbox/v1${path}` }) as const;

/** `/sandbox/v1`: control of the sandbox. Everything concerns the calling VASP alone. */
export const sandboxEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    ...GET,
    ...at('/info'),
    summary: 'Who is who here: VASPs, chains, users with addresses',
    response: InfoResponse,
    run: (_, caller) => info(deps, caller),
  }),
  endpoint({
    ...GET,
    ...at('/vasps'),
    summary: 'The registered VASPs',
    response: VaspsResponse,
    run: () => listVasps(deps),
  }),
  endpoint({
    ...sandbox,
    method: 'PUT',
    ...at('/vasps/:vaspId'),
    summary: 'Register a VASP, or replace its registration',
    body: VaspRequest,
    response: RegisteredVasp,
    run: ({ body, params }, caller) => registerVasp(deps, params.vaspId!, body, caller),
  }),
  endpoint({
    ...sandbox,
    method: 'PATCH',
    ...at('/vasps/:vaspId'),
    summary: 'Change what the body names; a token or a key that it leaves out stays',
    body: VaspPatch,
    raises: ['not-found'],
    response: RegisteredVasp,
    examples: { default: { params: LOCAL_VASP, body: { authorization: { token: 'my-token' } } } },
    run: ({ body, params }, caller) => changeVasp(deps, params.vaspId!, body, caller),
  }),
  endpoint({
    ...POST,
    ...at('/vasps/:vaspId/check'),
    summary: 'Call the endpoints of this VASP now, with samples; says what is wrong with them',
    body: CheckRequest,
    bodyMayBeAbsent: true,
    raises: ['not-found'],
    response: CheckResponse,
    examples: { default: { params: LOCAL_VASP, body: { endpoints: ['callback'] } } },
    run: ({ body, params }, caller) => checkVasp(deps, params.vaspId!, body, caller),
  }),
  ...userEndpoints(deps),
  ...scenarioEndpoints(deps),
  endpoint({
    ...GET,
    ...at('/clock'),
    summary: 'The time of this VASP',
    response: ClockResponse,
    run: (_, caller) => ({ now: toIso(deps.clock.now(caller)), aheadMs: deps.clock.aheadOf(caller) }),
  }),
  endpoint({
    ...POST,
    ...at('/clock/advance'),
    summary: 'Move the time of this VASP forward; answers when everything that fell due has run',
    body: AdvanceRequest,
    response: AdvanceResponse,
    run: ({ body }, caller) => advanceClock(deps, body.duration, caller),
  }),
  endpoint({
    ...GET,
    ...at('/timers'),
    summary: 'What is pending',
    response: TimersResponse,
    run: (_, caller) => pendingTimers(deps, caller),
  }),
  endpoint({
    ...GET,
    ...at('/verifications/:uuid/timeline'),
    summary: 'Everything about one verification, in order',
    raises: ['verification-missing'],
    after: 'verified',
    response: TimelineResponse,
    run: ({ params }, caller) => timeline(deps, params.uuid!, caller),
  }),
  endpoint({
    ...GET,
    ...at('/callbacks'),
    summary: 'Callbacks with every attempt',
    query: CallbacksQuery,
    response: CallbacksResponse,
    run: ({ query }, caller) => listCallbacks(deps, query, caller),
  }),
  endpoint({
    ...POST,
    ...at('/callbacks/:id/replay'),
    summary: 'Send a callback again',
    raises: ['not-found'],
    after: 'called-back',
    response: CallbackEntry,
    run: ({ params }, caller) => replayCallback(deps, params.id!, caller),
  }),
  endpoint({
    ...GET,
    ...at('/mailbox'),
    summary: 'The callbacks of this VASP by long poll',
    query: MailboxQuery,
    response: MailboxResponse,
    run: ({ query, signal }, caller) => mailbox(deps, query, caller, signal),
  }),
  endpoint({
    ...GET,
    ...at('/assessments'),
    summary: 'Risk assessments of this VASP, newest first',
    query: AssessmentsQuery,
    response: AssessmentsResponse,
    run: ({ query }, caller) => listAssessments(deps, query, caller),
  }),
  endpoint({
    ...GET,
    ...at('/exchanges'),
    summary: 'HTTP exchanges with this VASP, newest first',
    query: ExchangesQuery,
    response: ExchangesResponse,
    run: ({ query }, caller) => listExchanges(deps, query, caller),
  }),
  endpoint({
    ...GET,
    ...at('/deposits'),
    summary: 'Transfers that reached the robot, the unattributed ones too',
    query: DepositsQuery,
    response: DepositsResponse,
    run: ({ query }, caller) => listDeposits(deps, query.limit, caller),
  }),
  ...faultEndpoints(deps),
  endpoint({
    ...POST,
    ...at('/faucet'),
    summary: 'Fund an address on an embedded chain',
    body: FaucetRequest,
    raises: ['unknown-symbol', 'embedded-only'],
    response: FaucetResponse,
    run: ({ body }) => faucet(deps, body),
  }),
  endpoint({
    ...POST,
    ...at('/chains/:symbol/:knob'),
    summary: 'Do to an embedded chain what the world does to a real one',
    body: KnobRequest,
    bodyMayBeAbsent: true,
    raises: ['unknown-symbol', 'embedded-only', 'not-found'],
    examples: knobExamples,
    response: KnobResponse,
    run: ({ body, params }) => turnKnob(deps, params.symbol!, params.knob!, body),
  }),
  endpoint({
    ...POST,
    ...at('/reset'),
    summary: "Remove this VASP's data",
    response: ResetResponse,
    run: (_, caller) => reset(deps, caller),
  }),
  eventStream({
    ...sandbox,
    ...at('/events'),
    summary: 'What happens to this VASP, live: server-sent events that can be resumed',
    query: EventsQuery,
    response: EventData,
    raises: ['verification-missing'],
    run: ({ query, lastEventId, signal }, caller) =>
      events(deps, query, caller, { lastEventId, hungUp: signal }),
  }),
  ...listingEndpoints(deps),
];

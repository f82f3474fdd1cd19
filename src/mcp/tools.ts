import type { Tool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { CONTROLS } from '../contract/assets.ts';
import { CALLS, type CallName } from '../contract/calls.ts';
import { EXCHANGE_MEMBERS } from '../contract/plans.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { GUIDE_TOOLS } from './guide-tools.ts';
import {
  type Arguments,
  FULL,
  inputSchemaOf,
  type Json,
  objectOf,
  outputSchemaOf,
  requireOneOf,
  textArgument,
} from './schemas.ts';
import { type Api, readTestRun, TestRunAnswer, TestRunQuery } from './test-run.ts';
import * as views from './views.ts';

/** The tools of the MCP server. Each is one call of the API: its endpoint describes and validates it. */

export interface ToolRow {
  readonly call: CallName;
  /** In place of that of the endpoint. */
  readonly summary?: string;
  /** When to use it, in addition to the summary of the endpoint. */
  readonly hint?: string;
  /** Where the method does not say it. */
  readonly annotations?: ToolAnnotations;
  /** Of arguments that the agent leaves out. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Arguments that the endpoint does not know. */
  readonly takes?: Arguments;
  /** In place of those of the endpoint. */
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly response?: z.ZodType;
  /** Of the answer. Default: all. */
  readonly members?: readonly string[];
  /** The part of a long answer that an agent reads, unless it asks for all. */
  readonly view?: (answer: never, args: Json) => Json;
  /** Instead of the one call. */
  readonly run?: (api: Api, args: Json) => Promise<Json>;
}

/** Calls the tested VASP, or makes the enclave or the robot call it. */
const OUTWARD = { openWorldHint: true };
const CHANGES_NOTHING = { readOnlyHint: true, idempotentHint: true };
const DESTROYS = { destructiveHint: true };
const ReadExchange = z.object({ ...EXCHANGE_MEMBERS, request: z.unknown(), response: z.unknown() });
const PAGE = { limit: '10' };

const CONTROL_BODY = z
  .object(
    Object.assign(
      {},
      ...Object.values(CONTROLS)
        .flatMap(Object.values)
        .map(({ shape }) => shape),
    ),
  )
  .partial();
const CONTROL_NAMES = Object.entries(CONTROLS).map(([symbol, all]) => `${symbol}: ${Object.keys(all).join(', ')}`);

export const TOOLS = {
  info: {
    call: 'info',
    hint: 'Start here. `read_user` has the addresses of a user.',
    members: views.INFO,
    view: views.infoView,
  },
  request: {
    call: 'readyRequest',
    hint: '`request`: `verify-user`, `verify-account`, `robot-verify-user`, `robot-verify-account`. Send its `body` as the arguments of `verify`, `verify_account` or `robot_verify`.',
  },
  verify_account: { call: 'verifyAccount' },
  verify: { call: 'verifyUser', hint: 'Your VASP asks the robot. Then use `why`.', annotations: OUTWARD },
  report: { call: 'reportTransaction', hint: 'Your VASP has paid.' },
  report_error: { call: 'reportError', hint: 'Your VASP does not pay.' },
  query_status: {
    call: 'inquireTransaction',
    hint: 'Your VASP awaits money of the robot.',
    annotations: CHANGES_NOTHING,
  },
  robot_verify: { call: 'robotVerifyUser', annotations: OUTWARD },
  robot_withdraw: { call: 'robotWithdraw', annotations: { ...OUTWARD, idempotentHint: true } },
  robot_query_status: { call: 'robotInquire', annotations: OUTWARD },
  robot_report_error: { call: 'robotReportError', annotations: OUTWARD },
  send_deposit: { call: 'sendTransfer', annotations: OUTWARD, view: stepsView },
  why: { call: 'why', hint: 'Ask it first when a verification surprises you.', view: whyView },
  timeline: { call: 'timeline', defaults: { limit: '12' }, view: views.timelineView },
  list_verifications: { call: 'verifications', defaults: PAGE, view: views.verificationsView },
  list_callbacks: { call: 'callbacks', defaults: { ...PAGE, order: 'newest' }, view: views.callbacksView },
  list_exchanges: {
    call: 'exchanges',
    hint: '`direction` IN: your VASP called.',
    defaults: PAGE,
    view: views.exchangesView,
  },
  read_exchange: {
    call: 'exchange',
    hint: 'With headers and bodies.',
    response: ReadExchange,
    view: views.exchangeView,
  },
  replay_callback: { call: 'replay', annotations: OUTWARD, view: views.callbackView },
  list_faults: {
    call: 'faults',
    takes: { target: textArgument('Returns the modes of this target.') },
    view: views.faultsView,
  },
  order_fault: { call: 'addFault', hint: '`list_faults` names the targets.' },
  remove_faults: { call: 'removeFaults' },
  clock: { call: 'clock' },
  advance_clock: {
    call: 'advance',
    hint: 'Use it instead of waiting: `10m` runs the status query, `0s` reads both ledgers.',
    annotations: { ...OUTWARD, ...DESTROYS },
  },
  faucet: { call: 'faucet' },
  chain_control: {
    call: 'setControl',
    summary: 'Control an embedded ledger',
    hint: `\`control\` of ${CONTROL_NAMES.join('; ')}.`,
    body: CONTROL_BODY,
    annotations: DESTROYS,
  },
  check_ivms101: { call: 'checkIvms101', annotations: CHANGES_NOTHING, view: views.whole },
  set_vasp: { call: 'changeVasp', hint: 'The endpoints and the token of your VASP.' },
  check_endpoints: { call: 'checkVasp', hint: 'No money moves.', annotations: OUTWARD, view: views.checksView },
  list_users: { call: 'users', view: views.usersView },
  read_user: { call: 'user' },
  set_user: { call: 'putUser', hint: '`list_users` names the behaviours.' },
  restore_users: { call: 'restoreUsers' },
  list_balances: { call: 'balances', view: views.whole },
  list_scenarios: {
    call: 'scenarios',
    takes: { id: textArgument('Returns the calls of this scenario.') },
    view: scenariosView,
  },
  list_plans: { call: 'plans', hint: 'With `plan` it has titles, with `module` conditions.', view: views.plansView },
  start_test_run: {
    call: 'startRun',
    hint: 'Then use `read_test_run` with the `id`.',
    annotations: { ...OUTWARD, ...DESTROYS },
  },
  read_test_run: {
    call: 'run',
    summary: 'Wait for the end of a test run, and read its verdict',
    hint: 'It names each condition that did not pass.',
    query: TestRunQuery,
    response: TestRunAnswer,
    run: readTestRun,
  },
  list_test_runs: { call: 'runs', view: views.runsView },
  stop_test_run: { call: 'stopRun' },
  reset: { call: 'reset', annotations: { ...DESTROYS, idempotentHint: true } },
} as const satisfies Record<string, ToolRow>;

export type ToolName = keyof typeof TOOLS;

export const rowOf = (name: string): ToolRow | undefined =>
  Object.hasOwn(TOOLS, name) ? TOOLS[name as ToolName] : undefined;

/** Undefined: it is in another process. */
export function endpointOf(
  endpoints: readonly Endpoint[],
  { call, query, body, response }: ToolRow,
): Endpoint | undefined {
  const found = endpoints.find(({ method, path }) => `${method} ${path}` === CALLS[call]);
  return found && { ...found, ...(query && { query }), ...(body && { body }), ...(response && { response }) };
}

/** A call of the API as the tool that makes it. Undefined: no tool does. */
function toolCallOf({ method, path, body }: Json) {
  const [place = '', query] = String(path).split('?');
  for (const [tool, { call }] of Object.entries<ToolRow>(TOOLS)) {
    const [of, pattern] = CALLS[call].split(' ');
    const found = new RegExp(`^${pattern!.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`).exec(place);
    if (of !== method || !found) continue;
    return { tool, arguments: { ...found.groups, ...Object.fromEntries(new URLSearchParams(query)), ...Object(body) } };
  }
  return undefined;
}

/** What the calls of the API do, in tools. */
function whyView({ calls, ...answer }: Json): Json {
  return { ...answer, tools: (calls as (Json | null)[]).flatMap(each => (each && toolCallOf(each)) ?? []) };
}

function stepsView(answer: Json): Json {
  return { ...answer, steps: (answer.steps as Json[]).map(whyView) };
}

function scenariosView({ scenarios }: Json, { id }: Json): Json {
  const ids = (scenarios as (Json & { id: string })[]).map(each => each.id);
  requireOneOf(ids, 'id', id);
  if (id === undefined) return { scenarios: ids };
  const withTools = (steps: unknown) =>
    Object.fromEntries(
      Object.entries((steps ?? {}) as Record<string, Json[]>).map(([symbol, all]) => [
        symbol,
        all.map(each => toolCallOf(each) ?? each),
      ]),
    );
  const found = (scenarios as Json[]).filter(each => each.id === id);
  return {
    scenarios: found.map(each => ({ ...each, steps: withTools(each.steps), afterwards: withTools(each.afterwards) })),
  };
}

export function toolsOf(endpoints: readonly Endpoint[]): Tool[] {
  const calls = (Object.keys(TOOLS) as ToolName[]).flatMap(name => {
    const row: ToolRow = TOOLS[name];
    const { hint, annotations, defaults, takes, view, members } = row;
    const endpoint = endpointOf(endpoints, row);
    if (!endpoint) return [];
    const tool: Tool = {
      name,
      description: [`${row.summary ?? endpoint.summary}.`, hint].filter(Boolean).join(' '),
      inputSchema: inputSchemaOf(endpoint, { ...takes, ...(view ? FULL : {}) }, defaults),
      outputSchema: outputSchemaOf(endpoint.response, members),
      annotations: annotationsOf(endpoint.method, annotations),
    };
    return [tool];
  });
  const pages = Object.entries(GUIDE_TOOLS).map(([name, { description, argument, takes, returns }]) => ({
    name,
    description,
    inputSchema: objectOf(takes, [argument]),
    ...(returns ? { outputSchema: { type: 'object' as const, properties: { ...returns } } } : {}),
    annotations: annotationsOf('GET'),
  }));
  return [...calls, ...pages];
}

const annotationsOf = (method: Endpoint['method'], own: ToolAnnotations = {}): ToolAnnotations => ({
  readOnlyHint: method === 'GET',
  destructiveHint: method === 'DELETE' || method === 'PATCH' || method === 'PUT',
  idempotentHint: method !== 'POST',
  openWorldHint: false,
  ...own,
});

import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  type CallToolRequest,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import * as z from 'zod';
import { textsOf } from '../console/texts/languages.ts';
import { CALLS, type CallName } from '../contract/calls.ts';
import type { ConditionReport, ModuleReport, RunReport } from '../contract/plans.ts';
import { isChapter, readChapter } from '../guide/chapters.ts';
import { pageOfCode } from '../guide/codes.ts';
import { codeMarkdown, search } from '../guide/search.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { PATH_PARAMETERS, parametersIn } from '../http/openapi/path-parameters.ts';

export interface McpDeps {
  version: string;
  endpoints: readonly Endpoint[];
  /** Those of `toolsOf`: a batch may ask for them a hundred times. */
  tools: readonly Tool[];
  /** Address of the sandbox, as the agent knows it. */
  origin: string;
  send(request: Request): Promise<Response>;
}

const INSTRUCTIONS =
  'robot-vasp is the test counterpart of a VASP that implements the Travel Rule. `info` shows the sandbox, `request` makes bodies that are ready to send, `why` explains a verification, `start_check` and `check` judge the VASP. `search_guide` finds explanations.';

/** A new one takes longer than a call, and there is a server for each call. */
const VALIDATOR = new AjvJsonSchemaValidator();

/** The SDK refuses wrong parameters itself with -32602. By its own schema it would tell -32603, an internal error. */
const ToolCall = z.looseObject({ method: z.literal('tools/call') });

/** The MCP server of one connection. Its tools call the API with the headers of the connection. */
export function createMcpServer(deps: McpDeps, headers: Record<string, string>): Server {
  const server = new Server(
    { name: 'robot-vasp', version: deps.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: VALIDATOR },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: deps.tools }));
  server.setRequestHandler(ToolCall, request => {
    const { name, arguments: args = {} } = (request as CallToolRequest).params;
    return callTool(deps, headers, name, args);
  });
  return server;
}

export function toolsOf(endpoints: readonly Endpoint[]): Tool[] {
  const calls = (Object.keys(TOOLS) as ToolName[]).flatMap(name => {
    const row: ToolRow = TOOLS[name];
    const endpoint = endpointOf(endpoints, row);
    if (!endpoint) return [];
    const { summary, description, method } = endpoint;
    return {
      name,
      title: summary,
      description: [`${summary}.`, description, row.hint].filter(Boolean).join(' '),
      inputSchema: inputSchemaOf(endpoint),
      annotations: { title: summary, readOnlyHint: method === 'GET', openWorldHint: false },
    };
  });
  const pages = (Object.keys(GUIDE_TOOLS) as GuideTool[]).map(name => {
    const { title, description } = GUIDE_TOOLS[name];
    const annotations = { title, readOnlyHint: true, openWorldHint: false };
    return { name, title, description, inputSchema: guideInput(GUIDE_TOOLS[name]), annotations };
  });
  return [...calls, ...pages];
}

/** Undefined: it is in another process. */
function endpointOf(endpoints: readonly Endpoint[], { call }: ToolRow): Endpoint | undefined {
  return endpoints.find(({ method, path }) => `${method} ${path}` === CALLS[call]);
}

async function callTool(
  { endpoints, send, origin }: McpDeps,
  headers: Record<string, string>,
  name: string,
  args: Arguments,
): Promise<CallToolResult> {
  if (isIn(GUIDE_TOOLS, name)) {
    const { argument } = GUIDE_TOOLS[name];
    const asked = args[argument.name];
    if (typeof asked !== 'string' || asked === '') return failed(`\`${argument.name}\` is required.`);
    const found = await guideText(name, asked, origin);
    return found === undefined ? failed('There is no such page. Use search_guide.') : told(found);
  }
  const row: ToolRow | undefined = isIn(TOOLS, name) ? TOOLS[name] : undefined;
  const endpoint = row && endpointOf(endpoints, row);
  if (!endpoint) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${name}. tools/list names all.`);
  const missing = parametersIn(endpoint.path).find(parameter => (args[parameter] ?? '') === '');
  if (missing !== undefined) return failed(`\`${missing}\` is required.`);
  const inUrl = endpoint.body ? parametersIn(endpoint.path) : Object.keys(args);
  const noText = inUrl.find(parameter => args[parameter] !== null && typeof args[parameter] === 'object');
  if (noText !== undefined) return failed(`\`${noText}\` should be text.`);
  const response = await send(requestOf(endpoint, args, headers));
  const text = await response.text();
  if (!response.ok) return failed(`HTTP ${response.status}: ${text}\n\`read_guide\` with the code says what to do.`);
  return told(row.present ? JSON.stringify(row.present(JSON.parse(text) as never)) : text);
}

const isIn = <T extends object>(table: T, name: string): name is Extract<keyof T, string> => Object.hasOwn(table, name);

const told = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
const failed = (text: string): CallToolResult => ({ ...told(text), isError: true });

type Arguments = Readonly<Record<string, unknown>>;

/** The request that a tool makes of its arguments, with every path parameter. The endpoint validates them. */
function requestOf(endpoint: Endpoint, args: Arguments, headers: Record<string, string>): Request {
  const { method, body } = endpoint;
  const rest = new Map(Object.entries(args));
  const take = (name: string): string => {
    const value = String(rest.get(name));
    rest.delete(name);
    return value;
  };
  const inPath = parametersIn(endpoint.path);
  const path = inPath.reduce((text, name) => text.replace(`:${name}`, encodeURIComponent(take(name))), endpoint.path);
  if (body) {
    const json = { ...headers, 'content-type': 'application/json' };
    return new Request(INTERNAL + path, { method, headers: json, body: JSON.stringify(Object.fromEntries(rest)) });
  }
  const query = new URLSearchParams();
  for (const [name, value] of rest) if (value !== null) query.set(name, String(value));
  return new Request(`${INTERNAL}${path}${query.size === 0 ? '' : `?${query}`}`, { method, headers });
}

/** Never looked up: the request stays in the process. */
const INTERNAL = 'http://localhost';

const MAX_CHARACTERS = 256;

/** The tools that read the guide. Undefined: there is no such page. */
const GUIDE_TOOLS = {
  search_guide: {
    title: 'Search the guide',
    description: 'Finds sections and codes of the guide that contain every word. Read one with `read_guide`.',
    argument: { name: 'query', description: 'Words, for example `local name`.' },
    read: async (query: string, origin: string) => JSON.stringify({ hits: await search(query, 'en', origin) }),
  },
  read_guide: {
    title: 'Read a page of the guide',
    description: 'Returns a chapter (`withdrawal-test`) or the page of a code (`MISMATCHED-NAME`) as Markdown.',
    argument: { name: 'page', description: 'A chapter or a code.' },
    read: (page: string, origin: string) =>
      readPage(
        page
          .replace(/^\//, '')
          .replace(/^codes\//, '')
          .replace(/#.*$/, ''),
        origin,
      ),
  },
} as const;

const readPage = async (page: string, origin: string): Promise<string | undefined> =>
  isChapter(page) ? readChapter(page, 'en', origin) : codeMarkdown(pageOfCode(page), textsOf('en'));

type GuideTool = keyof typeof GUIDE_TOOLS;

const guideInput = ({ argument }: (typeof GUIDE_TOOLS)[GuideTool]) => ({
  type: 'object' as const,
  properties: { [argument.name]: { type: 'string', maxLength: MAX_CHARACTERS, description: argument.description } },
  required: [argument.name],
});

const guideText = (name: GuideTool, asked: string, origin: string): Promise<string | undefined> =>
  GUIDE_TOOLS[name].read(asked.slice(0, MAX_CHARACTERS), origin);

type Json = { [member: string]: unknown };

/** The input of a tool: the path parameters, query parameters and members of the body of its endpoint in one object. */
function inputSchemaOf({ path, query, body }: Endpoint) {
  const inPath = parametersIn(path).map(name => [
    name,
    { type: 'string', description: PATH_PARAMETERS[name].description, ...PATH_PARAMETERS[name].shape },
  ]);
  const parts = [query, body].filter(schema => schema !== undefined).map(jsonSchemaOf);
  const members = (name: 'properties' | '$defs') => Object.assign({}, ...parts.map(part => part[name] ?? {})) as Json;
  const required = [...parametersIn(path), ...parts.flatMap(part => (part.required as string[] | undefined) ?? [])];
  const definitions = members('$defs');
  return {
    type: 'object' as const,
    properties: { ...Object.fromEntries(inPath), ...members('properties') },
    ...(required.length === 0 ? {} : { required }),
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
  };
}

/** The object itself: a schema with a name stands among the definitions. */
function jsonSchemaOf(schema: z.ZodType): Json {
  const options = { io: 'input', unrepresentable: 'any', override: withoutId } as const;
  const { $ref, $defs = {}, ...rest } = z.toJSONSchema(schema, options) as Json;
  if (typeof $ref !== 'string') return { ...rest, $defs };
  const { [$ref.slice('#/$defs/'.length)]: root, ...others } = $defs as Record<string, Json>;
  return { ...root, $defs: others };
}

const withoutId = ({ jsonSchema }: { jsonSchema: Json }): void => void delete jsonSchema.id;

/** Keeps the answer readable. The report has all of them. */
const MAX_FAILURES = 40;
const GOOD = ['PASSED', 'SKIPPED'];

/** The verdict of a run without its evidence: the result, and every condition that did not pass. */
function verdictOf({ modules, chains: _, ...run }: RunReport) {
  const failures = modules.flatMap(each => each.conditions.filter(isBad).map(failureOf(each)));
  return {
    ...run,
    failures: failures.slice(0, MAX_FAILURES),
    moreFailures: Math.max(0, failures.length - MAX_FAILURES),
    waiting: modules.flatMap(({ id, waiting }) => (waiting ? [{ module: id, ...waiting }] : [])),
    skipped: modules.flatMap(({ id, skippedBecause }) =>
      skippedBecause === null ? [] : [{ module: id, because: skippedBecause }],
    ),
  };
}

const isBad = ({ result }: ConditionReport): boolean => !GOOD.includes(result);

const failureOf =
  ({ id, symbol, title }: ModuleReport) =>
  ({ exchanges: _, ...condition }: ConditionReport) => ({ module: id, symbol, title, ...condition });

/** The tools of the MCP server. Each is one call of the API: its endpoint describes and validates it. */

interface ToolRow {
  readonly call: CallName;
  /** When to use it, in addition to the summary of the endpoint. */
  readonly hint?: string;
  /** The part of a long answer that an agent reads. Default: all. */
  readonly present?: (answer: never) => unknown;
}

const TOOLS = {
  info: { call: 'info', hint: 'VASP ids, chains, and the users of the robot with their addresses. Start here.' },
  request: { call: 'readyRequest', hint: 'Returns a body for `verify` and the other operations, for any scenario.' },
  verify_account: { call: 'verifyAccount' },
  verify: { call: 'verifyUser', hint: 'The tested VASP asks the robot. Then use `why` with the returned UUID.' },
  report: { call: 'reportTransaction' },
  robot_verify: { call: 'robotVerifyUser' },
  robot_withdraw: { call: 'robotWithdraw' },
  send_deposit: {
    call: 'sendTransfer',
    hint: 'The robot verifies, gets money, pays and reports. It returns each step.',
  },
  why: { call: 'why', hint: 'The first thing to ask when a verification surprises you.' },
  timeline: { call: 'timeline' },
  list_verifications: { call: 'verifications' },
  list_callbacks: { call: 'callbacks' },
  list_exchanges: { call: 'exchanges' },
  replay_callback: { call: 'replay' },
  list_faults: { call: 'faults' },
  order_fault: { call: 'addFault' },
  remove_faults: { call: 'removeFaults' },
  clock: { call: 'clock' },
  advance_clock: {
    call: 'advance',
    hint: 'Use it instead of waiting: `10m` runs the status query, `0s` reads both ledgers.',
  },
  faucet: { call: 'faucet' },
  check_ivms101: { call: 'checkIvms101' },
  set_vasp: { call: 'registerVasp', hint: 'Registers the four addresses and the token of the tested VASP.' },
  list_plans: { call: 'plans' },
  start_check: { call: 'startRun', hint: 'Returns the id of the run. Then use `check` until the run has ended.' },
  check: { call: 'run', hint: 'With its causes and every condition that did not pass.', present: verdictOf },
} as const satisfies Record<string, ToolRow>;

type ToolName = keyof typeof TOOLS;

import { type CallToolResult, ErrorCode, McpError, type Tool } from '@modelcontextprotocol/sdk/types.js';
import { CALLS, type CallName } from '../contract/calls.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { parametersIn } from '../http/openapi/schemas.ts';
import { cutText, didYouMean } from '../kernel/text.ts';
import { asked, GUIDE_TOOLS, type GuideTool } from './guide-tools.ts';
import { type Json, ToolFailure } from './schemas.ts';
import type { Api } from './test-run.ts';
import { endpointOf, rowOf, type ToolRow } from './tools.ts';

export interface McpDeps {
  version: string;
  endpoints: readonly Endpoint[];
  /** Those of `toolsOf`: a batch may ask for them a hundred times. */
  tools: readonly Tool[];
  /** Address of the sandbox, as the agent knows it. */
  origin: string;
  send(request: Request): Promise<Response>;
}

/** Of the request that brought the call. */
export interface Connection {
  readonly headers: Readonly<Record<string, string>>;
  readonly gone: AbortSignal;
  /** Undefined: nobody asked for it. */
  readonly progress?: Api['progress'] | undefined;
}

/** What the tools of a connection do. */
export function agentOf({ endpoints, tools, origin, send }: McpDeps, connection: Connection) {
  /** Throws `ToolFailure`. */
  async function textOf(endpoint: Place, args: Json): Promise<string> {
    const inPath = parametersIn(endpoint.path);
    const missing = inPath.find(parameter => (args[parameter] ?? '') === '');
    if (missing !== undefined) throw new ToolFailure(`\`${missing}\` is required.`);
    // They would lead to the path of another call.
    const dots = inPath.find(parameter => args[parameter] === '.' || args[parameter] === '..');
    if (dots !== undefined) throw new ToolFailure(`\`${dots}\` is not valid.`);
    const inUrl = endpoint.body ? inPath : Object.keys(args);
    const noText = inUrl.find(parameter => args[parameter] !== null && typeof args[parameter] === 'object');
    if (noText !== undefined) throw new ToolFailure(`\`${noText}\` should be text.`);
    const response = await send(requestOf(endpoint, args, connection));
    const text = await response.text();
    if (response.ok) return text;
    throw new ToolFailure(`HTTP ${response.status}: ${text}\n\`read_guide\` with the code says what to do.`);
  }
  const ask = async (endpoint: Place, args: Json) => JSON.parse(await textOf(endpoint, args)) as Json;
  const api: Api = {
    call: (call, args) => ask(placeOf(call), args),
    read: (call, args) => textOf(placeOf(call), args),
    progress: connection.progress,
  };

  async function callRow(row: ToolRow, args: Json): Promise<Json> {
    // Null counts as absent (D-05). A body may use it to remove a member.
    const known = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
    if (row.run) return row.run(api, known);
    const { full, ...given } = args;
    const sent = Object.entries(given).filter(([name]) => !Object.hasOwn(row.takes ?? {}, name));
    const answer = await ask(endpointOf(endpoints, row)!, { ...row.defaults, ...Object.fromEntries(sent) });
    return row.view && full !== true ? fitting(row.view(answer as never, known)) : answer;
  }
  return {
    api,
    async callTool(name: string, args: Json): Promise<CallToolResult> {
      try {
        const tool = tools.find(each => each.name === name);
        if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${name}. tools/list names all.`);
        requireKnown(args, Object.keys(tool.inputSchema.properties ?? {}));
        const row = rowOf(name);
        const answer = row ? await callRow(row, args) : await readGuide(GUIDE_TOOLS[name]!, args, origin);
        if (typeof answer === 'string') return told(answer);
        return { ...told(JSON.stringify(answer)), structuredContent: answer };
      } catch (error) {
        if (!(error instanceof ToolFailure)) throw error;
        return { ...told(error.message), isError: true };
      }
    },
  };
}

const told = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

/** A misspelt argument would do something else. */
function requireKnown(args: Json, known: readonly string[]): void {
  const unknown = Object.keys(args).find(name => !known.includes(name));
  if (unknown === undefined) return;
  const taken = known.length === 0 ? 'There are no arguments.' : `The arguments are ${known.join(', ')}.`;
  throw new ToolFailure(`\`${cutText(unknown, 64)}\` is not known.${didYouMean(unknown, known)} ${taken}`);
}

async function readGuide({ argument, read }: GuideTool, args: Json, origin: string): Promise<string | Json> {
  const words = asked(args, argument);
  if (words === undefined) throw new ToolFailure(`\`${argument}\` is required.`);
  const found = await read(words, origin, args.full === true);
  if (found === undefined) throw new ToolFailure('There is no such page. Use search_guide.');
  return found;
}

type Place = Pick<Endpoint, 'method' | 'path' | 'body'>;

/** Of a read. The API refuses what is in another process. */
function placeOf(call: CallName): Place {
  const [method, path] = CALLS[call].split(' ') as [Place['method'], string];
  return { method, path };
}

/** The request that a tool makes of its arguments, with every path parameter. The endpoint validates them. */
function requestOf({ method, path, body }: Place, args: Json, { headers, gone: signal }: Connection): Request {
  const rest = { ...args };
  const address = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest[name]));
    delete rest[name];
    return value;
  });
  if (body) {
    const json = { ...headers, 'content-type': 'application/json' };
    return new Request(INTERNAL + address, { method, headers: json, body: JSON.stringify(rest), signal });
  }
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) if (value !== null) query.set(name, String(value));
  return new Request(`${INTERNAL}${address}${query.size === 0 ? '' : `?${query}`}`, { method, headers, signal });
}

/** Never looked up: the request stays in the process. */
const INTERNAL = 'http://localhost';

/** Of an answer that nobody has asked for in full: about 2,000 tokens. */
const MAX_LENGTH = 5_400;
const TEXTS = [2_000, 600, 200];
const LISTS = [80, 60, 40, 20, 10, 5];

const CUT = 'Long texts and lists are cut. `full`: true returns the whole answer.';

/** The answer, with its longest texts cut until it is short enough, then its longest lists. A page keeps its rows. */
function fitting(answer: Json): Json {
  if (isShort(answer)) return answer;
  const withoutTexts = TEXTS.map(max => textsUpTo(max)(answer) as Json);
  const shortest = withoutTexts.at(-1)!;
  const withoutRows = answer.next === undefined ? LISTS.map(max => listsUpTo(max)(shortest) as Json) : [];
  const tried = [...withoutTexts, ...withoutRows];
  return { ...(tried.find(isShort) ?? tried.at(-1)!), cut: CUT };
}

const isShort = (answer: Json): boolean => JSON.stringify(answer).length <= MAX_LENGTH;

type Cut = (value: unknown) => unknown;

const textsUpTo = (max: number): Cut => everywhere(value => (typeof value === 'string' ? cutText(value, max) : value));

const listsUpTo = (max: number): Cut => everywhere(value => (Array.isArray(value) ? value.slice(0, max) : value));

const everywhere =
  (cut: Cut): Cut =>
  value => {
    const shorter = cut(value);
    if (Array.isArray(shorter)) return shorter.map(everywhere(cut));
    if (typeof shorter !== 'object' || shorter === null) return shorter;
    return Object.fromEntries(Object.entries(shorter).map(([name, each]) => [name, everywhere(cut)(each)]));
  };

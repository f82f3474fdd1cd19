import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { type Context, Hono } from 'hono';
import { MAX_DEPTH } from '../contract/parse.ts';
import { MAX_BODY_BYTES } from '../http/body.ts';
import { jsonDepth } from '../kernel/json-depth.ts';
import { parseJson } from '../kernel/parse-json.ts';
import { type Turns, turnByTurn } from '../kernel/turns.ts';
import { createMcpServer, type McpDeps, toolsOf } from './server.ts';

interface McpParts extends Omit<McpDeps, 'tools' | 'origin'> {
  publicUrl: string | undefined;
  /** Of the calls of a batch after the first one. */
  turnsOf(c: Context): Turns;
}

const MOST_CALLS = 100;
const MOST_ANSWER_BYTES = 1024 * 1024;

/**
 * `/mcp`: the MCP server over Streamable HTTP. It has no sessions: every POST is served by itself, so nothing is kept for
 * a client that does not come back. The calls of a batch are served one after the other, each in its turn.
 */
export function mcpRoutes({ publicUrl, turnsOf, ...api }: McpParts): Hono {
  const deps = { ...api, tools: toolsOf(api.endpoints) };

  async function answerOne(request: Request): Promise<Response> {
    const authorization = request.headers.get('authorization') ?? undefined;
    const server = createMcpServer(
      { ...deps, origin: new URL(publicUrl ?? request.url).origin },
      authorization === undefined ? {} : { authorization },
    );
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: true,
      maxRequestBodySize: MAX_BODY_BYTES,
    });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request);
    } finally {
      await server.close();
    }
  }

  return new Hono().post('/mcp', async c => {
    const text = await c.req.text();
    const headers = acceptingAll(c.req.raw);
    const answerTo = (body: string) =>
      answerOne(new Request(c.req.url, { method: 'POST', headers, body, signal: c.req.raw.signal }));
    const batch = jsonDepth(text) > MAX_DEPTH ? undefined : parseJson(text);
    if (!Array.isArray(batch) || batch.length === 0) return answerTo(text);
    if (batch.length > MOST_CALLS) return c.json(failure(null, TOO_MANY_CALLS), 400);
    return answerBatch(batch, answerTo, turnByTurn(turnsOf(c), c.req.raw.signal));
  });
}

async function answerBatch(
  batch: readonly unknown[],
  answerTo: (body: string) => Promise<Response>,
  next: () => Promise<boolean>,
): Promise<Response> {
  const answers: string[] = [];
  let bytes = 0;
  for (const [index, call] of batch.entries()) {
    if (index > 0 && !(await next())) break;
    const isTooLong = bytes > MOST_ANSWER_BYTES;
    const answer = isTooLong
      ? JSON.stringify(failure((call as { id?: unknown } | null)?.id ?? null, TOO_LONG))
      : await (await answerTo(JSON.stringify(call))).text();
    bytes += answer.length;
    if (answer !== '') answers.push(answer);
  }
  if (answers.length === 0) return new Response(null, { status: 202 });
  return new Response(`[${answers.join()}]`, { headers: { 'content-type': 'application/json' } });
}

const LIMIT_EXCEEDED = -32005;
const TOO_MANY_CALLS = `A batch has at most ${MOST_CALLS} calls.`;
const TOO_LONG = 'The answers to the calls before this one are too long: send smaller batches.';
const failure = (id: unknown, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code: LIMIT_EXCEEDED, message },
});

/** The answer is always JSON, so a caller that does not name the two media types of the protocol is served, too. */
function acceptingAll(request: Request): Headers {
  const headers = new Headers(request.headers);
  headers.set('accept', 'application/json, text/event-stream');
  headers.delete('content-length');
  return headers;
}

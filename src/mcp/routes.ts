import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { MAX_DEPTH } from '../contract/parse.ts';
import { MAX_BODY_BYTES } from '../http/body.ts';
import { type Batch, batches } from '../kernel/batch.ts';
import { parseJson, repetitionIn } from '../kernel/json.ts';
import type { McpDeps } from './call-tool.ts';
import { createMcpServer } from './server.ts';
import { toolsOf } from './tools.ts';

interface McpParts extends Omit<McpDeps, 'tools' | 'origin'> {
  publicUrl: string | undefined;
  callerOf(c: Context): Pick<Batch<unknown>, 'owner' | 'turns'>;
}

const MAX_CALLS = 100;
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * `/mcp`: the MCP server over Streamable HTTP. It has no sessions: every POST is served by itself, so nothing is kept for
 * a client that does not come back.
 */
export function mcpRoutes({ publicUrl, callerOf, ...api }: McpParts): Hono {
  const deps = { ...api, tools: toolsOf(api.endpoints) };
  const answersTo = batches();

  async function answerOne(request: Request, isStreamed = false): Promise<Response> {
    const authorization = request.headers.get('authorization') ?? undefined;
    const server = createMcpServer(
      { ...deps, origin: new URL(publicUrl ?? request.url).origin },
      { headers: authorization === undefined ? {} : { authorization }, gone: request.signal },
    );
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: !isStreamed,
      maxRequestBodySize: MAX_BODY_BYTES,
    });
    await server.connect(transport);
    const close = () => server.close();
    try {
      const response = await transport.handleRequest(request);
      if (!isStreamed) return response;
      request.signal.addEventListener('abort', close);
      return new Response(response.body?.pipeThrough(new TransformStream({ flush: close })), response);
    } finally {
      if (!isStreamed) await close();
    }
  }

  return new Hono().post('/mcp', async c => {
    const text = await c.req.text();
    const headers = acceptingAll(c.req.raw);
    const { signal } = c.req.raw;
    const answerTo = (body: string, isStreamed = false) =>
      answerOne(new Request(c.req.url, { method: 'POST', headers, body, signal }), isStreamed);
    const { problem, isBatch, isStreamed } = lookAt(text);
    if (problem) return c.json(failure(null, ...problem), 400);
    if (!isBatch) return answerTo(text, isStreamed);
    const { owner, turns } = callerOf(c);
    const serve = async (call: unknown) =>
      Array.isArray(call)
        ? JSON.stringify(failure(null, NO_CALL, INVALID_REQUEST))
        : (await answerTo(JSON.stringify(call))).text();
    const answers = await answersTo<unknown>(
      { read: () => parseJson(text) as unknown[], owner, turns, gone: signal, serve, refuse },
      MAX_ANSWER_BYTES,
    );
    const given = signal.aborted ? [] : answers.filter(answer => answer !== NO_ANSWER);
    if (given.length === 0) return c.body(null, 202);
    return c.body(`[${given.join()}]`, 200, { 'content-type': 'application/json' });
  });
}

/** The body is read again when its turn has come: while it waits, only its text is held. */
function lookAt(text: string) {
  const value = parseJson(text, { maxDepth: MAX_DEPTH });
  // Notifications come before the answer.
  return {
    problem: problemOf(text, value),
    isBatch: Array.isArray(value),
    isStreamed: Asking.safeParse(value).success,
  };
}

/** A call that asks for progress. */
const Asking = z.object({
  id: z.union([z.string(), z.number()]),
  params: z.object({ _meta: z.object({ progressToken: z.union([z.string(), z.number()]) }) }),
});

/** Undefined: the transport looks at the rest. */
function problemOf(text: string, value: unknown): [message: string, code: number] | undefined {
  const twice = value === undefined ? undefined : repetitionIn(text);
  if (twice !== undefined) return [twice, INVALID_REQUEST];
  if (!Array.isArray(value) || (value.length > 0 && value.length <= MAX_CALLS)) return undefined;
  return [BATCH_SIZE, value.length === 0 ? INVALID_REQUEST : LIMIT_EXCEEDED];
}

/** Of a notification. */
const NO_ANSWER = '';
const LIMIT_EXCEEDED = -32005;
const INVALID_REQUEST = -32600;
/** JSON-RPC: its calls would count as one. */
const NO_CALL = 'A batch within a batch is no call.';
const BATCH_SIZE = `A batch has 1 to ${MAX_CALLS} calls.`;
const TOO_LONG = 'The answers to the calls before this one are too long: send smaller batches.';
const failure = (id: unknown, message: string, code = LIMIT_EXCEEDED) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});
/** Nobody reads the answer to a late call: its connection has ended. */
const refuse = (call: unknown): string =>
  JSON.stringify(failure((call as { id?: unknown } | null)?.id ?? null, TOO_LONG));

/** Most answers are JSON, so a caller that does not name the two media types of the protocol is served, too. */
function acceptingAll(request: Request): Headers {
  const headers = new Headers(request.headers);
  headers.set('accept', 'application/json, text/event-stream');
  headers.delete('content-length');
  return headers;
}

import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { Hono } from 'hono';
import { MAX_BODY_BYTES } from '../http/body.ts';
import { createMcpServer, type McpDeps, toolsOf } from './server.ts';

interface McpParts extends Omit<McpDeps, 'tools' | 'origin'> {
  publicUrl: string | undefined;
}

/**
 * `/mcp`: the MCP server over Streamable HTTP. It has no sessions: every POST is served by itself, so nothing is kept for
 * a client that does not come back.
 */
export function mcpRoutes({ publicUrl, ...api }: McpParts): Hono {
  const deps = { ...api, tools: toolsOf(api.endpoints) };
  return new Hono().post('/mcp', async c => {
    const authorization = c.req.header('authorization');
    const server = createMcpServer(
      { ...deps, origin: new URL(publicUrl ?? c.req.url).origin },
      authorization === undefined ? {} : { authorization },
    );
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: true,
      maxRequestBodySize: MAX_BODY_BYTES,
    });
    await server.connect(transport);
    try {
      return await transport.handleRequest(acceptingAll(c.req.raw));
    } finally {
      await server.close();
    }
  });
}

/** The answer is always JSON, so a caller that does not name the two media types of the protocol is served, too. */
function acceptingAll(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set('accept', 'application/json, text/event-stream');
  return new Request(request, { headers });
}

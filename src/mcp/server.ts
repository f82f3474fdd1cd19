import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  type CallToolRequest,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import * as z from 'zod';
import { agentOf, type Connection, type McpDeps } from './call-tool.ts';
import { complete, listPrompts, listResources, readPrompt, readResource, TEMPLATES } from './resources.ts';
import { ToolFailure } from './schemas.ts';

const INSTRUCTIONS =
  'robot-vasp is the test counterpart of a VASP that implements the Travel Rule. `info` shows the sandbox, `check_endpoints` calls your VASP, `start_test_run` and `read_test_run` judge it, `why` explains a verification, `request` makes bodies that are ready to send, `search_guide` finds explanations. A list begins with the newest; `limit` and `before` (the `next` of an answer) read on. A long answer is cut; `full`: true returns all of it.';

/** A new one takes longer than a call, and there is a server for each call. */
const VALIDATOR = new AjvJsonSchemaValidator();

/** The SDK refuses wrong parameters itself with -32602. By its own schema it would tell -32603, an internal error. */
const ToolCall = z.looseObject({ method: z.literal('tools/call') });

const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} };

/** What the API refuses, as an error of the protocol: only a tool returns it. */
const told = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch(error => {
    throw error instanceof ToolFailure ? new McpError(ErrorCode.InvalidParams, error.message) : error;
  });

/** The MCP server of one connection. Its tools call the API with the headers of the connection. */
export function createMcpServer(deps: McpDeps, connection: Omit<Connection, 'progress'>): Server {
  const server = new Server(
    { name: 'robot-vasp', version: deps.version },
    { capabilities: CAPABILITIES, instructions: INSTRUCTIONS, jsonSchemaValidator: VALIDATOR },
  );
  const { api, callTool } = agentOf(deps, connection);
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...deps.tools] }));
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({ resources: await told(listResources(api)) }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: TEMPLATES }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => told(readResource(api, params.uri, deps.origin)));
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: listPrompts() }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    told(readPrompt(api, params.name, params.arguments)),
  );
  server.setRequestHandler(CompleteRequestSchema, ({ params }) => told(complete(api, params.argument)));
  server.setRequestHandler(ToolCall, (request, { sendNotification }) => {
    const { name, arguments: args = {}, _meta } = (request as CallToolRequest).params;
    const progressToken = _meta?.progressToken;
    if (progressToken === undefined) return callTool(name, args);
    const progress = (played: number, total: number, message: string) =>
      sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress: played, total, message },
      });
    return agentOf(deps, { ...connection, progress }).callTool(name, args);
  });
  return server;
}

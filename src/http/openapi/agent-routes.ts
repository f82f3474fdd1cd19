import type { Json } from './schemas.ts';

/** A route that is no endpoint, and the parts of its description. */
export interface OtherRoute {
  path: string;
  method?: 'get' | 'post';
  operationId: string;
  summary: string;
  description?: string;
  body?: Json;
  bodyMayBeAbsent?: true;
  answers: Readonly<Record<number, Json & { description: string }>>;
}

export const content = (type: string, schema: Json, example?: unknown) => ({
  content: { [type]: { schema, ...(example === undefined ? {} : { example }) } },
});
export const text = { type: 'string' };
export const json = (schema: Json, example?: unknown) => content('application/json', schema, example);
export const anyObject = { type: 'object' };

const textFile = { description: 'A text.', ...content('text/plain', text, '# robot-vasp') };

const PARSE_ERROR = { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } };

export const AGENT_ROUTES: readonly OtherRoute[] = [
  {
    path: '/mcp',
    method: 'post',
    operationId: 'mcp',
    summary: 'MCP server for coding agents, over Streamable HTTP without sessions',
    body: json(anyObject, { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    answers: {
      200: { description: 'A JSON-RPC answer.', ...json(anyObject, { jsonrpc: '2.0', id: 1, result: {} }) },
      202: { description: 'A notification was taken.' },
      400: { description: 'The body is no JSON-RPC message.', ...json(anyObject, PARSE_ERROR) },
      413: { description: 'The body is too large.', ...json(anyObject, PARSE_ERROR) },
      415: { description: 'The body is not `application/json`.', ...json(anyObject, PARSE_ERROR) },
    },
  },
  {
    path: '/llms.txt',
    operationId: 'llms',
    summary: 'What this sandbox is and where to read on, for coding agents',
    answers: { 200: textFile },
  },
  {
    path: '/llms-full.txt',
    operationId: 'llms-full',
    summary: 'The whole guide as one text, for coding agents',
    answers: { 200: textFile },
  },
];

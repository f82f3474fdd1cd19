import { SECTIONS } from '../../contract/calls.ts';
import { refusals } from '../../contract/refusals.ts';
import { MAX_BODY_BYTES } from '../body.ts';
import type { Json } from './schemas.ts';

/** A route that is no endpoint, and the parts of its description. */
interface OtherRoute {
  path: string;
  method?: 'get' | 'post';
  operationId: string;
  summary: string;
  description?: string;
  body?: Json;
  bodyMayBeAbsent?: true;
  answers: Readonly<Record<number, Json & { description: string }>>;
}

/** The section of all routes that are not endpoints. */
const PROGRAM = { name: 'program', description: 'Health, metrics, web pages and the nodes of the embedded chains.' };

const sections = Object.entries(SECTIONS).map(([name, { description, calls }]) => ({
  name,
  description,
  nouns: new Set(Object.values(calls).map(call => nounOf(call.split(' ')[1]!))),
}));

/** What `/v1` and `/sandbox/v1` are about, for example `/sandbox/v1/faults`. */
function nounOf(path: string): string {
  return /^(?:\/vega\/robot|\/(?:sandbox\/)?v1\/[^/]+)/.exec(path)?.[0] ?? path;
}

export const tagOf = (path: string): string => (sections.find(({ nouns }) => nouns.has(nounOf(path))) ?? PROGRAM).name;

export const tags = [...sections, PROGRAM].map(({ name, description }) => ({ name, description }));

const content = (type: string, schema: Json, example?: unknown) => ({
  content: { [type]: { schema, ...(example === undefined ? {} : { example }) } },
});
const text = { type: 'string' };
const json = (schema: Json, example?: unknown) => content('application/json', schema, example);
const anyObject = { type: 'object' };

const textFile = { description: 'A text.', ...content('text/plain', text, '# robot-vasp') };

const PARSE_ERROR = { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } };

const AGENT_ROUTES: readonly OtherRoute[] = [
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

/** The routes that are not endpoints: health, metrics, web pages, embedded chains. */

const constant = (value: string) => ({ type: 'string', const: value });
const object = (properties: Record<string, Json>, others: Record<string, Json> = {}): Json => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...others },
});
const CHAIN_ERROR = { $ref: '#/components/schemas/ChainError' };
const page = { description: 'A page.', ...content('text/html', text, '<!doctype html>') };
const refusal = (code: string, message: string) => json({ $ref: '#/components/schemas/ErrorBody' }, { code, message });
const refusedOrigin = refusal('FOREIGN-ORIGIN', refusals.foreignOrigin().message);
const noHost = { description: 'The header `Host` is missing.', ...refusal('BAD-REQUEST', refusals.noHost().message) };
const chainAnswers = {
  404: {
    description: 'The chain is not embedded: the configuration names the URL of another node.',
    ...json(CHAIN_ERROR, { error: 'This chain is not embedded. Use the URL in the configuration.' }),
  },
  413: {
    description: 'The body is too large.',
    ...refusal('PAYLOAD-TOO-LARGE', refusals.tooLarge(MAX_BODY_BYTES).message),
  },
  415: {
    description: 'The body has a content coding.',
    ...refusal('UNSUPPORTED-MEDIA-TYPE', refusals.unsupportedCoding('gzip').message),
  },
  503: {
    description: 'The chain does not run, or its faucet is held. `Retry-After` says when to try again.',
    ...json(CHAIN_ERROR, { error: 'The chain does not run. See /readyz and try again.' }),
  },
};
const RIPPLE_CALL = { $ref: '#/components/schemas/RippleCall' };
export const otherSchemas: Record<string, Json> = {
  ChainError: object({ error: text }),
  NotReady: object({ status: constant('NOT-READY'), missing: { type: 'array', items: text } }),
  FundedAccountRequest: object(
    {},
    { destination: { type: 'string' }, xrpAmount: { anyOf: [{ type: ['string', 'null'] }, { type: 'number' }] } },
  ),
  RippleCall: {
    type: 'object',
    required: ['method'],
    properties: {
      method: { type: 'string', minLength: 1 },
      params: { description: 'The parameters: one object in a list, or nothing.' },
    },
    if: { required: ['method'], properties: { method: {} }, additionalProperties: true },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    then: {
      properties: {
        params: {
          anyOf: [
            { type: ['array', 'null'], maxItems: 1, items: { type: ['object', 'null'] } },
            { type: 'object', maxProperties: 0 },
          ],
        },
      },
      additionalProperties: true,
    },
  },
};

const ROUTES: readonly OtherRoute[] = [
  {
    path: '/healthcheck',
    operationId: 'healthcheck',
    summary: 'Liveness check',
    answers: {
      200: {
        description: 'The server accepts requests.',
        ...json(object({ status: constant('UP') }), { status: 'UP' }),
      },
    },
  },
  {
    path: '/readyz',
    operationId: 'readyz',
    summary: 'Readiness check',
    answers: {
      200: {
        description: 'Everything is ready for a test.',
        ...json(object({ status: constant('READY') }), { status: 'READY' }),
      },
      503: {
        description: 'Not ready yet. `missing` lists the parts that are not available.',
        ...json(
          { $ref: '#/components/schemas/NotReady' },
          { status: 'NOT-READY', missing: ['ETH: the first block is not read yet'] },
        ),
      },
    },
  },
  {
    path: '/metrics',
    operationId: 'metrics',
    summary: 'Metrics for Prometheus',
    answers: {
      200: {
        description: 'Text format of Prometheus.',
        ...content('text/plain', text, '# HELP robot_vasp_ready 1 when everything is ready'),
      },
    },
  },
  {
    path: '/openapi.json',
    operationId: 'openapi',
    summary: 'This document',
    answers: { 200: { description: 'OpenAPI 3.1.', ...json(anyObject, { openapi: '3.1.0' }) } },
  },
  {
    path: '/.well-known/jwks.json',
    operationId: 'jwks',
    summary: 'The public key that signs reports of runs',
    answers: { 200: { description: 'A JWK set.', ...json(anyObject, { keys: [] }) } },
  },
  { path: '/docs', operationId: 'docs', summary: 'This document as a web page', answers: { 200: page } },
  { path: '/guide', operationId: 'guide', summary: 'The guide, with a page for every code', answers: { 200: page } },
  ...AGENT_ROUTES,
  { path: '/console', operationId: 'console', summary: 'The web console', answers: { 200: page } },
  {
    path: '/devnet/ethereum',
    method: 'post',
    operationId: 'devnet-ethereum',
    summary: 'JSON-RPC of the embedded Ethereum chain',
    description: 'One call, or a batch of them. The same URL accepts WebSocket connections.',
    // JSON-RPC answers everything: a body that is no call gets an error in the answer.
    body: json({}, { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
    bodyMayBeAbsent: true,
    answers: {
      200: {
        description: 'The answer of the node, or of each call of a batch. An error of the call is in it.',
        ...json({}, { jsonrpc: '2.0', id: 1, result: '0x1' }),
      },
      403: {
        description: 'The method is not allowed, or a web page of another site sent the request.',
        ...json(anyObject, {
          jsonrpc: '2.0',
          id: 1,
          error: {
            code: -32601,
            message: 'The method anvil_setRpcUrl is not allowed here: it would make the node call another host.',
          },
        }),
      },
      ...chainAnswers,
    },
  },
  {
    path: '/devnet/xrpl',
    method: 'post',
    operationId: 'devnet-xrpl',
    summary: 'JSON-RPC of the embedded XRP Ledger',
    description: 'The same URL accepts WebSocket connections.',
    body: json(RIPPLE_CALL, { method: 'server_info', params: [{}] }),
    answers: {
      200: {
        description: 'The answer of the ledger. A failed command is an answer, too.',
        ...json({}, { result: { info: {}, status: 'success' } }),
      },
      400: {
        description: 'The body is no call: not JSON, no `method`, or `params` that cannot be read.',
        ...content('text/plain', text, 'Null method'),
      },
      403: {
        description: 'The command is for administrators, or a web page of another site sent the request.',
        content: {
          'text/plain': { schema: text, example: 'Forbidden' },
          'application/json': refusedOrigin.content['application/json'],
        },
      },
      ...chainAnswers,
    },
  },
  {
    path: '/devnet/xrpl/accounts',
    method: 'post',
    operationId: 'devnet-xrpl-faucet',
    summary: 'Faucet of the embedded XRP Ledger: funds a new or an existing account',
    body: json({ $ref: '#/components/schemas/FundedAccountRequest' }, {}),
    bodyMayBeAbsent: true,
    answers: {
      200: {
        description: 'The account.',
        ...json(anyObject, { account: { address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' }, amount: 1000 }),
      },
      400: {
        description: 'The amount or the address is not valid, or the ledger refused the payment.',
        ...json(CHAIN_ERROR, { error: 'destination must be a classic address.' }),
      },
      403: { description: 'A web page of another site sent the request.', ...refusedOrigin },
      ...chainAnswers,
    },
  },
];

export const otherPaths: Json = Object.fromEntries(
  ROUTES.map(({ path, method = 'get', body, bodyMayBeAbsent, answers, ...described }) => [
    path,
    {
      [method]: {
        tags: [tagOf(path)],
        description: `${described.summary}.`,
        ...described,
        security: [],
        ...(body ? { requestBody: { required: !bodyMayBeAbsent, ...body } } : {}),
        responses: { 400: noHost, ...answers },
      },
    },
  ]),
);

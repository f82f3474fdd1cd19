import { SECTIONS } from '../../contract/calls.ts';
import { type Refusal, refusals } from '../../contract/refusals.ts';
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
const anyObject = { type: 'object' };
const json = (schema: Json, example?: unknown) => content('application/json', schema, example);
const constant = (value: string) => ({ type: 'string', const: value });
const object = (properties: Record<string, Json>, others: Record<string, Json> = {}): Json => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...others },
});
const schemaOf = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** An answer in JSON. */
const answer = (description: string, schema: Json, example: unknown) => ({ description, ...json(schema, example) });
const asText = (description: string, example: string, type = 'text/plain') => ({
  description,
  ...content(type, text, example),
});
const refused = (description: string, code: string, { message }: Refusal) =>
  answer(description, schemaOf('ErrorBody'), { code, message });

const page = asText('A page.', '<!doctype html>', 'text/html');
const textFile = asText('A text.', '# robot-vasp');
const PARSE_ERROR = { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } };
const RESULT = { jsonrpc: '2.0', id: 1, result: {} };
const noHost = refused('The header `Host` is missing.', 'BAD-REQUEST', refusals.noHost());
const ofOtherSite = refused('A web page of another site sent the request.', 'FOREIGN-ORIGIN', refusals.foreignOrigin());
const chainAnswers = {
  404: answer('The chain is not embedded: the configuration names the URL of another node.', schemaOf('ChainError'), {
    error: 'This chain is not embedded. Use the URL in the configuration.',
  }),
  413: refused('The body is too large.', 'PAYLOAD-TOO-LARGE', refusals.tooLarge(MAX_BODY_BYTES)),
  415: refused('The body has a content coding.', 'UNSUPPORTED-MEDIA-TYPE', refusals.unsupportedCoding('gzip')),
  503: answer(
    'The chain does not run, or its faucet is held. `Retry-After` says when to try again.',
    schemaOf('ChainError'),
    { error: 'The chain does not run. See /readyz and try again.' },
  ),
};

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

/** The routes that are not endpoints: health, metrics, web pages, tools for agents, embedded chains. */
const ROUTES: readonly OtherRoute[] = [
  {
    path: '/healthcheck',
    operationId: 'healthcheck',
    summary: 'Liveness check',
    answers: { 200: answer('The server accepts requests.', object({ status: constant('UP') }), { status: 'UP' }) },
  },
  {
    path: '/readyz',
    operationId: 'readyz',
    summary: 'Readiness check',
    answers: {
      200: answer('Everything is ready for a test.', object({ status: constant('READY') }), { status: 'READY' }),
      503: answer('Not ready yet. `missing` lists the parts that are not available.', schemaOf('NotReady'), {
        status: 'NOT-READY',
        missing: ['ETH: the first block is not read yet'],
      }),
    },
  },
  {
    path: '/metrics',
    operationId: 'metrics',
    summary: 'Metrics for Prometheus',
    answers: { 200: asText('Text format of Prometheus.', '# HELP robot_vasp_ready 1 when everything is ready') },
  },
  {
    path: '/openapi.json',
    operationId: 'openapi',
    summary: 'This document',
    answers: { 200: answer('OpenAPI 3.1.', anyObject, { openapi: '3.1.0' }) },
  },
  {
    path: '/.well-known/jwks.json',
    operationId: 'jwks',
    summary: 'The public key that signs reports of runs',
    answers: { 200: answer('A JWK set.', anyObject, { keys: [] }) },
  },
  { path: '/docs', operationId: 'docs', summary: 'This document as a web page', answers: { 200: page } },
  { path: '/guide', operationId: 'guide', summary: 'The guide, with a page for every code', answers: { 200: page } },
  {
    path: '/mcp',
    method: 'post',
    operationId: 'mcp',
    summary: 'MCP server for coding agents, over Streamable HTTP without sessions',
    description: 'One call, or a batch of them.',
    body: json({}, { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    answers: {
      200: answer('The answer, or that to each call of a batch. An error of the call is in it.', {}, RESULT),
      202: { description: 'A notification was taken.' },
      400: answer('The body is no JSON-RPC message.', anyObject, PARSE_ERROR),
      413: answer('The body is too large.', anyObject, PARSE_ERROR),
      415: answer('The body is not `application/json`.', anyObject, PARSE_ERROR),
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
      200: answer(
        'The answer of the node, or of each call of a batch. An error of the call is in it.',
        {},
        { jsonrpc: '2.0', id: 1, result: '0x1' },
      ),
      403: answer('The method is not allowed, or a web page of another site sent the request.', anyObject, {
        jsonrpc: '2.0',
        id: 1,
        error: {
          code: -32601,
          message: 'The method anvil_setRpcUrl is not allowed here: it would make the node call another host.',
        },
      }),
      ...chainAnswers,
    },
  },
  {
    path: '/devnet/xrpl',
    method: 'post',
    operationId: 'devnet-xrpl',
    summary: 'JSON-RPC of the embedded XRP Ledger',
    description: 'The same URL accepts WebSocket connections.',
    body: json(schemaOf('RippleCall'), { method: 'server_info', params: [{}] }),
    answers: {
      200: answer(
        'The answer of the ledger. A failed command is an answer, too.',
        {},
        { result: { info: {}, status: 'success' } },
      ),
      400: asText('The body is no call: not JSON, no `method`, or `params` that cannot be read.', 'Null method'),
      403: {
        description: 'The command is for administrators, or a web page of another site sent the request.',
        content: { 'text/plain': { schema: text, example: 'Forbidden' }, ...ofOtherSite.content },
      },
      ...chainAnswers,
    },
  },
  {
    path: '/devnet/xrpl/accounts',
    method: 'post',
    operationId: 'devnet-xrpl-faucet',
    summary: 'Faucet of the embedded XRP Ledger: funds a new or an existing account',
    body: json(schemaOf('FundedAccountRequest'), {}),
    bodyMayBeAbsent: true,
    answers: {
      200: answer('The account.', anyObject, {
        account: { address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' },
        amount: 1000,
      }),
      400: answer(
        'The amount or the address is not valid, or the ledger refused the payment.',
        schemaOf('ChainError'),
        { error: 'destination must be a classic address.' },
      ),
      403: ofOtherSite,
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

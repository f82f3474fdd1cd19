import type { Json } from './schemas.ts';
import { tagOf } from './tags.ts';

/** What is served beside the endpoints. */

interface OtherRoute {
  path: string;
  method?: 'get' | 'post';
  operationId: string;
  summary: string;
  description?: string;
  body?: Json;
  answers: Readonly<Record<number, Json & { description: string }>>;
}

const constant = (value: string) => ({ type: 'string', const: value });
const object = (properties: Record<string, Json>): Json => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
const content = (type: string, schema: Json, example?: unknown) => ({
  content: { [type]: { schema, ...(example === undefined ? {} : { example }) } },
});
const text = { type: 'string' };
const json = (schema: Json, example?: unknown) => content('application/json', schema, example);
const page = { description: 'A page.', ...content('text/html', text) };
const anyObject = { type: 'object' };
const refused = json(object({ error: text }));
const notHere = { description: 'The chain is given by URL.', ...refused };

const ROUTES: readonly OtherRoute[] = [
  {
    path: '/healthcheck',
    operationId: 'healthcheck',
    summary: 'Does it listen?',
    answers: { 200: { description: 'Yes.', ...json(object({ status: constant('UP') })) } },
  },
  {
    path: '/readyz',
    operationId: 'readyz',
    summary: 'Is everything there that a test needs?',
    answers: {
      200: { description: 'Yes.', ...json(object({ status: constant('READY') })) },
      503: {
        description: 'Not yet: what is missing.',
        ...json(object({ status: constant('NOT-READY'), missing: { type: 'array', items: text } })),
      },
    },
  },
  {
    path: '/metrics',
    operationId: 'metrics',
    summary: 'Metrics for Prometheus',
    answers: { 200: { description: 'In its text format.', ...content('text/plain', text) } },
  },
  {
    path: '/openapi.json',
    operationId: 'openapi',
    summary: 'This document',
    answers: { 200: { description: 'OpenAPI 3.1.', ...json(anyObject) } },
  },
  { path: '/docs', operationId: 'docs', summary: 'This document as a page', answers: { 200: page } },
  {
    path: '/',
    operationId: 'root',
    summary: 'To the console',
    answers: { 302: { description: 'To `/console`.' } },
  },
  {
    path: '/console',
    operationId: 'console',
    summary: 'The web console',
    answers: { 200: page },
  },
  {
    path: '/devnet/ethereum',
    method: 'post',
    operationId: 'devnet-ethereum',
    summary: 'JSON-RPC of the embedded Ethereum chain',
    body: json(anyObject, { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
    answers: {
      200: { description: 'The answer of the node.', ...json(anyObject) },
      404: notHere,
      502: { description: 'The node does not answer.', ...refused },
    },
  },
  {
    path: '/devnet/xrpl',
    method: 'post',
    operationId: 'devnet-xrpl',
    summary: 'JSON-RPC of the embedded XRP Ledger',
    description: 'The same address takes WebSocket connections.',
    body: json(anyObject, { method: 'server_info', params: [{}] }),
    answers: { 200: { description: 'The answer of the ledger.', ...json(anyObject) }, 404: notHere },
  },
  {
    path: '/devnet/xrpl/accounts',
    method: 'post',
    operationId: 'devnet-xrpl-faucet',
    summary: 'A funded account on the embedded XRP Ledger, as faucets of testnets give it',
    body: json(anyObject, {}),
    answers: {
      200: { description: 'The account.', ...json(anyObject) },
      400: { description: 'No such amount or address.', ...refused },
      404: notHere,
      503: { description: 'The ledger refused it.', ...refused },
    },
  },
];

export const otherPaths: Json = Object.fromEntries(
  ROUTES.map(({ path, method = 'get', operationId, summary, description, body, answers }) => [
    path,
    {
      [method]: {
        operationId,
        tags: [tagOf(path)],
        summary,
        ...(description ? { description } : {}),
        security: [],
        ...(body ? { requestBody: { required: true, ...body } } : {}),
        responses: answers,
      },
    },
  ]),
);

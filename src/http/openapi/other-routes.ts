import type { Json } from './schemas.ts';
import { tagOf } from './tags.ts';

/** The routes that are not endpoints: health, metrics, web pages, embedded chains. */

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
const notHere = {
  description: 'The chain is not embedded: the configuration names the URL of another node.',
  ...refused,
};

const ROUTES: readonly OtherRoute[] = [
  {
    path: '/healthcheck',
    operationId: 'healthcheck',
    summary: 'Liveness check',
    answers: {
      200: { description: 'The server accepts requests.', ...json(object({ status: constant('UP') })) },
    },
  },
  {
    path: '/readyz',
    operationId: 'readyz',
    summary: 'Readiness check',
    answers: {
      200: { description: 'Everything is ready for a test.', ...json(object({ status: constant('READY') })) },
      503: {
        description: 'Not ready yet. `missing` lists the parts that are not available.',
        ...json(object({ status: constant('NOT-READY'), missing: { type: 'array', items: text } })),
      },
    },
  },
  {
    path: '/metrics',
    operationId: 'metrics',
    summary: 'Metrics for Prometheus',
    answers: { 200: { description: 'Text format of Prometheus.', ...content('text/plain', text) } },
  },
  {
    path: '/openapi.json',
    operationId: 'openapi',
    summary: 'This document',
    answers: { 200: { description: 'OpenAPI 3.1.', ...json(anyObject) } },
  },
  {
    path: '/.well-known/jwks.json',
    operationId: 'jwks',
    summary: 'The public key that signs reports of runs',
    answers: { 200: { description: 'A JWK set.', ...json(anyObject) } },
  },
  { path: '/docs', operationId: 'docs', summary: 'This document as a web page', answers: { 200: page } },
  {
    path: '/guide',
    operationId: 'guide',
    summary: 'The guide, with a page for every code',
    answers: { 200: page },
  },
  {
    path: '/',
    operationId: 'root',
    summary: 'Redirect to the console',
    answers: { 302: { description: 'Redirect to `/console`.' } },
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
    description: 'The same URL accepts WebSocket connections.',
    body: json(anyObject, { method: 'server_info', params: [{}] }),
    answers: { 200: { description: 'The answer of the ledger.', ...json(anyObject) }, 404: notHere },
  },
  {
    path: '/devnet/xrpl/accounts',
    method: 'post',
    operationId: 'devnet-xrpl-faucet',
    summary: 'Faucet of the embedded XRP Ledger: funds a new or an existing account',
    body: json(anyObject, {}),
    answers: {
      200: { description: 'The account.', ...json(anyObject) },
      400: { description: 'The amount or the address is not valid.', ...refused },
      404: notHere,
      503: { description: 'The ledger rejected the payment.', ...refused },
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

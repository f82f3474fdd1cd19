import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { TenantsDeps } from '../deps.ts';
import { createKey, listKeys, revokeKey, rollKey } from './change.ts';
import { KeyRequest, KeyRevoked, KeysResponse, NewKey, RollRequest } from './schema.ts';

const ALL = { operation: 'sandbox', refusals: [], path: '/sandbox/v1/keys' } as const;
const ONE = { operation: 'sandbox', refusals: ['not-found'] } as const;

export const keyEndpoints = (deps: TenantsDeps): Endpoint[] => [
  endpoint({
    ...ALL,
    method: 'GET',
    summary: 'List the API keys of this VASP',
    response: KeysResponse,
    run: (_, caller) => listKeys(deps, caller),
  }),
  endpoint({
    ...ALL,
    method: 'POST',
    summary: 'Create an API key; it is shown once',
    body: KeyRequest,
    response: NewKey,
    run: ({ body }, caller) => createKey(deps, body, caller),
  }),
  endpoint({
    ...ONE,
    method: 'DELETE',
    path: '/sandbox/v1/keys/:id',
    summary: 'Revoke an API key; its open streams end at once',
    response: KeyRevoked,
    run: ({ params }, caller) => revokeKey(deps, params.id, caller),
  }),
  endpoint({
    ...ONE,
    method: 'POST',
    path: '/sandbox/v1/keys/:id/roll',
    summary: 'Replace an API key; both are valid for a while',
    body: RollRequest,
    bodyMayBeAbsent: true,
    response: NewKey,
    run: ({ body, params }, caller) => rollKey(deps, params.id, body.overlap, caller),
  }),
];

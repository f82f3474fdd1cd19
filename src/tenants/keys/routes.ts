import { control, type Endpoint } from '../../http/endpoint.ts';
import type { TenantsDeps } from '../deps.ts';
import { createKey, listKeys, revokeKey, rollKey } from './change.ts';
import { KeyRequest, KeyRevoked, KeysResponse, NewKey, RollRequest } from './schema.ts';

export const keyEndpoints = (deps: TenantsDeps): Endpoint[] => [
  control.get('/sandbox/v1/keys', {
    summary: 'List the API keys of this VASP',
    response: KeysResponse,
    run: (_, caller) => listKeys(deps, caller),
  }),
  control.post('/sandbox/v1/keys', {
    summary: 'Create an API key; it is shown once',
    body: KeyRequest,
    response: NewKey,
    run: ({ body }, caller) => createKey(deps, body, caller),
  }),
  control.delete('/sandbox/v1/keys/:id', {
    refusals: ['not-found'],
    summary: 'Revoke an API key; its open streams end at once',
    response: KeyRevoked,
    run: ({ params }, caller) => revokeKey(deps, params.id, caller),
  }),
  control.post('/sandbox/v1/keys/:id/roll', {
    refusals: ['not-found'],
    summary: 'Replace an API key; both are valid for a while',
    body: RollRequest,
    bodyMayBeAbsent: true,
    response: NewKey,
    run: ({ body, params }, caller) => rollKey(deps, params.id, body.overlap, caller),
  }),
];

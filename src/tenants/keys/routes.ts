import { control, type Endpoint } from '../../http/endpoint.ts';
import type { TenantsDeps } from '../deps.ts';
import { createKey, listKeys, revokeKey, rollKey } from './change.ts';
import { keyCalls } from './schema.ts';

export const keyEndpoints = (deps: TenantsDeps): Endpoint[] => [
  control(keyCalls.keys, { summary: 'List the API keys of this VASP', run: (_, caller) => listKeys(deps, caller) }),
  control(keyCalls.createKey, {
    summary: 'Create an API key; it is shown once',
    run: ({ body }, caller) => createKey(deps, body, caller),
  }),
  control(keyCalls.revokeKey, {
    refusals: ['not-found'],
    summary: 'Revoke an API key; its open streams end at once',
    run: ({ params }, caller) => revokeKey(deps, params.id, caller),
  }),
  control(keyCalls.rollKey, {
    refusals: ['not-found'],
    summary: 'Replace an API key; both are valid for a while',
    run: ({ body, params }, caller) => rollKey(deps, params.id, body.overlap, caller),
  }),
];

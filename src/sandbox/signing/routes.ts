import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { signingCalls } from './schema.ts';

export const signingEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(signingCalls.rollSigningSecret, {
    summary: 'Get a new signing secret: from now on callbacks to you are signed',
    description:
      'Callbacks carry the headers of [Standard Webhooks](https://www.standardwebhooks.com): `webhook-id`, the same at every attempt, `webhook-timestamp` and `webhook-signature`. During the overlap there is one signature for each active secret.',
    run: ({ body }, caller) => ({ signingSecret: deps.enclave.rollSigningSecret(caller, body.overlap) }),
  }),
];

import * as z from 'zod';
import { named } from '../contract/text.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import type { SandboxDeps } from './deps.ts';
import { duration } from './parameters.ts';

export const signingEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(signingCalls.rollSigningSecret, {
    summary: 'Get a new signing secret: from now on callbacks to you are signed',
    description:
      'Callbacks carry the headers of [Standard Webhooks](https://www.standardwebhooks.com): `webhook-id`, the same at every attempt, `webhook-timestamp` and `webhook-signature`. During the overlap there is one signature for each active secret.',
    run: ({ body }, caller) => ({ signingSecret: deps.enclave.rollSigningSecret(caller, body.overlap) }),
  }),
];

/** `/signing-secret` */

const MAX_OVERLAP_MS = 7 * 86_400_000;

export const RollRequest = named('SigningSecretRoll', {
  overlap: duration(MAX_OVERLAP_MS)
    .prefault('24h')
    .describe('Time for which the previous secrets sign too, at most four of them. `0s`: they sign no longer.'),
});
export const RollResponse = named('SigningSecret', {
  signingSecret: z.string().describe('Shown once; it is stored encrypted.'),
});

export const signingCalls = calls({
  rollSigningSecret: { body: RollRequest, bodyMayBeAbsent: true, response: RollResponse },
});

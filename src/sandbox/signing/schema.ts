import * as z from 'zod';
import { named } from '../../contract/named.ts';
import { calls } from '../../http/endpoint.ts';
import { duration } from '../parameters.ts';

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

import * as z from 'zod';
import { named } from '../../contract/named.ts';
import { calls } from '../../http/endpoint.ts';
import type { CallbackEntry } from '../callbacks/schema.ts';
import type { VerificationEntry } from '../verifications/schema.ts';

/** `/verifications/{uuid}/why` */

export const WhyResponse = named('WhyResponse', 'Why one verification is in its state, and what to do.', {
  verificationUuid: z.string(),
  what: z.string().describe('The verification in one sentence.'),
  facts: z.array(z.string()).describe('What happened and what is pending, the most important first.'),
  next: z.array(z.string()).describe('What to do now; empty: nothing.'),
});
export type WhyResponse = z.infer<typeof WhyResponse>;

/** What the explanation is made of. */
export type Entry = z.infer<typeof VerificationEntry>;
export type Callback = z.infer<typeof CallbackEntry>;

export const whyCalls = calls({ why: { response: WhyResponse } });

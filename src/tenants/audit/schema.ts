import * as z from 'zod';
import { named, optional } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { calls } from '../../http/endpoint.ts';
import { limit, position } from '../../sandbox/parameters.ts';

/** `/audit` */

export const AuditQuery = named('AuditQuery', {
  after: optional(position).describe('Position to read on from: `next` of the previous answer.'),
  order: z.enum(['oldest', 'newest']).default('oldest').describe('The entries that come first.'),
  limit,
});
export const AuditResponse = named('AuditResponse', 'A page of the audit log.', {
  entries: z.array(
    z.object({
      id: z.string(),
      at: Timestamp,
      role: z.enum(['operator', 'vasp', 'nobody']),
      key: z.string().nullable().describe('Id of the API key.'),
      address: z.string().describe('Of the client.'),
      action: z.string(),
      target: z.string(),
      outcome: z.number().int().describe('HTTP status of the answer.'),
    }),
  ),
  next: z.string().describe('Send it as `after` to read on.'),
});

export const auditCalls = calls({ audit: { query: AuditQuery, response: AuditResponse } });

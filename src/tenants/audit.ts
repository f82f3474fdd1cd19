import * as z from 'zod';
import { named, optional } from '../contract/text.ts';
import { Timestamp } from '../contract/time.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { toIso } from '../kernel/clock.ts';
import { limit, position } from '../sandbox/parameters.ts';
import type { TenantsDeps } from './deps.ts';

export const auditEndpoints = (deps: TenantsDeps): Endpoint[] => [
  control(auditCalls.audit, {
    access: 'vasp or operator',
    summary: 'Read the audit log; a VASP reads its own part',
    run({ query: { after, order, limit }, who }) {
      // The operator reads everything, a VASP what it did and what was done to it.
      const isOperator = who.role === 'operator';
      const rows = deps.audit.page({ after, order, limit, vaspId: isOperator ? undefined : who.vaspId });
      return {
        entries: rows.map(({ id, vaspId: _, at, address, ...entry }) => ({
          ...entry,
          id: String(id),
          at: toIso(at),
          address: entry.role === 'operator' && !isOperator ? '' : address,
        })),
        next: String(rows.at(-1)?.id ?? after ?? 0),
      };
    },
  }),
];

const AuditQuery = named('AuditQuery', {
  after: optional(position).describe('Position to read on from: `next` of the previous answer.'),
  order: z.enum(['oldest', 'newest']).default('oldest').describe('The entries that come first.'),
  limit,
});
const AuditResponse = named('AuditResponse', 'A page of the audit log.', {
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

import type * as z from 'zod';
import type { Caller } from '../../http/caller.ts';
import { control, type Endpoint } from '../../http/endpoint.ts';
import { toIso } from '../../kernel/clock.ts';
import type { TenantsDeps } from '../deps.ts';
import { type AuditQuery, auditCalls } from './schema.ts';

export const auditEndpoints = (deps: TenantsDeps): Endpoint[] => [
  control(auditCalls.audit, {
    access: 'vasp or operator',
    summary: 'Read the audit log; a VASP reads its own part',
    run: ({ query, who }) => readAudit(deps, query, who),
  }),
];

/** The operator reads everything, a VASP what it did and what was done to it. */
function readAudit({ audit }: TenantsDeps, { after, order, limit }: z.output<typeof AuditQuery>, who: Caller) {
  const isOperator = who.role === 'operator';
  const rows = audit.page({ after, order, limit, vaspId: isOperator ? undefined : who.vaspId });
  return {
    entries: rows.map(({ id, vaspId: _, at, address, ...entry }) => ({
      ...entry,
      id: String(id),
      at: toIso(at),
      address: entry.role === 'operator' && !isOperator ? '' : address,
    })),
    next: String(rows.at(-1)?.id ?? after ?? 0),
  };
}

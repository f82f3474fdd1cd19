import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { TenantsDeps } from '../deps.ts';
import { readAudit } from './read.ts';
import { AuditQuery, AuditResponse } from './schema.ts';

export const auditEndpoints = (deps: TenantsDeps): Endpoint[] => [
  endpoint({
    operation: 'sandbox',
    refusals: [],
    access: 'vasp or operator',
    method: 'GET',
    path: '/sandbox/v1/audit',
    summary: 'Read the audit log; a VASP reads its own part',
    query: AuditQuery,
    response: AuditResponse,
    run: ({ query, who }) => readAudit(deps, query, who),
  }),
];

import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { TenantsDeps } from '../deps.ts';
import { changeTenant } from './change.ts';
import { exportTenant } from './export.ts';
import { forget } from './forget.ts';
import { listTenants } from './list.ts';
import {
  Tenant,
  TenantExport,
  TenantForgotten,
  TenantPatch,
  TenantsQuery,
  TenantsResponse,
} from './schema.ts';

const OPERATOR = { operation: 'sandbox', access: 'operator' } as const;
const ONE = { ...OPERATOR, refusals: ['not-found'], path: '/sandbox/v1/tenants/:vaspId' } as const;

export const tenantEndpoints = (deps: TenantsDeps): Endpoint[] => [
  endpoint({
    ...OPERATOR,
    refusals: [],
    method: 'GET',
    path: '/sandbox/v1/tenants',
    summary: 'List the VASPs of this sandbox with the use of their quotas',
    query: TenantsQuery,
    response: TenantsResponse,
    run: ({ query }) => listTenants(deps, query),
  }),
  endpoint({
    ...ONE,
    method: 'PATCH',
    summary: 'Suspend a VASP, or change its quotas',
    body: TenantPatch,
    response: Tenant,
    run: ({ body, params }) => changeTenant(deps, params.vaspId, body),
  }),
  endpoint({
    ...ONE,
    method: 'GET',
    path: '/sandbox/v1/tenants/:vaspId/export',
    summary: 'Export everything about a VASP and its persons, without keys and tokens',
    response: TenantExport,
    run: ({ params }) => exportTenant(deps, params.vaspId),
  }),
  endpoint({
    ...ONE,
    method: 'DELETE',
    summary: 'Forget a VASP: its persons, endpoints, keys and exchanges are deleted; its id stays taken',
    response: TenantForgotten,
    run: ({ params }) => forget(deps, params.vaspId),
  }),
];

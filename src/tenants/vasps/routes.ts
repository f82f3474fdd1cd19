import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { TenantsDeps } from '../deps.ts';
import { changeTenant } from './change.ts';
import { exportTenant } from './export.ts';
import { forget } from './forget.ts';
import { importTenant } from './import.ts';
import { listTenants } from './list.ts';
import {
  Tenant,
  TenantExport,
  TenantForgotten,
  TenantImport,
  TenantImported,
  TenantPatch,
  TenantsQuery,
  TenantsResponse,
} from './schema.ts';

const MOST_IMPORTED_BYTES = 256 * 1024 * 1024;
const MOST_IMPORTED_ROWS = 1_000_000;
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
    ...OPERATOR,
    refusals: ['already-registered', 'address-not-allowed'],
    method: 'POST',
    path: '/sandbox/v1/tenants',
    summary: 'Take over a suspended VASP of another cell from its export; its new key is shown once',
    mostBytes: MOST_IMPORTED_BYTES,
    mostElements: MOST_IMPORTED_ROWS,
    body: TenantImport,
    response: TenantImported,
    run: ({ body }) => importTenant(deps, body),
  }),
  endpoint({
    ...ONE,
    method: 'PATCH',
    summary: 'Suspend a VASP, change its quotas, or claim its trial',
    body: TenantPatch,
    response: Tenant,
    run: ({ body, params, address }) => changeTenant(deps, params.vaspId, body, address),
  }),
  endpoint({
    ...ONE,
    method: 'GET',
    path: '/sandbox/v1/tenants/:vaspId/export',
    summary: 'Export everything about a VASP and its persons; its secrets are encrypted with DATA_KEY',
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

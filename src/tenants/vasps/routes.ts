import { asCaller } from '../../contract/tenancy.ts';
import { schemaVersion } from '../../db/open.ts';
import { control, type Endpoint } from '../../http/endpoint.ts';
import { toIso } from '../../kernel/clock.ts';
import { presentVasp } from '../../sandbox/vasps.ts';
import type { TenantsDeps } from '../deps.ts';
import { DAILY } from '../usage.ts';
import { changeTenant, forget, importTenant, listTenants, requireTenant } from './import.ts';
import { rowsOfVasp } from './move-store.ts';
import { EXPORT_FORMAT, tenantCalls } from './schema.ts';

const MAX_IMPORTED_BYTES = 256 * 1024 * 1024;
const MAX_IMPORTED_ROWS = 1_000_000;

export const tenantEndpoints = (deps: TenantsDeps): Endpoint[] => [
  control(tenantCalls.tenants, {
    access: 'operator',
    summary: 'List the VASPs of this sandbox with the use of their quotas',
    run: ({ query }) => listTenants(deps, query),
  }),
  control(tenantCalls.importTenant, {
    access: 'operator',
    refusals: ['already-registered', 'address-not-allowed'],
    summary: 'Take over a suspended VASP of another cell from its export; its new key is shown once',
    maxBytes: MAX_IMPORTED_BYTES,
    maxElements: MAX_IMPORTED_ROWS,
    run: ({ body }) => importTenant(deps, body),
  }),
  control(tenantCalls.changeTenant, {
    access: 'operator',
    refusals: ['not-found'],
    summary: 'Suspend a VASP, change its quotas, or claim its trial',
    run: ({ body, params, address }) => changeTenant(deps, params.vaspId, body, address),
  }),
  control(tenantCalls.exportTenant, {
    access: 'operator',
    refusals: ['not-found'],
    summary: 'Export everything about a VASP and its persons; its secrets are encrypted with DATA_KEY',
    // Keys are not in it. Tokens, secrets and endpoints are encrypted, so that another cell can go on.
    run({ params: { vaspId } }) {
      const { registeredAt, suspendedAt, quotas } = requireTenant(deps, vaspId);
      const { clock, enclave, exchanges } = deps.sandbox;
      // The newest exchanges may still wait to be written.
      exchanges.listOf(asCaller(vaspId), { limit: 1 });
      return {
        format: EXPORT_FORMAT,
        schema: schemaVersion(deps.db),
        cell: deps.settings.cell,
        exportedAt: toIso(deps.now()),
        isSuspended: suspendedAt !== null,
        vasp: { ...presentVasp(enclave.findVasp(vaspId)!), registeredAt: toIso(registeredAt) },
        sealed: enclave.sealedVasp(vaspId),
        quotas,
        usedToday: Object.fromEntries(DAILY.map(name => [name, Number(deps.usage.usedToday(vaspId, name))])),
        aheadMs: clock.aheadOf(vaspId),
        ...rowsOfVasp(deps.db, vaspId),
      };
    },
  }),
  control(tenantCalls.forgetTenant, {
    access: 'operator',
    refusals: ['not-found'],
    summary: 'Forget a VASP: its persons, endpoints, keys and exchanges are deleted; its id stays taken',
    run: ({ params }) => forget(deps, params.vaspId),
  }),
];

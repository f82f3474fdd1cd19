import * as z from 'zod';
import { MAX_QUOTA, QUOTA_NAMES, QUOTA_RULES, type QuotaName, type QuotaRule } from '../../contract/tenancy.ts';
import { named, optional, VaspId } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { calls } from '../../http/endpoint.ts';
import { limit } from '../../sandbox/parameters.ts';
import { QuotaUses, trialEndsAt } from '../usage.ts';

/** `/tenants` */

export const EXPORT_FORMAT = 'robot-vasp export 2' as const;

const quotaValue = (name: QuotaName) => {
  const { isAmount } = QUOTA_RULES[name] as QuotaRule;
  const value = z.number().min(0).max(MAX_QUOTA);
  return (isAmount ? value : value.int()).nullable().optional();
};
const QuotaChange = z
  .strictObject(
    Object.fromEntries(QUOTA_NAMES.map(name => [name, quotaValue(name)])) as Record<
      QuotaName,
      ReturnType<typeof quotaValue>
    >,
  )
  .meta({ id: 'QuotaChange', description: 'Quotas that are left out stay; null: as configured.' });

export const TenantPatch = named('TenantPatch', {
  suspended: optional(z.boolean()),
  quotas: optional(QuotaChange),
  claimed: optional(z.literal(true)).describe('Claims a trial: it stays for good, with the ordinary quotas.'),
});
export const TenantsQuery = named('TenantsQuery', {
  after: optional(VaspId).describe('`next` of the previous answer.'),
  limit,
});
export const Tenant = named('Tenant', {
  vaspId: VaspId,
  name: z.string(),
  suspended: z.boolean(),
  trialEndsAt,
  health: z.enum(['UP', 'DOWN']),
  registeredAt: Timestamp,
  lastSeenAt: Timestamp.nullable(),
  keys: z.number().int().describe('Number of valid keys.'),
  quotas: QuotaUses,
});
export const TenantsResponse = named('TenantsResponse', 'The VASPs of this sandbox.', {
  tenants: z.array(Tenant),
  next: z.string().nullable(),
});
export const TenantForgotten = named('TenantForgotten', { result: z.literal(true) });
export const TenantExport = z
  .looseObject({ format: z.literal(EXPORT_FORMAT), exportedAt: Timestamp, vasp: z.looseObject({}) })
  .meta({ id: 'TenantExport', description: 'Rows of each kind, as they are stored.' });

const rows = z.array(z.looseObject({}));
const IMPORTED_KINDS = [
  'verifications',
  'callbacks',
  'callbackAttempts',
  'assessments',
  'history',
  'findings',
  'exchanges',
  'faults',
  'timers',
  'expectations',
  'deposits',
  'submissions',
  'users',
  'answers',
] as const;
export const TenantImport = named('TenantImport', 'The answer of `GET /sandbox/v1/tenants/{vaspId}/export`.', {
  format: z.literal(EXPORT_FORMAT),
  schema: z.number().int(),
  cell: z.string(),
  isSuspended: z.boolean(),
  vasp: z.looseObject({ vaspId: VaspId, registeredAt: Timestamp }),
  sealed: z.object({
    registration: z.looseObject({ vaspId: VaspId }),
    signingSecrets: z.array(z.looseObject({ secret: z.string() })),
  }),
  quotas: z.partialRecord(z.enum(QUOTA_NAMES), z.number()),
  usedToday: z.partialRecord(z.enum(QUOTA_NAMES), z.number()),
  aheadMs: z.number(),
  transfers: z.array(z.looseObject({ status: z.string(), verificationUuid: z.string() })),
  runs: z.array(z.looseObject({ endedAt: z.number().nullable() })),
  ...(Object.fromEntries(IMPORTED_KINDS.map(kind => [kind, rows])) as Record<
    (typeof IMPORTED_KINDS)[number],
    typeof rows
  >),
});
export const TenantImported = named('TenantImported', {
  vaspId: VaspId,
  apiKey: z.string().describe('Shown once; only its hash is stored.'),
});

export const tenantCalls = calls({
  tenants: { query: TenantsQuery, response: TenantsResponse },
  importTenant: { body: TenantImport, response: TenantImported },
  changeTenant: { body: TenantPatch, response: Tenant },
  exportTenant: { response: TenantExport },
  forgetTenant: { response: TenantForgotten },
});

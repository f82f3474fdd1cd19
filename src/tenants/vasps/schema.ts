import * as z from 'zod';
import {
  MAX_QUOTA,
  QUOTA_NAMES,
  QUOTA_RULES,
  type QuotaName,
  type QuotaRule,
} from '../../contract/quotas.ts';
import { optional, VaspId } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { limit } from '../../sandbox/parameters.ts';
import { QuotaUses } from '../usage/schema.ts';

/** `/tenants` */

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

export const TenantPatch = z
  .object({ suspended: optional(z.boolean()), quotas: optional(QuotaChange) })
  .meta({ id: 'TenantPatch' });
export const TenantsQuery = z
  .object({ after: optional(VaspId).describe('`next` of the previous answer.'), limit })
  .meta({ id: 'TenantsQuery' });
export const Tenant = z
  .object({
    vaspId: VaspId,
    name: z.string(),
    suspended: z.boolean(),
    health: z.enum(['UP', 'DOWN']),
    registeredAt: Timestamp,
    lastSeenAt: Timestamp.nullable(),
    keys: z.number().int().describe('Number of valid keys.'),
    quotas: QuotaUses,
  })
  .meta({ id: 'Tenant' });
export const TenantsResponse = z
  .object({ tenants: z.array(Tenant), next: z.string().nullable() })
  .meta({ id: 'TenantsResponse', description: 'The VASPs of this sandbox.' });
export const TenantForgotten = z.object({ result: z.literal(true) }).meta({ id: 'TenantForgotten' });
export const TenantExport = z
  .looseObject({ format: z.literal('robot-vasp export 1'), exportedAt: Timestamp, vasp: z.looseObject({}) })
  .meta({ id: 'TenantExport', description: 'Rows of each kind, as they are stored.' });

import * as z from 'zod';
import { QUOTA_NAMES, type QuotaName } from '../../contract/quotas.ts';
import { VaspId } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';

/** `/usage` */

const QuotaUse = z
  .object({
    limit: z.number(),
    used: z.number().nullable().describe('null: it is not counted up.'),
    freesAt: Timestamp.nullable().describe('When a daily quota begins again.'),
  })
  .meta({ id: 'QuotaUse' });
export const QuotaUses = z
  .object(Object.fromEntries(QUOTA_NAMES.map(name => [name, QuotaUse])) as Record<QuotaName, typeof QuotaUse>)
  .meta({ id: 'QuotaUses' });
export const trialEndsAt = Timestamp.nullable().describe(
  'The end of a trial that nobody claims. null: it is no trial.',
);
export const UsageResponse = z
  .object({ vaspId: VaspId, name: z.string(), trialEndsAt, quotas: QuotaUses })
  .meta({ id: 'UsageResponse', description: 'The use of its quotas by this VASP.' });

import * as z from 'zod';
import { QUOTA_NAMES, type QuotaName } from '../../contract/tenancy.ts';
import { named, VaspId } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { calls } from '../../http/endpoint.ts';

/** `/usage` */

const QuotaUse = named('QuotaUse', {
  limit: z.number(),
  used: z.number().nullable().describe('null: it is not counted up.'),
  freesAt: Timestamp.nullable().describe('When a daily quota begins again.'),
});
export const QuotaUses = named(
  'QuotaUses',
  Object.fromEntries(QUOTA_NAMES.map(name => [name, QuotaUse])) as Record<QuotaName, typeof QuotaUse>,
);
export const trialEndsAt = Timestamp.nullable().describe(
  'The end of a trial that nobody claims. null: it is no trial.',
);
export const UsageResponse = named('UsageResponse', 'The use of its quotas by this VASP.', {
  vaspId: VaspId,
  name: z.string(),
  trialEndsAt,
  quotas: QuotaUses,
});

export const usageCalls = calls({ usage: { response: UsageResponse } });

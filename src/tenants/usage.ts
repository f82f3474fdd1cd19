import * as z from 'zod';
import { asCaller, QUOTA_NAMES, type QuotaName } from '../contract/tenancy.ts';
import { named, VaspId } from '../contract/text.ts';
import { Timestamp } from '../contract/time.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { toIso } from '../kernel/clock.ts';
import type { TenantsDeps } from './deps.ts';
import { isOver } from './key-store.ts';
import { DAILY, quotasOf } from './usage/quotas.ts';

export const usageEndpoints = (deps: TenantsDeps): Endpoint[] => [
  control(usageCalls.usage, {
    summary: 'Read the use of the quotas of this VASP',
    run: (_, caller) => readUsage(deps, caller),
  }),
];

/** What is about to be added. It may replace something. */
interface Adding {
  params: Readonly<Record<string, string>>;
  body: Readonly<Record<string, unknown>> | undefined;
}

/** The present use of a quota by a VASP, without what `adding` replaces. */
export function currentUse(
  { sandbox, keys, usage, now }: TenantsDeps,
  vaspId: string,
  quota: QuotaName,
  adding?: Adding,
): number {
  const caller = asCaller(vaspId);
  switch (quota) {
    case 'keys':
      return keys.ofVasp(vaspId).filter(key => !isOver(key, now())).length;
    case 'users':
      return sandbox.robot.countAddedUsers(caller, adding?.params.userId);
    case 'faults':
      return sandbox.faults.active(caller, adding && faultIn(adding)).length;
    case 'runs':
      return sandbox.runs.list(caller).filter(({ endedAt }) => endedAt === null).length;
    case 'verificationsKept':
      return sandbox.enclave.countOrdered(caller);
    default:
      return Number(usage.usedToday(vaspId, quota));
  }
}

type Fault = NonNullable<Parameters<TenantsDeps['sandbox']['faults']['active']>[1]>;

const faultIn = ({ body }: Adding): Fault => ({ verificationUuid: null, ...body }) as unknown as Fault;

const COUNTED: readonly QuotaName[] = [...DAILY, 'verificationsKept', 'keys', 'users', 'faults', 'runs'];

export function readQuotas(deps: TenantsDeps, vaspId: string) {
  const limits = quotasOf(deps, vaspId);
  const freesAt = toIso(deps.usage.freesAt());
  const uses = QUOTA_NAMES.map(name => {
    const used = COUNTED.includes(name) ? currentUse(deps, vaspId, name) : null;
    return [name, { limit: limits[name], used, freesAt: DAILY.includes(name) ? freesAt : null }] as const;
  });
  return Object.fromEntries(uses) as Record<QuotaName, (typeof uses)[number][1]>;
}

/** null: the VASP stays. */
export function trialEndOf({ trials }: Pick<TenantsDeps, 'trials'>, vaspId: string): string | null {
  const trial = trials.find(vaspId);
  return trial ? toIso(trial.endsAt) : null;
}

const readUsage = (deps: TenantsDeps, vaspId: string) => ({
  vaspId,
  name: deps.sandbox.enclave.vaspName(vaspId),
  trialEndsAt: trialEndOf(deps, vaspId),
  quotas: readQuotas(deps, vaspId),
});

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
const UsageResponse = named('UsageResponse', 'The use of its quotas by this VASP.', {
  vaspId: VaspId,
  name: z.string(),
  trialEndsAt,
  quotas: QuotaUses,
});

export const usageCalls = calls({ usage: { response: UsageResponse } });

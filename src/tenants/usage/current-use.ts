import { asCaller, QUOTA_NAMES, type QuotaName } from '../../contract/tenancy.ts';
import { toIso } from '../../kernel/clock.ts';
import type { TenantsDeps } from '../deps.ts';
import { isOver } from '../keys/store.ts';
import { DAILY, quotasOf } from './quotas.ts';

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

export const readUsage = (deps: TenantsDeps, vaspId: string) => ({
  vaspId,
  name: deps.sandbox.enclave.vaspName(vaspId),
  trialEndsAt: trialEndOf(deps, vaspId),
  quotas: readQuotas(deps, vaspId),
});

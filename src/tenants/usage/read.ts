import { QUOTA_NAMES, type QuotaName } from '../../contract/quotas.ts';
import { toIso } from '../../kernel/clock.ts';
import { currentUse, type UseDeps } from './current-use.ts';
import { DAILY, type QuotaDeps, quotasOf } from './quotas.ts';

type Deps = QuotaDeps & UseDeps;

const COUNTED: readonly QuotaName[] = [...DAILY, 'verificationsKept', 'keys', 'users', 'faults', 'runs'];

export async function readQuotas(deps: Deps, vaspId: string) {
  const limits = quotasOf(deps, vaspId);
  const freesAt = toIso(deps.usage.freesAt());
  const uses = await Promise.all(
    QUOTA_NAMES.map(async name => {
      const used = COUNTED.includes(name) ? await currentUse(deps, vaspId, name) : null;
      return [name, { limit: limits[name], used, freesAt: DAILY.includes(name) ? freesAt : null }] as const;
    }),
  );
  return Object.fromEntries(uses) as Record<QuotaName, (typeof uses)[number][1]>;
}

/** null: the VASP stays. */
export function trialEndOf({ trials }: Pick<Deps, 'trials'>, vaspId: string): string | null {
  const trial = trials.find(vaspId);
  return trial ? toIso(trial.endsAt) : null;
}

export const readUsage = async (deps: Deps, vaspId: string) => ({
  vaspId,
  name: deps.sandbox.enclave.vaspName(vaspId),
  trialEndsAt: trialEndOf(deps, vaspId),
  quotas: await readQuotas(deps, vaspId),
});

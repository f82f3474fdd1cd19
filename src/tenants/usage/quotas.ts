import { refusals } from '../../contract/refusals.ts';
import { QUOTA_RULES, type QuotaName, type Quotas, trialQuotas } from '../../contract/tenancy.ts';
import type { Tx } from '../../db/transaction.ts';
import { toIso } from '../../kernel/clock.ts';
import { add, decimalText, isAtLeast } from '../../kernel/decimal.ts';
import type { TenantsDeps } from '../deps.ts';

/** What the quotas of a VASP take, and their use. */

/** The quotas of a VASP: its own, and those of the configuration. */
export const quotasOf = ({ settings, tenants, trials }: TenantsDeps, vaspId: string): Quotas => ({
  ...(trials.find(vaspId) ? trialQuotas(settings.quotas) : settings.quotas),
  ...tenants.quotasOf(vaspId),
});

/** Quotas that count what was used on this UTC day. */
export const DAILY: readonly QuotaName[] = [
  'verificationsPerDay',
  'reportsPerDay',
  'faucetEth',
  'faucetXrp',
  'chainGasPerDay',
  'chainBytesPerDay',
];

const SOON_S = 10;

/** Throws `Refusal` quota-exceeded when `adding` more are too many. `used`: now, or today. Amounts are decimal text. */
export function requireRoom(
  deps: TenantsDeps,
  vaspId: string,
  quota: QuotaName,
  { used, adding = 1 }: { used: number | string; adding?: number | string },
): void {
  const allowed = quotasOf(deps, vaspId)[quota];
  if (isAtLeast(decimalText(allowed), add(`${used}`, `${adding}`))) return;
  const limit = `${quota} (${allowed} ${QUOTA_RULES[quota].meaning}, ${used} used)`;
  if (!DAILY.includes(quota)) throw refusals.quotaExceeded(limit, FREES[quota] ?? FREES_LATER, SOON_S);
  const freesAt = deps.usage.freesAt();
  const waitS = Math.ceil((freesAt - deps.now()) / 1_000);
  throw refusals.quotaExceeded(limit, `It frees at ${toIso(freesAt)}.`, waitS);
}

const FREES_LATER = 'It frees when one of them ends.';
const FREES: Partial<Record<QuotaName, string>> = {
  verificationsKept: 'It frees when old verifications are deleted: by retention or by a reset.',
  keys: 'It frees when a key is revoked or expires.',
  users: 'It frees with DELETE /sandbox/v1/users.',
  faults: 'It frees when a fault is removed.',
};

/** Spends a daily quota in the transaction of what it pays for. Returns what gives it back. Throws `Refusal` quota-exceeded. */
export function spend(deps: TenantsDeps, tx: Tx, vaspId: string, quota: QuotaName, adding: string): (tx: Tx) => void {
  requireRoom(deps, vaspId, quota, { used: deps.usage.usedToday(vaspId, quota), adding });
  return deps.usage.spend(tx, vaspId, quota, adding);
}

import type { QuotaName, Quotas } from './quotas.ts';

/** What a VASP may that has registered itself without an invitation, where the operator allows it. */
export const TRIAL = {
  lastsMs: 7 * 86_400_000,
  /** From one network of addresses (/24, /64) in 24 hours. */
  perNetwork: 3,
  atOnce: 200,
  /** Its quotas are this part of the configured ones, but for `WHOLE_QUOTAS`. */
  part: 1 / 10,
} as const;

/** A trial plays the plans as every other VASP: they have times to keep, and need money. */
export const WHOLE_QUOTAS: readonly QuotaName[] = ['requestsPerSecond', 'burst', 'faucetEth', 'faucetXrp'];

/** Whole numbers stay whole, and what is allowed stays allowed. */
export const trialQuotas = (quotas: Quotas): Quotas =>
  Object.fromEntries(
    Object.entries(quotas).map(([name, most]) => [
      name,
      WHOLE_QUOTAS.includes(name as QuotaName) ? most : Math.ceil(most * TRIAL.part),
    ]),
  ) as unknown as Quotas;

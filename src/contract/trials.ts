import type { Quotas } from './quotas.ts';

/** What a VASP may that has registered itself without an invitation, where the operator allows it. */
export const TRIAL = {
  lastsMs: 7 * 86_400_000,
  /** From one network of addresses (/24, /64) in 24 hours. */
  perNetwork: 3,
  atOnce: 200,
  /** Its quotas are this part of the configured ones. */
  part: 1 / 10,
} as const;

/** Whole numbers stay whole, and what is allowed stays allowed. */
export const trialQuotas = (quotas: Quotas): Quotas =>
  Object.fromEntries(
    Object.entries(quotas).map(([name, most]) => [name, Math.ceil(most * TRIAL.part)]),
  ) as unknown as Quotas;

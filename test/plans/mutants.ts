import { DEPOSIT_MUTANTS } from './deposit-mutants.ts';
import { OTHER_MUTANTS } from './other-mutants.ts';
import { WITHDRAWAL_MUTANTS } from './withdrawal-mutants.ts';

export const MUTANTS = [...WITHDRAWAL_MUTANTS, ...DEPOSIT_MUTANTS, ...OTHER_MUTANTS];

/** Conditions that fail only together with another one, and why. */
export const INSEPARABLE: Readonly<Record<string, string>> = {
  'W4.3.error': 'An error report that the enclave accepts (W4.3.reported) always makes the result ERROR.',
};

import type { ANSWERS, DEPOSITS, WITHDRAWALS } from '../../../plans/wrong-vasps.ts';
import type { Choice } from './variants.ts';

/** The rules that an independent VASP can break, one at a time: those that the tests of the plans play. */
type Wrong = (typeof ANSWERS | typeof DEPOSITS | typeof WITHDRAWALS)[number]['wrong'];

export type Is = (rule: Wrong | Choice) => boolean;

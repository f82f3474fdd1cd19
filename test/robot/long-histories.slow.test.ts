import { test } from 'vitest';
import { playClaims } from '../support/robot/claim-histories.ts';
import { playQuestions } from '../support/robot/question-histories.ts';

/** As `histories.test.ts`, with 100,000 steps. */
const STEPS = 50_000;
const LIMIT_MS = 600_000;

test(
  'D-17, D-24: in any order of payments, blocks and answers no order is lost or moved later',
  () => playQuestions(STEPS),
  LIMIT_MS,
);

test(
  'D-18, D-50: in any order of reports, blocks and reversions each payment is credited as the table says',
  () => playClaims(STEPS),
  LIMIT_MS,
);

import { test } from 'vitest';
import { playClaims } from '../support/robot/claim-histories.ts';
import { playQuestions } from '../support/robot/question-histories.ts';

test('D-17, D-24: in any order of payments, blocks and answers no order is lost or moved later', async () => {
  await playQuestions(1_000);
});

test('D-18, D-50: in any order of reports, blocks and reversions each payment is credited as the table says', async () => {
  await playClaims(600);
});

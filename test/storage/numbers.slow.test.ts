import { expect, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { numbersStayWhole } from '../support/numbers/histories.ts';

/** 100,000 steps on both ledgers together. `test/robot/numbers.test.ts` has the same for `npm test`. */
const STEPS = 50_000;
const SEED = Number(process.env.TEST_SEED ?? Date.now() & 0x7fffffff);

test.each(ASSET_SYMBOLS)(
  `SEND-3, D-47, %s: ${STEPS} steps of random histories leave no hole, pay nobody twice, and nothing waits (TEST_SEED=${SEED})`,
  async symbol => {
    await expect(numbersStayWhole(symbol, STEPS, SEED)).resolves.toBeUndefined();
  },
  300_000,
);

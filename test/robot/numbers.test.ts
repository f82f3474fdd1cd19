import { expect, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { numbersStayWhole } from '../support/numbers/histories.ts';

const STEPS = 1_500;
const SEED = Number(process.env.TEST_SEED ?? Date.now() & 0x7fffffff);

test.each(ASSET_SYMBOLS)(
  `SEND-3, D-47, %s: after any history no number has a hole, nobody is paid twice, and nothing waits (TEST_SEED=${SEED})`,
  async symbol => {
    await expect(numbersStayWhole(symbol, STEPS, SEED)).resolves.toBeUndefined();
  },
);

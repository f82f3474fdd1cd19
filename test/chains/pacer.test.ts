import { expect, it } from 'vitest';
import { createPacer } from '../../src/chains/ethereum/reading.ts';
import { ChainUnreachable } from '../../src/chains/port.ts';

it('a step whose time is over still makes one call', async () => {
  const results = await createPacer().inOrder(5, Number.NEGATIVE_INFINITY, async index => index);
  expect(results).toEqual([0]);
});

it('the wait after a refusal can be read', async () => {
  const pacer = createPacer();
  expect(pacer.waitMs()).toBe(0);
  const refusal = new ChainUnreachable('limit exceeded', { retryAfterMs: 70_000 });
  await expect(pacer.counted(Promise.reject(refusal))).rejects.toBe(refusal);
  expect(pacer.waitMs()).toBeGreaterThan(60_000);
});

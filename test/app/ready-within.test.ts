import { expect, test } from 'vitest';
import { readyWithin } from '../../src/app/ready-within.ts';

test('a ledger that does not start is named after the time limit', async () => {
  const app = { ready: () => new Promise<boolean>(() => {}), missing: () => ['ETH: connect ECONNREFUSED'] };
  await expect(readyWithin(app, 20)).rejects.toThrow(
    'robot-vasp is not ready after 0.02 s: ETH: connect ECONNREFUSED.',
  );
});

test('both ledgers are ready in time', async () => {
  await expect(readyWithin({ ready: async () => true, missing: () => [] }, 60_000)).resolves.toBeUndefined();
});

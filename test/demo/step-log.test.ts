import { expect, test } from 'vitest';
import { createStepLog, expectEqual } from '../../src/demo/step-log.ts';

const record = async (play: (log: ReturnType<typeof createStepLog>) => Promise<void>) => {
  const lines: string[] = [];
  const log = createStepLog(line => lines.push(line), false);
  await play(log);
  return { lines, steps: log.steps, failures: log.failures };
};

test('a failed step is marked, shows both values, is counted, and ends only its scene', async () => {
  const { lines, steps, failures } = await record(async log => {
    await log.scene('first', async () => {
      await log.step('wrong', async () => expectEqual('the result', { result: 'DENIED' }, { result: 'OK' }));
      await log.step('never played', async () => {});
    });
    await log.scene('second', () => log.step('right', async () => expectEqual('it', [1], [1])));
  });
  expect([steps, failures]).toEqual([2, 1]);
  const text = lines.join('\n');
  expect(text).toMatch(/✗ wrong/);
  expect(text).toContain('expected {"result":"OK"}');
  expect(text).toContain('actual   {"result":"DENIED"}');
  expect(text).not.toContain('never played');
  expect(text).toMatch(/✓ right/);
});

test('a step that throws is marked with what it threw', async () => {
  const { lines, failures } = await record(log =>
    log.scene('scene', () =>
      log.step('refused', async () => {
        throw new Error('answered 500');
      }),
    ),
  );
  expect(failures).toBe(1);
  expect(lines.join('\n')).toContain('answered 500');
});

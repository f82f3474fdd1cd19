import { expect, test } from 'vitest';
import { createStory, expectEqual } from '../../src/demo/story.ts';

const tell = async (play: (story: ReturnType<typeof createStory>) => Promise<void>) => {
  const lines: string[] = [];
  const story = createStory(line => lines.push(line), false);
  await play(story);
  return { lines, steps: story.steps, failures: story.failures };
};

test('a step that is not as expected is marked, shows both, counts, and ends its scene alone', async () => {
  const { lines, steps, failures } = await tell(async story => {
    await story.scene('first', async () => {
      await story.step('wrong', async () =>
        expectEqual('the result', { result: 'DENIED' }, { result: 'OK' }),
      );
      await story.step('never played', async () => {});
    });
    await story.scene('second', () => story.step('right', async () => expectEqual('it', [1], [1])));
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
  const { lines, failures } = await tell(story =>
    story.scene('scene', () =>
      story.step('refused', async () => {
        throw new Error('answered 500');
      }),
    ),
  );
  expect(failures).toBe(1);
  expect(lines.join('\n')).toContain('answered 500');
});

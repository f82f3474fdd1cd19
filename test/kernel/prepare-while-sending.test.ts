import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { prepareWhileSending } from '../../src/kernel/prepare-while-sending.ts';

/** Notes the beginnings and ends of all steps. `fails`: the step that fails at its end. */
function steps(fails?: string) {
  const seen: string[] = [];
  const step = (name: string, ms: number) => async (part: string) => {
    seen.push(`${name} ${part}`);
    if (ms > 0) await delay(ms);
    if (`${name} ${part}` === fails) throw new Error(fails);
    seen.push(`${name} ${part} ended`);
  };
  return { seen, step };
}
const without = (seen: string[], text: string) => seen.filter(each => !each.includes(text));

test('each part is prepared while the part before it is sent, and sent when it is prepared', async () => {
  const { seen, step } = steps();
  await prepareWhileSending(['a', 'b', 'c'], { prepare: step('prepare', 1), send: step('send', 20) });
  expect(seen).toEqual([
    'prepare a',
    'prepare a ended',
    'send a',
    'prepare b',
    'prepare b ended',
    'send a ended',
    'send b',
    'prepare c',
    'prepare c ended',
    'send b ended',
    'send c',
    'send c ended',
  ]);
});

test('no part: nothing is done', async () => {
  const { seen, step } = steps();
  await prepareWhileSending([], { prepare: step('prepare', 0), send: step('send', 0) });
  expect(seen).toEqual([]);
});

test('a call that goes out in the next turn goes out before the next part is prepared', async () => {
  const seen: string[] = [];
  await prepareWhileSending(['a', 'b'], {
    prepare: async part => void seen.push(`prepare ${part}`),
    async send(part) {
      await Promise.resolve();
      await new Promise<void>(resolve => setImmediate(resolve));
      seen.push(`out ${part}`);
      await delay(5);
    },
  });
  expect(seen).toEqual(['prepare a', 'out a', 'prepare b', 'out b']);
});

// Vitest fails at a rejection that nobody handles.
test.each([0, 20])(
  'a part that cannot be sent (after %i ms): the next preparation ends before the error is thrown',
  async ms => {
    const { seen, step } = steps('send a');
    const sending = prepareWhileSending(['a', 'b', 'c'], {
      prepare: step('prepare', 10),
      send: step('send', ms),
    });
    await expect(sending).rejects.toThrow('send a');
    expect(without(seen, 'prepare a')).toEqual(['send a', 'prepare b', 'prepare b ended']);
  },
);

test('a part that cannot be prepared: the part before it is sent to its end', async () => {
  const { seen, step } = steps('prepare b');
  const sending = prepareWhileSending(['a', 'b', 'c'], {
    prepare: step('prepare', 0),
    send: step('send', 20),
  });
  await expect(sending).rejects.toThrow('prepare b');
  expect(without(seen, 'prepare a')).toEqual(['send a', 'prepare b', 'send a ended']);
});

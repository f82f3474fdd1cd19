import { expect, test } from 'vitest';
import { limitPerKey } from '../../src/kernel/turns.ts';

/** Work that ends when the test says so. */
function started(run: ReturnType<typeof limitPerKey>) {
  const begun: string[] = [];
  const ends = new Map<string, (fails?: boolean) => void>();
  const start = (owner: string, name: string) =>
    run(owner, () => {
      begun.push(name);
      return new Promise<string>((resolve, reject) =>
        ends.set(name, fails => (fails ? reject(new Error(name)) : resolve(name))),
      );
    });
  return { begun, start, end: (name: string, fails = false) => ends.get(name)!(fails) };
}

test('the work of one owner waits for its own, in its order, and not for that of others', async () => {
  const { begun, start, end } = started(limitPerKey(2));
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(name => start('one', name));
  const other = start('other', 'x');
  await Promise.resolve();
  expect(begun.toSorted()).toEqual(['a', 'b', 'x']);
  end('b');
  expect(await b).toBe('b');
  expect(begun.at(-1)).toBe('c');
  end('a', true);
  await expect(a).rejects.toThrow('a');
  expect(begun.at(-1)).toBe('d');
  for (const name of ['c', 'd', 'x']) end(name);
  expect(await Promise.all([c, d, other])).toEqual(['c', 'd', 'x']);
  const next = start('one', 'e');
  await Promise.resolve();
  end('e');
  expect(await next).toBe('e');
});

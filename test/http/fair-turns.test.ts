import { expect, test } from 'vitest';
import { fairTurns } from '../../src/http/fair-turns.ts';

test('an owner with many requests begins a few, then those of others begin', async () => {
  const inTurn = fairTurns(2);
  const begun: string[] = [];
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1']) inTurn(name[0]!, () => begun.push(name));
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1']);
  await expect.poll(() => begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4', 'a5']);
});

test('the requests of two owners that both wait alternate', async () => {
  const inTurn = fairTurns(1);
  const begun: string[] = [];
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']) inTurn(name[0]!, () => begun.push(name));
  await expect.poll(() => begun).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
});

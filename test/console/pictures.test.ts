import { expect, test } from 'vitest';
import { BalancesOverTime } from '../../src/console/pictures/balances-over-time.tsx';

test('a balance without a change on the page is a line up to now, too', () => {
  const now = new Map([['taylor-robbins', 5]]);
  const drawn = (changes: { at: number; user: string; amount: number; what: 'deposit' }[]) =>
    /<path d="([^"]*)"/.exec(String(BalancesOverTime({ symbol: 'XRP', changes, now, until: 1_000 })))?.[1];
  const end = /H1000$/;
  expect(drawn([{ at: 0, user: 'taylor-robbins', amount: 5, what: 'deposit' }])).toMatch(end);
  expect(drawn([])).toMatch(end);
});

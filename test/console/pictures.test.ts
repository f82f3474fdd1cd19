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

test.each([
  [0.05, '0.05'],
  [20_000, '20K'],
  [100_000_000_000, '100B'],
  [9e39, '1e40'],
])('a balance of %d has a figure at its axis that a phone has room for', (balance, figure) => {
  const picture = String(BalancesOverTime({ symbol: 'XRP', changes: [], now: new Map([['a', balance]]), until: 1 }));
  expect([...picture.matchAll(/class="tick end">([^<]*)</g)].map(([, text]) => text)).toContain(figure);
});

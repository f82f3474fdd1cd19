import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  accountOf,
  payment,
  type TestLedger,
  testLedger,
  XRP,
} from '../../support/xrpl-ledger/test-ledger.ts';

const alice = accountOf('alice');
const bob = accountOf('bob');
let ledger: TestLedger;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  ledger = await testLedger({ closeIntervalMs: 1_000, endowed: new Map([[alice.address, 100n * XRP]]) });
});
afterEach(async () => {
  await ledger.close();
  vi.useRealTimers();
});

const index = async () => Number((await ledger.rpc('ledger_closed')).ledger_index);
async function closedIn(seconds: number): Promise<number> {
  const before = await index();
  vi.advanceTimersByTime(seconds * 1_000);
  return (await index()) - before;
}
const pay = () => ledger.submit(payment(alice, bob, 10n * XRP), alice);

test('after 30 ledgers without submissions every fifth interval closes', async () => {
  expect(await closedIn(30)).toBe(30);
  expect(await closedIn(60)).toBe(12);
});

test('a submission brings back the interval, whatever its result', async () => {
  await closedIn(93);
  await pay();
  expect(await closedIn(1)).toBe(1);
  expect(await ledger.balance(bob.address)).toBe(10n * XRP);
  expect(await closedIn(29)).toBe(29);
  expect(await closedIn(50)).toBe(10);

  ledger.knobs.dropNext();
  await pay();
  expect(await closedIn(30)).toBe(30);
});

test('a transaction that waits is taken into the next interval', async () => {
  await closedIn(30);
  ledger.knobs.delayNext(40);
  await pay();
  expect(await closedIn(30)).toBe(30);
  expect(await closedIn(50)).toBe(10);
  expect(await closedIn(1)).toBe(1);
  expect(await ledger.balance(bob.address)).toBe(10n * XRP);
});

test('hold stops the quiet closes, too', async () => {
  await closedIn(40);
  ledger.knobs.hold(true);
  expect(await closedIn(60)).toBe(0);
  ledger.knobs.hold(false);
  expect(await closedIn(5)).toBe(1);
});

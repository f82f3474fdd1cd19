import { afterEach, beforeEach, expect, test } from 'vitest';
import { Engine } from '../../../src/devnet/xrpl/engine.ts';
import { type CloseTimer, closeTimer } from '../../../src/devnet/xrpl/faucet.ts';
import { controlsOf, XRPL_DEFAULTS, type XrplControls } from '../../../src/devnet/xrpl/ledger.ts';
import { parseTransaction } from '../../../src/devnet/xrpl/parse-transaction.ts';
import { openStorage } from '../../../src/devnet/xrpl/storage.ts';
import { silentLog } from '../../../src/kernel/log.ts';
import {
  accountOf,
  NETWORK_ID,
  payment,
  signed,
  TestClock,
  testLedger,
  XRP,
} from '../../support/xrpl-ledger/test-ledger.ts';

const sender = accountOf('sender');
const receiver = accountOf('receiver').address;
let engine: Engine;
let timer: CloseTimer;
let controls: XrplControls;
beforeEach(() => {
  engine = new Engine(openStorage(':memory:'), {
    networkId: NETWORK_ID,
    fees: XRPL_DEFAULTS.fees,
    clock: new TestClock(),
    endowed: new Map([[sender.address, 100n * XRP]]),
  });
  timer = closeTimer(engine, 0, silentLog);
  controls = controlsOf(engine, timer.hold);
});
afterEach(() => engine.storage.close());

function closedIn(intervals: number): number {
  const before = engine.closed.index;
  for (let i = 0; i < intervals; i++) timer.tick();
  return engine.closed.index - before;
}
const pay = () => {
  const Sequence = engine.open.view.account(sender.address)!.Sequence;
  const json = payment(sender, accountOf('receiver'), 10n * XRP, { Fee: '10', Sequence, NetworkID: NETWORK_ID });
  return engine.submit(parseTransaction(signed(json, sender))).result;
};
const received = () => engine.open.view.account(receiver)?.Balance;

test('after 30 ledgers without submissions every fifth interval closes', () => {
  expect(closedIn(30)).toBe(30);
  expect(closedIn(60)).toBe(12);
});

test('a submission brings back the interval, also when it is lost', () => {
  closedIn(93);
  expect(pay()).toBe('tesSUCCESS');
  expect(closedIn(1)).toBe(1);
  expect(received()).toBe(String(10n * XRP));
  expect(closedIn(29)).toBe(29);
  expect(closedIn(50)).toBe(10);

  controls.dropNext();
  expect(pay()).toBe('tesSUCCESS');
  expect(closedIn(30)).toBe(30);
});

test('a transaction that waits is taken into the next interval', () => {
  closedIn(30);
  controls.delayNext(40);
  pay();
  expect(closedIn(30)).toBe(30);
  expect(closedIn(50)).toBe(10);
  expect(closedIn(1)).toBe(1);
  expect(received()).toBe(String(10n * XRP));
});

test('hold stops the quiet closes, too', () => {
  closedIn(40);
  controls.hold(true);
  expect(closedIn(60)).toBe(0);
  controls.hold(false);
  expect(closedIn(5)).toBe(1);
});

test('a ledger that starts over is not quiet', () => {
  closedIn(40);
  controls.startOver();
  expect(closedIn(30)).toBe(30);
});

/** A timer is early by a millisecond at most, so this bound holds on every machine. */
test('a running ledger that is quiet closes at most once in five intervals', async () => {
  const running = await testLedger({ closeIntervalMs: 5 });
  const index = async () => Number((await running.rpc('ledger_closed')).ledger_index);
  try {
    await expect.poll(index, { timeout: 10_000 }).toBeGreaterThan(32);
    const [began, before] = [performance.now(), await index()];
    await expect.poll(index, { timeout: 10_000 }).toBeGreaterThan(before + 3);
    const closed = (await index()) - before;
    expect((performance.now() + 1 - began) / 5).toBeGreaterThan((closed - 1) * 5);
  } finally {
    await running.close();
  }
});

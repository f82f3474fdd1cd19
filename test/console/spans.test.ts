import { expect, test } from 'vitest';
import type { Entry } from '../../src/console/verification/timeline-entry.tsx';
import { compressed, spansOf, WAITS, Waterfall } from '../../src/console/verification/waterfall.tsx';
import { verificationMachine } from '../../src/enclave/verification/machine.ts';
import { depositMachine } from '../../src/robot/deposit/machine.ts';
import { expectationMachine } from '../../src/robot/expectation/machine.ts';
import { transferMachine } from '../../src/robot/transfer/machine.ts';

const at = (ms: number) => new Date(1_700_000_000_000 + ms).toISOString();
const entry = (ms: number, what: string, event: string, more: Partial<Entry> = {}): Entry => ({
  at: at(ms),
  what,
  event,
  from: null,
  to: null,
  cause: '',
  lane: 'enclave',
  between: null,
  ...more,
});
const call = (ms: number, event: string, operation: string, durationMs: number, status = 200): Entry =>
  entry(ms, 'http', event, { detail: { operation, durationMs, status } });
const timer = (ms: number, event: string, kind: string): Entry =>
  entry(ms, 'timer', event, { cause: 'why', detail: { kind } });
const NOW = 1_700_000_600_000;
const shown = (timeline: Entry[]) =>
  spansOf(timeline, NOW).map(({ kind, from, to }) => [kind, from - 1_700_000_000_000, to - 1_700_000_000_000]);

test('calls take as long as they took, and one that failed is marked', () => {
  const timeline = [call(0, 'was-called', 'verify-user', 5), call(10, 'called', 'callback', 40, 503)];
  expect(shown(timeline)).toEqual([
    ['sandbox-answers', 0, 5],
    ['vasp-answers', 10, 50],
  ]);
  expect(spansOf(timeline, NOW).map(({ call: position, hasFailed }) => [position, hasFailed])).toEqual([
    [0, false],
    [1, true],
  ]);
});

test('a new connection is a bar of its own, and the only one where it was never made', () => {
  const connected = (ms: number, connectMs: number, status: number | null) =>
    entry(ms, 'http', 'called', { detail: { operation: 'callback', durationMs: 40, connectMs, status } });
  const timeline = [connected(0, 30, 503), connected(100, 40, null), connected(200, 0, 200)];
  expect(shown(timeline)).toEqual([
    ['connection', 0, 30],
    ['vasp-answers', 30, 40],
    ['connection', 100, 140],
    ['vasp-answers', 200, 240],
  ]);
  expect(spansOf(timeline, NOW).map(({ hasFailed }) => hasFailed)).toEqual([false, true, true, false]);
});

test('the pause before the next attempt begins when the failed one has ended', () => {
  const DELIVER = 'enclave.callback.deliver';
  const timeline = [
    call(10, 'called', 'callback', 40, 503),
    timer(10, 'scheduled', DELIVER),
    timer(1_060, 'fired', DELIVER),
    call(1_060, 'called', 'callback', 5),
  ];
  expect(shown(timeline)).toContainEqual(['retry', 50, 1_060]);
  timeline.splice(2, 0, call(600, 'was-called', 'get-verification', 5));
  expect(shown(timeline)).toContainEqual(['retry', 50, 1_060]);
});

test('a timer that was canceled is no bar; a wait that still runs has one until now', () => {
  const timeline = [
    timer(0, 'scheduled', 'enclave.verification.time-out'),
    timer(5, 'canceled', 'enclave.verification.time-out'),
    entry(6, 'expectation', 'begin'),
  ];
  expect(shown(timeline)).toEqual([['payment', 6, 600_000]]);
});

test('a payment: its turn, then the block that holds it, then its finality', () => {
  const timeline = [
    entry(0, 'transfer', 'begin'),
    entry(7, 'transfer', 'broadcast'),
    entry(4_000, 'transfer', 'mined'),
    entry(4_100, 'transfer', 'final'),
  ];
  expect(shown(timeline)).toEqual([
    ['queue', 0, 7],
    ['block', 7, 4_000],
    ['block', 4_000, 4_100],
  ]);
});

test('a call of 5 ms can be seen beside ten minutes; the order of time is kept', () => {
  const spans = spansOf(
    [call(0, 'was-called', 'verify-user', 5), entry(5, 'deposit', 'begin'), entry(600_000, 'deposit', 'final')],
    NOW,
  );
  const placeOf = compressed(spans);
  const places = spans.flatMap(({ from, to }) => [placeOf(from), placeOf(to)]);
  expect(places[0]).toBe(0);
  expect(places.at(-1)).toBe(100);
  expect(places[1]).toBeGreaterThan(5);
  expect([...places].sort((a, b) => a - b)).toEqual(places);
});

test('events at one moment have a place', () => {
  const placeOf = compressed(spansOf([call(3, 'was-called', 'get-self', 0)], NOW));
  expect(placeOf(1_700_000_000_003)).toBe(0);
});

test('every event that a wait names is one of its machine', () => {
  const machines = {
    verification: verificationMachine,
    expectation: expectationMachine,
    deposit: depositMachine,
    transfer: transferMachine,
  };
  const known = Object.entries(machines).flatMap(([name, { arrows }]) => [
    `${name}.begin`,
    ...Object.values(arrows).flatMap(each => Object.keys(each).map(event => `${name}.${event}`)),
  ]);
  for (const { begins, ends } of WAITS) for (const name of [begins, ...ends]) expect(known).toContain(name);
});

test('no payment is awaited for a verification that ended otherwise than VERIFIED', () => {
  expect(shown([entry(0, 'expectation', 'begin'), entry(0, 'verification', 'failed')])).toEqual([]);
});

test('a wait ends when the payment is not awaited any more, and begins again after a reorganisation', () => {
  expect(shown([entry(0, 'expectation', 'begin'), entry(9, 'expectation', 'error-reported')])).toEqual([
    ['payment', 0, 9],
  ]);
  expect(shown([entry(0, 'transfer', 'begin'), entry(9, 'transfer', 'cancel')])).toEqual([['queue', 0, 9]]);
  expect(
    shown([
      entry(0, 'transfer', 'broadcast'),
      entry(4, 'transfer', 'mined'),
      entry(6, 'transfer', 'reorged'),
      entry(9, 'transfer', 'mined'),
    ]),
  ).toEqual([
    ['block', 0, 4],
    ['block', 4, 6],
    ['block', 6, 9],
    ['block', 9, 600_000],
  ]);
});

test('a wait that still runs has a bar until now; one that took no time has none', () => {
  const waiting = [entry(0, 'expectation', 'begin')];
  expect(spansOf(waiting, NOW)).toMatchObject([{ kind: 'payment', to: NOW, isRunning: true }]);
  const paid = [...waiting, entry(50, 'deposit', 'begin'), entry(50, 'deposit', 'final')];
  expect(shown(paid)).toEqual([['payment', 0, 50]]);
  expect(shown([...waiting, entry(70, 'expectation', 'stopped-otherwise')])).toEqual([]);
});

const html = (timeline: Entry[]) => String(Waterfall({ timeline }));

test('what repeats itself stands once, with its number, as in the diagram', () => {
  const inquiries = Array.from({ length: 20 }, (_, n) => call(n * 1000, 'was-called', 'inquire-transaction', 5));
  const page = html([call(0, 'was-called', 'verify-user', 5), ...inquiries]);
  expect(page.match(/<li>/g)).toHaveLength(2);
  expect(page).toContain('× 20');
});

test('a callback has the status that counted, not the one of the answer', () => {
  const error = 'fault: the answer counts as 503';
  const sent = entry(0, 'http', 'called', { detail: { operation: 'callback', durationMs: 5, status: 200, error } });
  const judged = entry(5, 'callback', 'attempt-failed', { detail: { attempt: 1, status: 503 } });
  const page = html([sent, judged]);
  expect(page).toContain('<span class="badge bad">503</span>');
  expect(page).not.toContain('200');
});

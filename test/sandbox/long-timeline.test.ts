import { expect, test } from 'vitest';
import { CALLS } from '../../src/contract/calls.ts';
import { toVasp, verifiedBy } from '../support/world/chainless-world.ts';
import { chainlessForFile } from '../support/world/for-file.ts';

const MAX_REPORTS = 50;
const hash = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;

const world = await chainlessForFile();
const other = await world.register('7001');
const uuid = await verifiedBy(world, toVasp(world, other.vaspId));
for (let n = 0; n < MAX_REPORTS; n++) await world.api.reportTransaction(uuid, hash(n));
for (let n = 0; n < 110; n++) await world.api.reportTransaction(uuid, hash(MAX_REPORTS - 1));

/** All pages, the oldest entry first. */
async function pages(limit: number) {
  const found: Awaited<ReturnType<typeof world.api.timeline>>[] = [];
  let before: string | null | undefined;
  while (before !== null) {
    const page = await world.api.timeline(uuid, { limit, ...(before === undefined ? {} : { before }) });
    found.unshift(page);
    before = page.next;
  }
  return found;
}

test('D-14: the fifty-first transaction of a verification is refused, and a repeated report is not', async () => {
  const [method, path] = CALLS.reportTransaction.split(' ') as [string, string];
  const report = (txHash: string) => world.api.call(method, path, { verificationUuid: uuid, txHash });
  expect(await report(hash(99))).toMatchObject({ status: 429, body: { code: 'TOO-MANY-REPORTS' } });
  expect(await report(hash(MAX_REPORTS - 1))).toMatchObject({ status: 200 });
  expect((await world.api.verification(uuid)).txHash).toBe(hash(MAX_REPORTS - 1));
});

test.each([7, 200])('pages of %i entries hold each entry of the timeline once, in order', async limit => {
  const found = await pages(limit);
  for (const { timeline } of found) expect(timeline.length).toBeLessThanOrEqual(limit);
  for (const { timeline } of found.slice(1)) expect(timeline).toHaveLength(limit);
  const entries = found.flatMap(({ timeline }) => timeline);
  const reported = entries.filter(({ event }) => event === 'transaction-reported');
  expect(reported.map(({ cause }) => cause.split(' ')[4])).toEqual(
    Array.from({ length: MAX_REPORTS }, (_, n) => hash(n)),
  );
  const calls = entries.flatMap(({ what, detail }) => (what === 'http' ? [detail!.exchangeId] : []));
  expect(new Set(calls).size).toBe(calls.length);
  expect(calls.length).toBeGreaterThan(MAX_REPORTS);
});

test('without a position a page ends with the newest entry', async () => {
  const { timeline, next } = await world.api.timeline(uuid, { limit: 20 });
  const all = (await pages(200)).flatMap(page => page.timeline);
  expect(timeline).toEqual(all.slice(-20));
  expect(next).not.toBeNull();
});

test('why says the result without a time when the entry of the result is on an earlier page', async () => {
  const [, last] = await pages(200);
  expect(last!.timeline.some(({ from, to }) => from === 'OPEN' && to === 'VERIFIED')).toBe(false);
  expect((await world.api.why(uuid)).facts[0]).toBe('The result is VERIFIED.');
});

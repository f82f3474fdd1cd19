import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { EventData } from '../../src/sandbox/events/schema.ts';
import { readEvents, type SeenEvent, summaryOf } from '../support/http/event-reader.ts';
import { movingClock, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { paid, verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { registerVasp } from '../support/vasp/other-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld({ clock: movingClock }));
const other = await registerVasp(world, '7001');
afterAll(() => other.vasp.close());

const uuidOf = ({ data }: SeenEvent) => ('verificationUuid' in data ? data.verificationUuid : undefined);
const isCredited = (uuid: string) => (event: SeenEvent) =>
  uuidOf(event) === uuid && event.event === 'expectation' && summaryOf(event).includes('CREDITED');
const isFinal = (uuid: string) => (event: SeenEvent) =>
  uuidOf(event) === uuid && event.event === 'transfer' && summaryOf(event).includes('CONFIRMED');

/** The whole withdrawal test. */
async function withdraw(): Promise<string> {
  const verification = await verified(world);
  await world.api.reportTransaction(verification.uuid, await paid(world, verification));
  return verification.uuid;
}

describe('GET /sandbox/v1/events', () => {
  test('tells a withdrawal and a deposit test as the timeline has them, in order', async () => {
    const reader = readEvents(world.api, { after: '0' });
    const withdrawn = await withdraw();
    await reader.hears(isCredited(withdrawn));
    await received(world, { amount: '3' });
    const { uuid: deposited } = await verifiedForRobot(world, { amount: '0.5' });
    await world.api.robotWithdraw(deposited);
    await reaches(world, deposited, 'CONFIRMED');
    await reader.hears(isFinal(deposited));
    await reader.cut();
    for (const { data } of reader.heard) expect(EventData.parse(data)).toEqual(data);
    for (const uuid of [withdrawn, deposited]) {
      // Of a deposit it is known only afterwards whose it is.
      const isFirstOfDeposit = ({ event, what }: { event: string; what: string }) =>
        what === 'deposit' && event !== 'credited';
      const told = reader.heard
        .filter(event => uuidOf(event) === uuid && event.event !== 'http')
        .filter(({ data }) => !('what' in data && isFirstOfDeposit(data)))
        .map(summaryOf);
      const { timeline } = await world.api.timeline(uuid);
      const stored = timeline
        .filter(entry => entry.what !== 'http' && !isFirstOfDeposit(entry))
        .map(({ what, event, from, to, cause }) => `${what} ${event} ${from} ${to} ${cause}`);
      expect(told.length).toBeGreaterThan(7);
      expect(told).toEqual(stored.slice(0, told.length));
    }
    expect(reader.heard.map(({ event }) => event)).toContain('http');
  }, 60_000);

  test('exchanges come without their bodies', async () => {
    const reader = readEvents(world.api, { kind: 'http' });
    const uuid = await withdraw();
    await reader.hears(event => uuidOf(event) === uuid && summaryOf(event).includes('report-transaction'));
    await reader.cut();
    expect(JSON.stringify(reader.heard)).not.toMatch(/Robbins|ivms101/);
    expect(new Set(reader.heard.map(({ event }) => event))).toEqual(new Set(['http']));
  });

  test('after a cut nothing that is stored is lost, and nothing comes twice', async () => {
    const kind = 'verification,judge,callback,expectation,transfer,timer,http';
    const [first, whole] = [readEvents(world.api, { kind }), readEvents(world.api, { kind })];
    const one = await withdraw();
    await first.hears(isCredited(one));
    const position = await first.cut();
    const two = await withdraw();
    const second = readEvents(world.api, { kind }, position);
    const three = await withdraw();
    for (const uuid of [one, two, three]) await whole.hears(isCredited(uuid));
    await second.hears(isCredited(three));
    await whole.hears(event => event.id === second.heard.at(-1)!.id);
    await Promise.all([second.cut(), whole.cut()]);
    const [resumed, all] = [[...first.heard, ...second.heard], whole.heard.map(summaryOf)];
    expect(new Set(resumed.map(({ id }) => id)).size).toBe(resumed.length);
    const lines = (told: readonly SeenEvent[]) =>
      told.filter(({ event }) => event !== 'http').map(event => `${uuidOf(event)} ${summaryOf(event)}`);
    const upTo = lines(whole.heard).slice(0, lines(resumed).length);
    expect(lines(resumed)).toEqual(upTo);
    expect(all.length).toBeGreaterThan(30);
  });

  test('a position of another database is behind everything: all is told', async () => {
    const reader = readEvents(world.api, { kind: 'verification' }, '999999999.999999999');
    await reader.hears(event => summaryOf(event).includes('user verification requested'));
    const id = await reader.cut();
    expect(id).toMatch(/^\d+\.\d+$/);
  });

  test('only of one verification, and only some kinds', async () => {
    const reader = readEvents(world.api);
    const [mine, others] = [await withdraw(), await withdraw()];
    await reader.hears(isCredited(others));
    await reader.cut();
    const one = readEvents(world.api, { verificationUuid: mine, after: '0', kind: 'expectation,judge' });
    await one.hears(isCredited(mine));
    await one.cut();
    expect(one.heard.map(({ event }) => event)).toEqual(['judge', 'expectation', 'expectation']);
    expect(new Set(one.heard.map(uuidOf))).toEqual(new Set([mine]));
  });

  test('says when the time was moved and what the chains have reached', async () => {
    const reader = readEvents(world.api, { kind: 'clock,head' });
    await reader.hears(({ event }) => event === 'head');
    await world.advance('1m');
    // The machine's time goes on while the advance is under way: by so much less is it ahead afterwards.
    const { aheadMs } = await world.api.clock();
    expect(aheadMs).toBeGreaterThan(59_000);
    await reader.hears(({ data }) => 'aheadMs' in data && data.aheadMs === aheadMs);
    await reader.cut();
  });

  test('PROD-4: says which faults are active, only to their own VASP', async () => {
    const query = { kind: 'faults', after: '0' };
    const [reader, others] = [readEvents(world.api, query), readEvents(other.api, query)];
    const isNow = (active: string[]) => until(() => isDeepStrictEqual(reader.heard.at(-1)?.data, { active }));
    await isNow([]);
    const { id } = await world.api.addFault({ target: 'robot.verifyUser', mode: 'drop', times: 1 });
    await isNow([id]);
    await world.api.verifyUser(verificationOf(world));
    await isNow([]);
    await Promise.all([reader.cut(), others.cut()]);
    expect(others.heard.map(({ data }) => data)).toEqual([{ active: [] }]);
  });

  test('another VASP hears nothing of it', async () => {
    const reader = readEvents(other.api, { after: '0' });
    const mine = readEvents(world.api);
    const uuid = await withdraw();
    await mine.hears(isCredited(uuid));
    await other.api.verifyUser(verificationOf(world));
    await reader.hears(event => event.event === 'callback');
    await Promise.all([reader.cut(), mine.cut()]);
    const { verifications } = await other.api.verifications();
    const own = new Set(verifications.map(({ verificationUuid }) => verificationUuid));
    const told = reader.heard.map(uuidOf).filter(each => each !== undefined && each !== null);
    expect(told.length).toBeGreaterThan(3);
    expect(told.filter(each => !own.has(each))).toEqual([]);
  });

  test('a reset is told, only to its own VASP', async () => {
    const query = { kind: 'reset', after: '0' };
    const [reader, mine] = [readEvents(other.api, query), readEvents(world.api, query)];
    await other.api.reset();
    await reader.hears(({ event }) => event === 'reset');
    expect(reader.heard).toMatchObject([{ data: { what: 'reset', verificationUuid: null } }]);
    await other.api.reset();
    await until(() => reader.heard.length === 2);
    expect(mine.heard).toEqual([]);
    await Promise.all([reader.cut(), mine.cut()]);
  });

  test.each([
    ['?kind=verification,weather', 400, 'kind'],
    ['?after=yesterday', 400, 'after'],
    ['?verificationUuid=', 400, 'verificationUuid'],
    ['?verificationUuid=8557f2b2-985e-431f-8d52-75c2e5a01e46', 404, 'VERIFICATION-NOT-FOUND'],
  ])('%s is %i', async (query, status, text) => {
    const answer = await world.api.call('GET', `/sandbox/v1/events${query}`);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).toContain(text);
  });

  test('a bad Last-Event-ID is 400; a wrong key 401; another method 405', async () => {
    const url = `${world.url}/sandbox/v1/events`;
    const status = async (init: RequestInit) => (await fetch(url, init)).status;
    expect(await status({ headers: { 'last-event-id': 'x' } })).toBe(400);
    expect(await status({ headers: { authorization: 'Bearer nobody' } })).toBe(401);
    expect(await status({ method: 'POST' })).toBe(405);
  });

  test('readers that hang up leave nothing behind', async () => {
    const timeouts = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
    const before = timeouts();
    const readers = Array.from({ length: 40 }, () => readEvents(world.api, { after: '0', kind: 'judge' }));
    for (const reader of readers) await reader.hears(() => true);
    for (const reader of readers) await reader.cut();
    await until(() => timeouts() < before + 20);
  });

  test('the program stops while streams are open, and ends them', async () => {
    const stopped = await createWorld();
    const readers = Array.from({ length: 3 }, () => readEvents(stopped.api, { after: '0' }));
    await verified(stopped);
    for (const reader of readers) await reader.hears(({ event }) => event === 'judge');
    await stopped.close();
    for (const reader of readers) await reader.ended;
  });
});

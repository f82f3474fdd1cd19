import { expect, test } from 'vitest';
import { type RegisteredVasp, toRobot, verifiedBy } from '../support/world/chainless-world.ts';
import { chainlessForFile } from '../support/world/for-file.ts';

/** A VASP may send long data, answer at length, and replay for ever. */

const MAX_BYTES = 4_000_000;

const world = await chainlessForFile();
const long = await world.register('7003');

const HALF_OF_A_PAGE = 240_000;
type CallbacksPage = Awaited<ReturnType<RegisteredVasp['api']['callbacks']>>;
const longRequest = () => {
  const request = toRobot(world, 'ethan-cook');
  const [person] = request.payload.ivms101.originator.originatorPersons;
  Object.assign(person!.naturalPerson!, { note: 'x'.repeat(HALF_OF_A_PAGE) });
  return request;
};

test('D-04: a list of long callbacks ends at about 512 KiB of bodies and goes on, each once', async () => {
  const uuids: string[] = [];
  for (let n = 0; n < 6; n++) uuids.push(await verifiedBy(long, longRequest()));
  await long.api.advance('0s');
  const found: string[] = [];
  for (let after: string | null = '0'; after !== null; ) {
    const page: CallbacksPage = await long.api.callbacks({ limit: 999, after });
    expect(JSON.stringify(page).length).toBeLessThan(MAX_BYTES);
    expect(page.callbacks.length).toBeLessThan(uuids.length);
    found.push(...page.callbacks.map(({ verificationUuid }) => verificationUuid));
    after = page.next;
  }
  expect(found).toEqual(uuids);
  const inMailbox: string[] = [];
  for (let after = '0'; inMailbox.length < uuids.length; ) {
    const { callbacks, next } = await long.api.mailbox({ after });
    expect(JSON.stringify(callbacks).length).toBeLessThan(MAX_BYTES);
    inMailbox.push(...callbacks.map(({ data }) => String(data.verificationUuid)));
    after = next;
  }
  expect(inMailbox).toEqual(uuids);
});

test('D-13: of a callback that is replayed for ever, the first attempt and the newest 50 are kept', async () => {
  const uuid = await verifiedBy(long, toRobot(world));
  await long.api.advance('0s');
  long.vasp.script('callback', uuid, { status: 200, body: 'y'.repeat(60_000) });
  const read = async () => (await long.api.callbacks({ verificationUuid: uuid })).callbacks[0]!;
  const { id, attempts: before } = await read();
  for (let n = 0; n < 60; n++) {
    await long.api.replay(id);
    await long.api.advance('0s');
  }
  const { attempts } = await read();
  expect(attempts).toHaveLength(51);
  expect(attempts[0]).toEqual(before[0]);
  expect(new Set(attempts.map(({ request }) => request)).size).toBe(1);
  expect(Math.max(...attempts.map(({ answer }) => answer!.length))).toBeLessThan(2_100);
  expect(long.vasp.callbacks(uuid)).toHaveLength(61);

  await long.api.addFault({ target: 'callback', mode: 'status', status: 503, times: 1 });
  await long.api.replay(id);
  await long.api.advance('10s');
  expect((await read()).attempts.slice(-2).map(({ status }) => status)).toEqual([503, 200]);
});

test('D-13: the attempts of one very long callback are shown up to about 512 KiB, the newest of them', async () => {
  const uuid = await verifiedBy(long, longRequest());
  await long.api.advance('0s');
  const read = async () => (await long.api.callbacks({ verificationUuid: uuid })).callbacks[0]!;
  const { id } = await read();
  for (let n = 0; n < 12; n++) {
    await long.api.replay(id);
    await long.api.advance('0s');
  }
  const shown = await read();
  expect(JSON.stringify(shown).length).toBeLessThan(MAX_BYTES);
  expect(shown.attempts.length).toBeGreaterThan(0);
  expect(shown.attempts.length).toBeLessThan(13);
  expect(long.vasp.callbacks(uuid)).toHaveLength(13);
});

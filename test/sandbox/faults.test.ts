import { afterEach, describe, expect, test } from 'vitest';
import type { Order } from '../../src/client/calls.ts';
import { FAULT_MODES, FAULT_TARGET_NAMES, type FaultMode, modesOf } from '../../src/fault-injection/port.ts';
import { FaultEntry, FaultsResponse } from '../../src/sandbox/faults.ts';
import { type RegisteredVasp, toRobot, toVasp, verifiedBy } from '../support/world/chainless-world.ts';
import { chainlessForFile } from '../support/world/for-file.ts';

const world = await chainlessForFile();
const other = await world.register('7001');
afterEach(async () => {
  await world.api.removeFaults();
  await other.api.removeFaults();
});

const PARAMETERS: Partial<Record<FaultMode, object>> = { delay: { delay: '5s' }, status: { status: 503 } };
const put = (body: object) => world.api.call<{ code: string; message: string }>('PUT', '/sandbox/v1/faults', body);

describe('PROD-4: PUT, GET and DELETE /faults', () => {
  test('off by default', async () => {
    expect((await world.api.faults()).faults).toEqual([]);
  });

  test('a fault is listed while it is active, with exactly its fields', async () => {
    const order = { target: 'callback', mode: 'status', status: 503, times: 2 } as const;
    const added = await world.api.addFault(order);
    expect(FaultEntry.parse(added)).toEqual(added);
    expect(added).toEqual({
      id: expect.stringMatching(/^\d+$/),
      target: 'callback',
      verificationUuid: null,
      mode: 'status',
      times: 2,
      used: 0,
      left: 2,
      parameters: { status: 503 },
      createdAt: '2026-07-15T10:00:00.000Z',
      meaning: expect.stringContaining('you see it twice'),
    });
    const listed = await world.api.faults();
    expect(FaultsResponse.parse(listed)).toEqual(listed);
    expect(listed.faults).toEqual([added]);
  });

  test('GET says everything that can be ordered; all of it can, and is listed; nothing else can', async () => {
    const { targets } = await world.api.faults();
    expect(targets.map(({ target }) => target)).toEqual(FAULT_TARGET_NAMES);
    for (const { target, modes } of targets)
      for (const mode of FAULT_MODES) {
        const possible = modes.find(each => each.mode === mode);
        const order = { target, mode, ...PARAMETERS[mode] } as Order<'addFault'>;
        if (!possible) {
          const { status, body } = await put(order);
          expect([status, body.code], `${target} ${mode}`).toEqual([400, 'BAD-REQUEST']);
          expect(body.message).toMatch(new RegExp(`^\`mode\` is not possible at ${target}. Possible are \`delay\``));
          continue;
        }
        const { id, meaning } = await world.api.addFault(order);
        expect(meaning).toBe(possible.meaning);
        expect((await world.api.faults()).faults.map(each => each.id)).toEqual([id]);
        expect(await world.api.removeFault(id)).toEqual({ removed: 1 });
      }
  });

  test('the same target, verification and mode again replaces it, and counts anew', async () => {
    await world.api.addFault({ target: 'answer.get-self', mode: 'status', status: 500, times: 5 });
    await world.api.addFault({ target: 'answer.get-self', mode: 'drop' });
    await expect(world.api.self()).rejects.toMatchObject({ status: 500 });
    await world.api.addFault({ target: 'answer.get-self', mode: 'status', status: 501 });
    const { faults } = await world.api.faults();
    expect(faults.map(({ mode, used, left }) => [mode, used, left])).toEqual([
      ['drop', 0, null],
      ['status', 0, null],
    ]);
  });

  test('one that is spent is no longer listed, and cannot be removed', async () => {
    const { id } = await world.api.addFault({ target: 'answer.get-self', mode: 'status', status: 500, times: 1 });
    await expect(world.api.self()).rejects.toMatchObject({ status: 500, code: 'SIMULATED-FAULT' });
    expect((await world.api.faults()).faults).toEqual([]);
    await expect(world.api.removeFault(id)).rejects.toMatchObject({ status: 404, code: 'NOT-FOUND' });
    expect(await world.api.self()).toEqual({ vaspId: world.vaspId });
  });

  test('DELETE removes all, or one; an unknown one is 404', async () => {
    for (const target of ['answer', 'callback', 'robot.verifyUser'] as const)
      await world.api.addFault({ target, mode: 'drop' });
    const [first] = (await world.api.faults()).faults;
    expect(await world.api.removeFault(first!.id)).toEqual({ removed: 1 });
    for (const id of [first!.id, '0', '-1', 'x', '1e3', '9'.repeat(30)])
      await expect(world.api.removeFault(id), id).rejects.toMatchObject({ status: 404, code: 'NOT-FOUND' });
    expect(await world.api.removeFaults()).toEqual({ removed: 2 });
    expect(await world.api.removeFaults()).toEqual({ removed: 0 });
  });
});

describe('what makes no sense is refused, and says what does', () => {
  const BAD: [what: string, body: object, code: string, message: RegExp][] = [
    ['an unknown target', { target: 'robot', mode: 'drop' }, 'BAD-REQUEST', /^`target` should be one of `answer`/],
    ['the sandbox', { target: 'answer.sandbox', mode: 'drop' }, 'BAD-REQUEST', /^`target`/],
    ['an unknown mode', { target: 'answer', mode: 'DROP' }, 'BAD-REQUEST', /^`mode` should be one of `delay`/],
    ['no delay', { target: 'answer', mode: 'delay' }, 'MISSING-DELAY', /^`delay` is required\.$/],
    ['a delay of nothing', { target: 'answer', mode: 'delay', delay: '0s' }, 'BAD-REQUEST', /from 1ms to 1m here/],
    ['a real delay of an hour', { target: 'answer', mode: 'delay', delay: '1h' }, 'BAD-REQUEST', /to 1m here/],
    ['a delay that is none', { target: 'callback', mode: 'delay', delay: 'x' }, 'BAD-REQUEST', /duration such as/],
    ['a status of success', { target: 'answer', mode: 'status', status: 200 }, 'BAD-REQUEST', /at least 400/],
    ['half a status', { target: 'answer', mode: 'status', status: 500.5 }, 'BAD-REQUEST', /`status` should be a whole/],
    [
      'a status for a drop',
      { target: 'answer', mode: 'drop', status: 500 },
      'BAD-REQUEST',
      /`status` is not possible with answer and drop: there are no parameters/,
    ],
    [
      'a code for a callback',
      { target: 'callback', mode: 'status', status: 500, code: 'X' },
      'BAD-REQUEST',
      /the parameters are `status`/,
    ],
    ['no times', { target: 'answer', mode: 'drop', times: 0 }, 'BAD-REQUEST', /`times` should be at least 1/],
    ['too many times', { target: 'answer', mode: 'drop', times: 1e7 }, 'BAD-REQUEST', /`times` should be at most/],
  ];
  test.each(BAD)('%s', async (_, body, code, message) => {
    const answer = await put(body);
    expect(answer).toMatchObject({ status: 400, body: { code, message: expect.stringMatching(message) } });
    expect((await world.api.faults()).faults).toEqual([]);
  });

  test('a verification where there is none yet', async () => {
    const verificationUuid = await verifiedBy(world, toRobot(world));
    for (const target of ['answer.get-self', 'answer.verify-user', 'robot.verifyAccount'])
      expect(await put({ target, mode: 'drop', verificationUuid })).toMatchObject({
        status: 400,
        body: { code: 'BAD-REQUEST', message: expect.stringContaining('`verificationUuid` is not possible with') },
      });
  });

  test('a verification that is unknown, or somebody else’s', async () => {
    const theirs = await verifiedBy(other, toRobot(world));
    for (const verificationUuid of ['00000000-0000-4000-8000-000000000000', 'x', theirs])
      expect(await put({ target: 'callback', mode: 'drop', verificationUuid })).toMatchObject({
        status: 404,
        body: { code: 'VERIFICATION-NOT-FOUND' },
      });
  });

  test('more than a hundred', async () => {
    const all = FAULT_TARGET_NAMES.flatMap(target =>
      modesOf(target).map(({ mode }) => ({ target, mode, ...PARAMETERS[mode] })),
    );
    for (const order of all.slice(0, 100)) expect(await put(order)).toMatchObject({ status: 200 });
    const { status, body } = await put(all[100]!);
    expect([status, body.code]).toEqual([400, 'BAD-REQUEST']);
    expect(body.message).toBe('`target` is refused because 100 faults are active already. Remove one first.');
    expect(await put(all[0]!)).toMatchObject({ status: 200 });
  });
});

describe('two VASPs do not disturb each other', () => {
  test('a fault is seen, removed and hit only by its own VASP', async () => {
    const { id } = await world.api.addFault({ target: 'answer', mode: 'drop' });
    expect((await other.api.faults()).faults).toEqual([]);
    await expect(other.api.removeFault(id)).rejects.toMatchObject({ status: 404 });
    expect(await other.api.removeFaults()).toEqual({ removed: 0 });
    expect(await other.api.self()).toEqual({ vaspId: '7001' });
    await expect(world.api.self()).rejects.toThrow();
    expect((await world.api.faults()).faults).toMatchObject([{ used: 1 }]);
  });

  test('in one verification: each gets its callbacks as it has ordered itself, and sees no more', async () => {
    await world.api.addFault({ target: 'callback', mode: 'duplicate' });
    await other.api.addFault({ target: 'callback', mode: 'drop', times: 1 });
    const uuid = await verifiedBy(world, toVasp(world, '7001'));
    await world.api.reportTransaction(uuid, '0xab');
    await world.api.advance('0s');
    await other.api.advance('0s');
    expect(world.vasp.callbacks(uuid).map(each => each.callbackType)).toEqual([
      'VERIFICATION_RESULT',
      'VERIFICATION_RESULT',
    ]);
    expect(other.vasp.callbacks(uuid)).toEqual([]);
    const hits = async ({ api }: RegisteredVasp) =>
      (await api.timeline(uuid)).timeline.filter(({ what }) => what === 'fault').map(({ event }) => event);
    expect([await hits(world), await hits(other)]).toEqual([['duplicate'], ['drop']]);
  });

  test('a reset removes one’s own faults, not the other’s', async () => {
    await world.api.addFault({ target: 'answer', mode: 'drop' });
    await other.api.addFault({ target: 'answer.get-self', mode: 'status', status: 500 });
    await world.api.reset();
    expect((await world.api.faults()).faults).toEqual([]);
    expect(await world.api.self()).toEqual({ vaspId: world.vaspId });
    await expect(other.api.self()).rejects.toMatchObject({ status: 500 });
  });
});

import { afterEach, describe, expect, test } from 'vitest';
import { CALLBACK_TYPES, type CallbackType } from '../../../src/contract/callbacks.ts';
import type { FaultTarget } from '../../../src/fault-injection/port.ts';
import { countsOf, hitsOn, isJson } from '../../support/http/observed-call.ts';
import { verifiedForRobot } from '../../support/requests/from-robot.ts';
import { verificationOf, verified } from '../../support/requests/from-tested-vasp.ts';
import { forFile } from '../../support/world/for-file.ts';
import { createWorld } from '../../support/world/world.ts';

const world = await forFile(createWorld());
afterEach(() => world.api.removeFaults());

const hash = (byte: string) => `0x${byte.repeat(32)}`;
/** Lets one callback of the type come about; answers its verification. Ready: what must come before it is over. */
const READY: Record<CallbackType, () => Promise<() => Promise<string>>> = {
  VERIFICATION_RESULT: async () => async () => (await world.api.verifyUser(verificationOf(world))).verificationUuid,
  async TX_REPORT() {
    const { uuid } = await verifiedForRobot(world);
    return async () => {
      await world.api.robotReport(uuid, hash('aa'));
      return uuid;
    };
  },
  async ERROR_REPORT() {
    const { uuid } = await verifiedForRobot(world);
    return async () => {
      await world.api.robotReportError(uuid, 'ERROR', 'USER-CANCELED');
      return uuid;
    };
  },
  async PROVIDER_A_KYT_RESULT() {
    const { uuid } = await verified(world);
    return async () => {
      await world.api.assessKyt({ verificationUuid: uuid });
      return uuid;
    };
  },
  async PROVIDER_B_WCO_RESULT() {
    const { uuid } = await verified(world);
    return async () => {
      await world.api.assessWco({ verificationUuid: uuid });
      return uuid;
    };
  },
};
const arrived = (uuid: string, type: CallbackType) =>
  world.vasp.callbacks(uuid).filter(({ callbackType }) => callbackType === type).length;
const attemptsOf = async (uuid: string, type: CallbackType) => {
  const { callbacks } = await world.api.callbacks({ verificationUuid: uuid });
  const { status, attempts } = callbacks.find(({ callbackType }) => callbackType === type)!;
  return [status, ...attempts.map(attempt => attempt.status)];
};

describe.each(CALLBACK_TYPES)('PROD-4: %s', type => {
  const targets: FaultTarget[] = ['callback', `callback.${type}`];

  describe.each(targets)('%s', target => {
    test.each([
      ['drop', {}, 0, ['LOST', null]],
      ['status', { status: 502 }, 2, ['DELIVERED', 502, 200]],
      ['never-answer', {}, 2, ['DELIVERED', null, 200]],
      ['duplicate', {}, 2, ['DELIVERED', 200, 200]],
      // The tested VASP cannot read the first one.
      ['malformed', {}, 1, ['DELIVERED', 400, 200]],
    ] as const)('%s %j: it arrives %i times, the attempts are %j', async (mode, more, times, attempts) => {
      const act = await READY[type]();
      await world.api.addFault({ target, mode, times: 1, ...more });
      const uuid = await act();
      await world.advance('2m');
      expect(arrived(uuid, type)).toBe(times);
      expect(await attemptsOf(uuid, type)).toEqual(attempts);
      expect(await countsOf(world)).toEqual([]);
      expect(await hitsOn(world, uuid)).toEqual([expect.stringMatching(new RegExp(`^fault \\d+, ${target}: ${mode}`))]);
      await world.advance('24h');
      expect(arrived(uuid, type)).toBe(times);
    });

    test.each(['delay', 'reorder'] as const)('%s 1h: it arrives an hour later, and not before', async mode => {
      const act = await READY[type]();
      await world.api.addFault({ target, mode, delay: '1h', times: 1 });
      const uuid = await act();
      await world.advance('1m');
      const { timers } = await world.api.timers();
      const [timer] = timers.filter(({ kind, key }) => kind === 'enclave.callback.deliver' && key.startsWith(uuid));
      expect(timer!.why).toMatch(new RegExp(`^fault \\d+, ${target}: ${mode} 1h holds ${type} back$`));
      const { now } = await world.api.clock();
      const leftMs = Date.parse(timer!.dueAt) - Date.parse(now);
      await world.advance(`${leftMs - 1}ms`);
      expect(arrived(uuid, type)).toBe(0);
      await world.advance('1ms');
      expect(arrived(uuid, type)).toBe(1);
      expect(await attemptsOf(uuid, type)).toEqual(['DELIVERED', 200]);
      expect(await countsOf(world)).toEqual([]);
    });
  });

  test('a fault for another type does not hit it', async () => {
    const other = type === 'TX_REPORT' ? 'ERROR_REPORT' : 'TX_REPORT';
    const act = await READY[type]();
    await world.api.addFault({ target: `callback.${other}`, mode: 'drop' });
    const uuid = await act();
    await world.advance('1m');
    expect(await attemptsOf(uuid, type)).toEqual(['DELIVERED', 200]);
  });
});

describe('D-13: the order of one verification', () => {
  const hashes = (uuid: string) =>
    world.vasp.callbacks(uuid).map(({ data }) => (data as { txHash?: string }).txHash?.slice(2, 4) ?? 'error');
  const reported = async (...bytes: string[]): Promise<string> => {
    const { uuid } = await verifiedForRobot(world);
    for (const byte of bytes) await world.api.robotReport(uuid, hash(byte));
    await world.idle();
    return uuid;
  };

  test('reorder: the second goes first, then the first, then the rest', async () => {
    await world.api.addFault({ target: 'callback', mode: 'reorder', times: 1 });
    const uuid = await reported('aa', 'bb', 'cc');
    expect(hashes(uuid)).toEqual(['bb', 'aa', 'cc']);
    expect(await hitsOn(world, uuid)).toHaveLength(1);
  });

  test('reorder: the first waits for the second, which comes minutes later', async () => {
    await world.api.addFault({ target: 'callback', mode: 'reorder', times: 1 });
    const uuid = await reported('aa');
    await world.advance('9m');
    expect(hashes(uuid)).toEqual([]);
    await world.api.robotReportError(uuid, 'ERROR', 'USER-CANCELED');
    await world.idle();
    expect(hashes(uuid)).toEqual(['error', 'aa']);
  });

  test('reorder without `times`: each pair is swapped', async () => {
    await world.api.addFault({ target: 'callback', mode: 'reorder' });
    const uuid = await reported('aa', 'bb', 'cc', 'dd');
    await world.advance('10m');
    expect(hashes(uuid)).toEqual(['bb', 'aa', 'dd', 'cc']);
  });

  test('reorder: an overtaking callback that fails is tried again before the other one goes', async () => {
    await world.api.addFault({ target: 'callback', mode: 'reorder', times: 1 });
    const { uuid } = await verifiedForRobot(world);
    world.vasp.script('callback', uuid, { status: 500, body: {} }, 'ordinary');
    for (const byte of ['aa', 'bb', 'cc']) await world.api.robotReport(uuid, hash(byte));
    await world.advance('2s');
    expect(hashes(uuid)).toEqual(['bb', 'bb', 'aa', 'cc']);
  });

  test('delay: later callbacks wait, and the order stays', async () => {
    await world.api.addFault({ target: 'callback', mode: 'delay', delay: '5m', times: 1 });
    const uuid = await reported('aa', 'bb');
    await world.advance('4m');
    expect(hashes(uuid)).toEqual([]);
    await world.advance('1m');
    expect(hashes(uuid)).toEqual(['aa', 'bb']);
  });

  test('drop: later callbacks go at once', async () => {
    await world.api.addFault({ target: 'callback', mode: 'drop', times: 1 });
    expect(hashes(await reported('aa', 'bb'))).toEqual(['bb']);
  });
});

test.each(CALLBACK_TYPES)('D-13: the exchange log has %s as the VASP got it, byte for byte', async type => {
  const uuid = await (await READY[type]())();
  await world.advance('1h');
  const { exchanges } = await world.api.exchanges({ verificationUuid: uuid, operation: 'callback' });
  const got = world.vasp.received('callback', uuid).map(({ text }) => text);
  expect(exchanges.map(({ request }) => request).reverse()).toEqual(got);
  expect(got.some(text => text.includes(type))).toBe(true);
});

test('the exchange log shows the body that breaks off', async () => {
  await world.api.addFault({ target: 'callback', mode: 'malformed', times: 1 });
  const { verificationUuid: uuid } = await world.api.verifyUser(verificationOf(world));
  await world.advance('1m');
  const { exchanges } = await world.api.exchanges({ verificationUuid: uuid });
  const sent = exchanges.filter(({ operation }) => operation === 'callback').map(({ request }) => request!);
  expect(sent.map(isJson)).toEqual([true, false]);
  expect(sent[0]!.startsWith(sent[1]!)).toBe(true);
});

test('without `times` every attempt fails until the callback is given up; a replay without the fault arrives', async () => {
  await world.api.addFault({ target: 'callback', mode: 'never-answer' });
  const { verificationUuid: uuid } = await world.api.verifyUser(verificationOf(world));
  await world.advance('4h');
  const { id, status, attempts } = (await world.api.callbacks({ verificationUuid: uuid })).callbacks[0]!;
  expect([status, attempts.length]).toEqual(['GIVEN-UP', 8]);
  expect(arrived(uuid, 'VERIFICATION_RESULT')).toBe(8);
  expect(await countsOf(world)).toEqual(['callback never-answer 8 null']);
  await world.api.removeFaults();
  await world.api.replay(id);
  await world.idle();
  expect((await attemptsOf(uuid, 'VERIFICATION_RESULT'))[0]).toBe('DELIVERED');
});

test('a lost callback stands in the mailbox and can be replayed', async () => {
  await world.api.addFault({ target: 'callback', mode: 'drop', times: 1 });
  const { verificationUuid: uuid } = await world.api.verifyUser(verificationOf(world));
  await world.idle();
  expect(arrived(uuid, 'VERIFICATION_RESULT')).toBe(0);
  const [lost] = (await world.api.mailbox({ verificationUuid: uuid })).callbacks;
  await world.api.replay(lost!.id);
  await world.idle();
  expect(arrived(uuid, 'VERIFICATION_RESULT')).toBe(1);
});

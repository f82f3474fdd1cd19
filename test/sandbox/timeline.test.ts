import { describe, expect, test } from 'vitest';
import { TimelineResponse } from '../../src/sandbox/timeline/schema.ts';
import { type RegisteredVasp, toRobot, toVasp, verifiedBy } from '../support/world/chainless-world.ts';
import { chainlessForFile } from '../support/world/for-file.ts';

const world = await chainlessForFile();
const other = await world.register('7001');
const stranger = await world.register('7002');

const story = async (tester: RegisteredVasp, uuid: string) => {
  const answer = await tester.api.timeline(uuid);
  expect(TimelineResponse.parse(answer)).toEqual(answer);
  expect(answer.verificationUuid).toBe(uuid);
  expect(answer.timeline.map(entry => entry.at)).toEqual(answer.timeline.map(entry => entry.at).sort());
  return answer.timeline;
};
const moves = (entries: Awaited<ReturnType<typeof story>>, machine: string) =>
  entries.filter(({ what }) => what === machine).map(({ from, event, to }) => `${from} ${event} ${to}`);

describe('GET /verifications/{uuid}/timeline', () => {
  test('tells the states with their causes, the messages both ways, and what decided', async () => {
    const uuid = await verifiedBy(world, toRobot(world, 'ethan-cook'));
    await world.api.advance('0s');
    const entries = await story(world, uuid);
    expect(moves(entries, 'verification')).toEqual(['null begin OPEN', 'OPEN denied DENIED']);
    expect(moves(entries, 'callback')).toEqual(['null begin PENDING', 'PENDING delivered DELIVERED']);
    const [judged] = entries.filter(({ what }) => what === 'judge');
    expect(judged).toMatchObject({ event: 'judged', to: 'DENIED', cause: 'UNVERIFIED-KYC' });
    const { steps } = judged!.detail as { steps: { rule: string; outcome: string }[] };
    expect(steps.map(({ rule, outcome }) => `${rule} ${outcome}`)).toEqual([
      'symbol passed',
      'network passed',
      'address passed',
      'name passed',
      'kyc decided',
    ]);
    expect(
      entries
        .filter(({ what }) => what === 'http')
        .map(({ event, cause }) => `${event} ${cause}`)
        .sort(),
    ).toEqual(['called callback: 200', 'was-called verify-user: 200']);
  });

  test('a call that came while a callback waited for its next attempt stands at its own time', async () => {
    await world.api.addFault({ target: 'callback', mode: 'status', status: 503, times: 1 });
    const { verificationUuid: uuid } = await world.api.verifyUser(toRobot(world, 'taylor-robbins'));
    const isPending = async () => (await world.api.callbacks({ verificationUuid: uuid })).callbacks[0]?.attempts.length;
    await expect.poll(isPending).toBe(1);
    await world.api.verification(uuid);
    await world.api.advance('10s');
    await world.api.removeFaults();
    const calls = (await story(world, uuid)).map(({ what, event, detail }) => `${what} ${detail?.operation ?? event}`);
    expect(calls.indexOf('http get-verification')).toBeLessThan(calls.indexOf('timer fired'));
    expect(calls.indexOf('timer fired')).toBeLessThan(calls.lastIndexOf('http callback'));
  });

  test('holds no person’s data but in the messages of the VASP itself', async () => {
    const uuid = await verifiedBy(world, toRobot(world));
    const told = (await story(world, uuid)).filter(({ what }) => what !== 'http');
    expect(JSON.stringify(told)).not.toMatch(/Robbins|Taylor|Barnes|Seoul/);
  });

  test('each of the two VASPs sees the states and its own messages', async () => {
    const uuid = await verifiedBy(world, toVasp(world, '7001'));
    await world.api.reportTransaction(uuid, '0xab');
    await world.api.reportError(uuid, 'ERROR', 'USER-CANCELED');
    await world.api.advance('0s');
    await other.api.advance('0s');
    const [mine, theirs] = [await story(world, uuid), await story(other, uuid)];
    const states = [
      'null begin OPEN',
      'OPEN verified VERIFIED',
      'VERIFIED transaction-reported VERIFIED',
      'VERIFIED error-reported ERROR',
    ];
    expect(moves(mine, 'verification')).toEqual(states);
    expect(moves(theirs, 'verification')).toEqual(states);
    const http = (entries: typeof mine) =>
      entries.filter(({ what }) => what === 'http').map(({ cause }) => cause.split(':')[0]);
    expect(http(mine).sort()).toEqual(['callback', 'report-error', 'report-transaction', 'verify-user']);
    expect(http(theirs).sort()).toEqual(['callback', 'callback', 'verifyUser']);
  });

  test('of nobody, and of somebody else, is 404 VERIFICATION-NOT-FOUND', async () => {
    const uuid = await verifiedBy(world, toVasp(world, '7001'));
    const missing = { status: 404, body: { code: 'VERIFICATION-NOT-FOUND' } };
    expect(await stranger.api.call('GET', `/sandbox/v1/verifications/${uuid}/timeline`)).toMatchObject(missing);
    expect(await world.api.call('GET', '/sandbox/v1/verifications/x/timeline')).toMatchObject(missing);
  });
});

describe('a timeline in lanes', () => {
  test('what will happen by itself is pending; what has happened stands in the order of its causes', async () => {
    const uuid = await verifiedBy(world, toRobot(world));
    await world.api.advance('0s');
    const { pending } = await world.api.timeline(uuid);
    expect(pending).toEqual([
      {
        kind: 'robot.deposit.inquire',
        dueAt: expect.stringMatching(/Z$/),
        why: 'status query, unless a transaction report comes first',
        lane: 'robot',
      },
    ]);
    await world.api.advance('10m');
    const entries = await story(world, uuid);
    const told = entries.map(({ what, event, lane, between }) => {
      const where = between ? `${between.from} > ${between.to}` : lane;
      return `${what} ${event}: ${where}`;
    });
    expect(told).toEqual([
      'http was-called: tested-vasp > enclave',
      'verification begin: enclave',
      'judge judged: robot > enclave',
      'expectation begin: robot',
      'timer scheduled: robot',
      'verification verified: enclave',
      'callback begin: enclave',
      'http called: enclave > tested-vasp',
      'callback delivered: enclave',
      'timer fired: robot',
      'http called: enclave > tested-vasp',
      'verification transaction-inquired: enclave > robot',
      'timer scheduled: robot',
    ]);
    const [asked] = entries.filter(({ what }) => what === 'http');
    expect(asked!.detail).toMatchObject({
      method: 'POST',
      url: '/v1/verifications',
      status: 200,
      request: { keyType: 'PerVasp' },
      response: { verificationUuid: uuid },
      durationMs: expect.any(Number),
    });
  });

  test('each failed attempt of a callback, with what came and when it is tried again', async () => {
    const uuid = await verifiedBy(world, toVasp(world, '7001'));
    other.vasp.script('callback', uuid, { status: 503, body: 'busy' }, 'ordinary');
    await world.api.reportTransaction(uuid, '0xab');
    await other.api.advance('2s');
    const told = (entries: Awaited<ReturnType<typeof story>>) =>
      entries.filter(({ what }) => what === 'callback').map(({ event, cause }) => `${event}: ${cause}`);
    expect(told(await story(other, uuid))).toEqual([
      'begin: TX_REPORT is queued',
      'attempt-failed: answered with status 503 instead of 200',
      'delivered: answered with 200',
    ]);
    // D-01: how the other VASP answers is not its counterparty's affair.
    const ofOriginator = await story(world, uuid);
    expect(ofOriginator.filter(({ cause, detail }) => cause?.includes('503') || detail?.status === 503)).toEqual([]);
  });
});

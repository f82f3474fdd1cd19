import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type Operation } from '../../../src/contract/errors.ts';
import type { FaultTarget } from '../../../src/fault-injection/port.ts';
import { type Call, countsOf, hitsOn, isJson, seenBy } from '../../support/http/observed-call.ts';
import { robotAccountOf, robotVerificationOf } from '../../support/requests/from-robot.ts';
import { accountOf, verificationOf, verified } from '../../support/requests/from-tested-vasp.ts';
import { until } from '../../support/until.ts';
import { forFile } from '../../support/world/for-file.ts';
import { BY_URL, createWorld } from '../../support/world/world.ts';

const world = await forFile(createWorld());
let uuid: string;
beforeAll(async () => {
  ({ uuid } = await verified(world));
});
afterEach(() => world.api.removeFaults());

const ROBOT = '/vega/robot/v1.0';
const POST = (path: string, body: object): Call => ({ method: 'POST', path, body });
const GET = (path: string): Call => ({ method: 'GET', path });
const txHash = `0x${'ab'.repeat(32)}`;

/** One call of each operation; what it answers without a fault. */
const CALLS: Record<Exclude<Operation, 'sandbox'>, () => [call: Call, status: number]> = {
  'get-self': () => [GET('/v1/vasps/self'), 200],
  'list-vasps': () => [GET('/v1/vasps'), 200],
  'verify-account': () => [POST('/v1/verifications/account', accountOf(world)), 200],
  'verify-user': () => [POST('/v1/verifications', verificationOf(world)), 200],
  'list-verifications': () => [GET('/v1/verifications?fromDate=2020-01-01'), 200],
  'get-verification': () => [GET(`/v1/verifications/${uuid}`), 200],
  'report-transaction': () => [POST('/v1/verifications/tx', { verificationUuid: uuid, txHash }), 200],
  'report-error': () => [POST('/v1/verifications/error', { verificationUuid: uuid }), 400],
  'inquire-transaction': () => [POST('/v1/verifications/tx/inquiry', { verificationUuid: uuid }), 400],
  'assess-sanction': () => [POST('/v1/risk-assessment/providerA-sanction', { verificationUuid: uuid }), 200],
  'assess-kyt': () => [POST('/v1/risk-assessment/providerA-kyt', { verificationUuid: uuid }), 200],
  'assess-wco': () => [POST('/v1/risk-assessment/providerB-wco', { verificationUuid: uuid }), 200],
  'robot-balance': () => [
    GET(
      `${ROBOT}/testnet/balance?vaspId=${world.vaspId}&symbol=ETH&address=${world.user('taylor-robbins').accounts.ETH}`,
    ),
    200,
  ],
  'robot-inquire-tx': () => [POST(`${ROBOT}/action/tx/inquiry`, { verificationUuid: uuid }), 408],
  'robot-verify-account': () => [POST(`${ROBOT}/action/verifications/account`, robotAccountOf(world)), 200],
  'robot-verify-user': () => [POST(`${ROBOT}/action/verifications`, robotVerificationOf(world)), 200],
  'robot-withdraw': () => [POST(`${ROBOT}/action/withdrawal`, { verificationUuid: uuid }), 400],
  'robot-report-tx': () => [POST(`${ROBOT}/action/verifications/tx`, { verificationUuid: uuid, txHash }), 400],
  'robot-report-error': () => [POST(`${ROBOT}/action/verifications/error`, { verificationUuid: uuid }), 400],
};
const ANSWERED = (Object.keys(OPERATIONS) as Operation[]).filter(operation => operation !== 'sandbox');

describe.each(ANSWERED)('PROD-4: answer.%s', operation => {
  const targets: FaultTarget[] = [`answer.${operation}`, 'answer'];
  const once = (target: FaultTarget) => ({ target, times: 1 }) as const;

  test.each(targets)('%s: delay, drop, status, malformed, never-answer; each once, then as always', async target => {
    const [call, status] = CALLS[operation]();
    const ordinary = await seenBy(world, call);
    expect(ordinary).toMatchObject({ status });
    if (typeof ordinary === 'string') throw new Error('no answer');

    await world.api.addFault({ ...once(target), mode: 'delay', delay: '60ms' });
    const late = await seenBy(world, CALLS[operation]()[0]);
    expect(late).toMatchObject({ status });
    expect((late as { tookMs: number }).tookMs).toBeGreaterThanOrEqual(58);

    await world.api.addFault({ ...once(target), mode: 'drop' });
    expect(await seenBy(world, CALLS[operation]()[0])).toBe('closed');

    await world.api.addFault({ ...once(target), mode: 'status', status: 503, code: 'BUSY', message: 'later' });
    const refused = await seenBy(world, CALLS[operation]()[0]);
    expect(refused).toMatchObject({ status: 503, text: '{"code":"BUSY","message":"later"}' });

    await world.api.addFault({ ...once(target), mode: 'malformed' });
    const broken = await seenBy(world, CALLS[operation]()[0]);
    expect(broken).toMatchObject({ status });
    expect(isJson((broken as { text: string }).text)).toBe(false);

    await world.api.addFault({ ...once(target), mode: 'never-answer' });
    expect(await seenBy(world, CALLS[operation]()[0], 80)).toBe('silent');

    // The caller may have left before a busy program met its fault.
    await until(async () => (await countsOf(world)).length === 0);
    expect(await seenBy(world, CALLS[operation]()[0])).toMatchObject({ status });
  });

  test('a fault for one operation does not hit another one', async () => {
    const other = operation === 'get-self' ? 'list-vasps' : 'get-self';
    await world.api.addFault({ target: `answer.${other}`, mode: 'drop' });
    const [call, status] = CALLS[operation]();
    expect(await seenBy(world, call)).toMatchObject({ status });
    expect(await countsOf(world)).toEqual([`answer.${other} drop 0 null`]);
  });
});

const isHeld = async () => (await world.api.faults()).faults.some(({ used }) => used === 1);

test.each(['one', 'all'])('an answer that a fault holds goes out when %s is removed', async which => {
  for (const mode of ['delay', 'never-answer'] as const) {
    const more = mode === 'delay' ? { delay: '30s' } : {};
    const { id } = await world.api.addFault({ target: 'answer.get-self', mode, ...more });
    const call = seenBy(world, GET('/v1/vasps/self'));
    await until(isHeld);
    await world.api.addFault({ target: 'answer.get-self', mode: 'drop' });
    await (which === 'one' ? world.api.removeFault(id) : world.api.removeFaults());
    expect(await call).toMatchObject({ status: 200 });
    await world.api.removeFaults();
  }
});

test('a fault that was used up still holds its answer when another one is ordered', async () => {
  await world.api.addFault({ target: 'answer.get-self', mode: 'delay', delay: '300ms', times: 1 });
  const call = seenBy(world, GET('/v1/vasps/self'));
  await until(async () => (await world.api.faults()).faults.length === 0);
  await world.api.addFault({ target: 'answer.get-self', mode: 'delay', delay: '30s', times: 1 });
  const { tookMs } = (await call) as { tookMs: number };
  expect(tookMs).toBeGreaterThanOrEqual(298);
});

test('a call takes effect although its answer is lost', async () => {
  const before = (await world.api.list()).count;
  await world.api.addFault({ target: 'answer.verify-user', mode: 'drop', times: 1 });
  expect(await seenBy(world, POST('/v1/verifications', verificationOf(world)))).toBe('closed');
  const { count, verifications } = await world.api.list();
  expect(count).toBe(before + 1);
  const { verificationUuid } = verifications[0]!;
  await world.idle();
  expect(await world.api.verification(verificationUuid)).toMatchObject({ result: 'VERIFIED' });
  expect(await hitsOn(world, verificationUuid)).toEqual([
    expect.stringMatching(/^fault \d+, answer\.verify-user: drop$/),
  ]);
});

test('the exchange log shows the changed answer and its fault', async () => {
  await world.api.addFault({ target: 'answer.get-self', mode: 'drop', times: 1 });
  await world.api.addFault({ target: 'answer.get-self', mode: 'status', status: 502, times: 1 });
  await seenBy(world, GET('/v1/vasps/self'));
  await seenBy(world, GET('/v1/vasps/self'));
  const [second, first] = (await world.api.exchanges({ limit: 2 })).exchanges;
  expect(first).toMatchObject({ status: null, response: null });
  expect(first!.error).toMatch(/^fault \d+, answer\.get-self: drop$/);
  expect(second).toMatchObject({ status: 502 });
  expect(JSON.parse(second!.response!)).toMatchObject({ code: 'SIMULATED-FAULT' });
  expect(second!.error).toMatch(/^fault \d+, answer\.get-self: status 502$/);
});

test('a fault of one verification does not hit another one', async () => {
  const other = (await verified(world)).uuid;
  await world.api.addFault({ target: 'answer.get-verification', mode: 'status', status: 500, verificationUuid: uuid });
  expect(await seenBy(world, GET(`/v1/verifications/${other}`))).toMatchObject({ status: 200 });
  expect(await seenBy(world, GET(`/v1/verifications/${uuid}`))).toMatchObject({ status: 500 });
  expect(await hitsOn(world, other)).toEqual([]);
});

test('no fault hits the sandbox API or /healthcheck', async () => {
  await world.api.addFault({ target: 'answer', mode: 'drop' });
  for (const path of ['/sandbox/v1/info', '/sandbox/v1/faults', '/healthcheck', '/readyz', '/metrics'])
    expect(await seenBy(world, GET(path)), path).toMatchObject({ status: 200 });
});

test.skipIf(BY_URL)('the embedded chains never fail either', async () => {
  await world.api.addFault({ target: 'answer', mode: 'drop' });
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] };
  expect(await seenBy(world, POST('/devnet/ethereum', body))).toMatchObject({ status: 200 });
});

test('three calls fail, then they succeed; the oldest fault goes first', async () => {
  await world.api.addFault({ target: 'answer', mode: 'status', status: 500, times: 2 });
  await world.api.addFault({ target: 'answer.get-self', mode: 'status', status: 503, times: 1 });
  const statuses: unknown[] = [];
  for (let i = 0; i < 4; i++)
    statuses.push(((await seenBy(world, GET('/v1/vasps/self'))) as { status: number }).status);
  expect(statuses).toEqual([500, 500, 503, 200]);
});

test('of many calls at once exactly as many fail as were ordered', async () => {
  await world.api.addFault({ target: 'answer.get-self', mode: 'status', status: 500, times: 7 });
  const seen = await Promise.all(Array.from({ length: 40 }, () => seenBy(world, GET('/v1/vasps/self'))));
  expect(seen.filter(each => (each as { status: number }).status === 500)).toHaveLength(7);
});

test('the program stops although a caller waits for an answer', async () => {
  const own = await createWorld();
  await own.api.addFault({ target: 'answer.get-self', mode: 'never-answer' });
  const waiting = seenBy(own, GET('/v1/vasps/self'), 15_000);
  await until(async () => (await own.api.faults()).faults[0]!.used === 1);
  await own.close();
  expect(await waiting).toBe('closed');
});

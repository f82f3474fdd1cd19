import { describe, expect, test } from 'vitest';
import { robotVerificationOf } from '../support/requests/from-robot.ts';
import { FOREIGN } from '../support/requests/from-tested-vasp.ts';
import { robotRefusalOf } from '../support/requests/robot-refusal.ts';
import { registerVasp } from '../support/vasp/other-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld());

type Request = ReturnType<typeof robotVerificationOf>;
const refused = (change: (request: Request) => void) =>
  robotRefusalOf(world, 'verifications', robotVerificationOf(world, { change }));

describe('D-05, D-21, D-22: POST /action/verifications refuses', () => {
  test.each<[string, string, (request: Request) => void]>([
    ['another VASP than the caller', 'ALLIANCE-NOT-FOUND', r => assign(r, { beneficiaryVaspId: '4711' })],
    ['itself', 'ALLIANCE-NOT-FOUND', r => assign(r, { beneficiaryVaspId: world.robotVaspId })],
    ['a symbol that it has no wallet for', 'UNKNOWN-SYMBOL', r => assign(r.assetInfo, { symbol: 'BTC' })],
    ['more decimals than the asset has', 'BAD-REQUEST', r => assign(r.assetInfo, { amount: `0.${'0'.repeat(18)}1` })],
    ['a negative amount', 'BAD-REQUEST', r => assign(r.assetInfo, { amount: '-1' })],
    ['an originator that is nobody of the robot’s', 'UNKNOWN-ADDRESS', r => from(r, FOREIGN.ETH)],
    ['an originator’s address on another ledger', 'UNKNOWN-ADDRESS', r => from(r, world.user('risk-low').accounts.XRP)],
    [
      'one foreign address among its own',
      'UNKNOWN-ADDRESS',
      r => from(r, world.user('risk-low').accounts.ETH, FOREIGN.ETH),
    ],
  ])('%s: 400 %s, and opens nothing', async (_, code, change) => {
    const before = (await world.api.list()).verifications.length;
    const refusal = await refused(change);
    expect([refusal.status, refusal.code]).toEqual([400, code]);
    expect(refusal.message).not.toBe('');
    expect((await world.api.list()).verifications).toHaveLength(before);
  });

  test('XRP of a user without the tag: UNKNOWN-ADDRESS', async () => {
    const [account = ''] = world.user('risk-low').accounts.XRP.split(':');
    const body = robotVerificationOf(world, { symbol: 'XRP', change: r => from(r, account) });
    expect(await robotRefusalOf(world, 'verifications', body)).toMatchObject({ code: 'UNKNOWN-ADDRESS' });
  });
});

describe('Idempotency-Key', () => {
  const send = async (body: object, key?: string, apiKey?: string) => {
    const response = await fetch(`${world.url}/vega/robot/v1.0/action/verifications`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { verificationUuid: string; code?: string; message?: string };
    return { status: response.status, ...answer };
  };

  test('without one, the same body twice are two verifications', async () => {
    const body = robotVerificationOf(world);
    const [one, other] = [await send(body), await send(body)];
    expect(one.verificationUuid).not.toBe(other.verificationUuid);
  });

  test('with one, twice at once and again later: one verification, the same answer, asked once', async () => {
    const body = robotVerificationOf(world);
    const [first, ...others] = await Promise.all([1, 2, 3, 4].map(() => send(body, 'deposit-1')));
    others.push(await send(body, 'deposit-1'));
    expect(first!.status).toBe(200);
    for (const other of others) expect(other).toEqual(first);
    await world.idle();
    expect(world.vasp.received('verifyUser', first!.verificationUuid)).toHaveLength(1);
    const amounts = (await world.api.list({ rpp: 100 })).verifications.map(each => each.assetInfo.amount);
    expect(amounts.filter(amount => amount === body.assetInfo.amount)).toHaveLength(1);
  });

  test('with another body: 400 BAD-REQUEST naming the header, nothing opened', async () => {
    await send(robotVerificationOf(world), 'deposit-2');
    const before = (await world.api.list()).verifications.length;
    const refused = await send(robotVerificationOf(world), 'deposit-2');
    expect([refused.status, refused.code]).toEqual([400, 'BAD-REQUEST']);
    expect(refused.message).toContain('`Idempotency-Key`');
    expect((await world.api.list()).verifications).toHaveLength(before);
  });

  test('a refused call uses no key up', async () => {
    const body = robotVerificationOf(world);
    const wrong = structuredClone(body);
    wrong.assetInfo.amount = `0.${'0'.repeat(18)}1`;
    expect(await send(wrong, 'deposit-3')).toMatchObject({ status: 400 });
    expect(await send(body, 'deposit-3')).toMatchObject({ status: 200 });
  });

  test.each(['', 'x'.repeat(256), 'schlüssel'])('“%s” is no key: 400 BAD-REQUEST', async key => {
    expect(await send(robotVerificationOf(world), key)).toMatchObject({ status: 400, code: 'BAD-REQUEST' });
  });

  test('each VASP has its own keys, and a reset forgets them', async () => {
    const other = await registerVasp(world, '4711');
    const body = robotVerificationOf(world);
    const ours = await send(body, 'deposit-4');
    const theirs = await send({ ...body, beneficiaryVaspId: '4711' }, 'deposit-4', other.apiKey);
    expect([ours.status, theirs.status]).toEqual([200, 200]);
    await world.api.reset();
    const again = await send(body, 'deposit-4');
    expect(again.status).toBe(200);
    expect(again.verificationUuid).not.toBe(ours.verificationUuid);
    await other.vasp.close();
  });
});

const assign = (target: object, changes: object) => void Object.assign(target, changes);
const from = (request: Request, ...accounts: string[]) =>
  assign(request.payload.ivms101.originator, { accountNumber: accounts });

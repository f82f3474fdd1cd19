import { describe, expect, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { paid, verified } from '../support/requests/from-tested-vasp.ts';
import { askedDuring, depositOf } from '../support/requests/inquiries.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld());

const unattributed = { status: 'UNATTRIBUTED', verificationUuid: null };
const creditedTo = (verificationUuid: string) => ({ status: 'CREDITED', verificationUuid });
const WHOLE_WINDOW = [10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70];

describe('REF-8, D-17: when the robot asks', () => {
  test('after ten minutes, every five minutes, for an hour, and then no more', async () => {
    const { uuid } = await verified(world);
    world.vasp.ordinary.setStatus(uuid, 'PROCESSING');
    expect(await askedDuring(world, uuid, '9m')).toEqual([]);
    expect(await askedDuring(world, uuid, '3h')).toEqual(WHOLE_WINDOW);
    expect(world.vasp.received('transactionStatus', uuid)).toHaveLength(WHOLE_WINDOW.length);
  });

  test('the hour is whole also where every look at the clock takes time', async () => {
    let now = Date.now();
    const slow = await createWorld({ clock: { now: () => ++now } });
    const { uuid } = await verified(slow);
    slow.vasp.ordinary.setStatus(uuid, 'PROCESSING');
    const asked = await askedDuring(slow, uuid, '3h');
    expect(asked.map(Math.round)).toEqual(WHOLE_WINDOW);
    await slow.close();
  });

  test('ten minutes after the deposit, when that came later than the verification', async () => {
    const verification = await verified(world, { symbol: 'XRP' });
    world.vasp.ordinary.setStatus(verification.uuid, 'PROCESSING');
    await world.advance('8m');
    await paid(world, verification);
    expect((await askedDuring(world, verification.uuid, '30m'))[0]).toBe(18);
  });

  test.each(['CONFIRMED', 'CANCELED'] as const)('%s ends the queries', async status => {
    const { uuid } = await verified(world);
    world.vasp.script(
      'transactionStatus',
      uuid,
      { body: { verificationUuid: uuid, transactionStatus: 'PENDING', txHash: '' } },
      { body: { verificationUuid: uuid, transactionStatus: status } },
    );
    expect(await askedDuring(world, uuid, '3h')).toEqual([10, 15]);
  });

  test('a report ends the queries', async () => {
    const { uuid } = await verified(world);
    world.vasp.ordinary.setStatus(uuid, 'WAIT-CONFIRM');
    expect(await askedDuring(world, uuid, '16m')).toEqual([10, 15]);
    await world.api.reportTransaction(uuid, `0x${'12'.repeat(32)}`);
    expect(await askedDuring(world, uuid, '3h')).toEqual([]);
  });

  test('D-16: a query that reached no one, or brought nonsense, is repeated', async () => {
    const { uuid } = await verified(world);
    world.vasp.script(
      'transactionStatus',
      uuid,
      { status: 503, body: {} },
      { body: 'no JSON' },
      { body: { verificationUuid: uuid, transactionStatus: 'LOST' } },
      { body: { verificationUuid: '00000000-0000-4000-8000-000000000000', transactionStatus: 'CONFIRMED' } },
      { body: { verificationUuid: uuid, transactionStatus: 'CANCELED' } },
    );
    expect(await askedDuring(world, uuid, '3h')).toEqual([10, 15, 20, 25, 30]);
  });
});

describe.each(ASSET_SYMBOLS)('D-18, %s: a deposit without a report', symbol => {
  test('is credited to the verification whose status answer names its hash', async () => {
    const verification = await verified(world, { symbol });
    const txHash = await paid(world, verification);
    world.vasp.ordinary.setStatus(verification.uuid, 'CONFIRMED', txHash);
    await world.advance('9m');
    expect(await depositOf(world, txHash)).toMatchObject({ status: 'CONFIRMED', verificationUuid: null });
    expect(await askedDuring(world, verification.uuid, '2m')).toEqual([10]);
    expect(await depositOf(world, txHash)).toMatchObject({
      status: 'CREDITED',
      verificationUuid: verification.uuid,
      note: 'credited: the originating VASP named its hash in a status answer',
    });
  });

  test('is credited to nobody by elimination: the hour without a name leaves it unattributed', async () => {
    const { address } = await world.wallet(symbol);
    const verification = await verified(world, { symbol, from: address });
    world.vasp.ordinary.setStatus(verification.uuid, 'PROCESSING');
    const txHash = await paid(world, verification);
    await world.advance('69m');
    expect(await depositOf(world, txHash)).toMatchObject({ status: 'CONFIRMED' });
    await world.advance('2m');
    expect(await depositOf(world, txHash)).toMatchObject({
      ...unattributed,
      note: 'unattributed: no report and no status answer has named it; the last answer was PROCESSING',
    });
    await world.api.reportTransaction(verification.uuid, txHash);
    await world.idle();
    expect(await depositOf(world, txHash)).toMatchObject(creditedTo(verification.uuid));
  });

  test('REF-4.5.4: waits between two candidates in attention, and is credited when one names it', async () => {
    const amount = world.amount();
    const first = await verified(world, { symbol, amount });
    const second = await verified(world, { symbol, amount });
    for (const { uuid } of [first, second]) world.vasp.ordinary.setStatus(uuid, 'PROCESSING');
    const txHash = await paid(world, first);
    const waiting = (await world.api.health()).attention.filter(({ text }) => text.includes(txHash));
    expect(waiting).toMatchObject([{ what: 'deposit-ambiguous', verificationUuid: first.uuid }]);
    expect(waiting[0]!.text).toContain(second.uuid);
    await world.advance('2h');
    expect(await depositOf(world, txHash)).toMatchObject(unattributed);
    await world.api.reportTransaction(second.uuid, txHash);
    await world.idle();
    expect(await depositOf(world, txHash)).toMatchObject(creditedTo(second.uuid));
  });

  test('the attention names twenty of many candidates, and counts the others', async () => {
    const amount = world.amount();
    const verifications = [];
    for (let n = 0; n < 23; n++) verifications.push(await verified(world, { symbol, amount }));
    const txHash = await paid(world, verifications[0]!);
    const waiting = (await world.api.health()).attention.find(({ text }) => text.includes(txHash))!;
    expect(verifications.filter(({ uuid }) => waiting.text.includes(uuid))).toHaveLength(20);
    expect(waiting.text).toContain(' and 3 more. Report the hash for one of them.');
  });

  test.each(['PENDING', 'CANCELED'] as const)('%s names nothing, not even with a hash', async status => {
    const verification = await verified(world, { symbol });
    const txHash = await paid(world, verification);
    world.vasp.ordinary.setStatus(verification.uuid, status, txHash);
    await world.advance('2h');
    expect(await depositOf(world, txHash)).toMatchObject(unattributed);
    const [{ report, findings } = {}] = (await world.api.verifications({ search: verification.uuid })).verifications;
    expect(report).toBe(null);
    expect(findings).toMatchObject([
      { code: 'STATUS-CONTRADICTS-CHAIN', clause: 'REF-3', field: 'transactionStatus', got: status },
    ]);
  });
});

test('D-18: when nobody ever answers, the deposit is nobody’s at the end of the hour', async () => {
  const verification = await verified(world);
  world.vasp.script('transactionStatus', verification.uuid, { status: 500, body: {} });
  const txHash = await paid(world, verification);
  expect(await askedDuring(world, verification.uuid, '69m')).toEqual(WHOLE_WINDOW.slice(0, -1));
  expect(await depositOf(world, txHash)).toMatchObject({ status: 'CONFIRMED' });
  expect(await askedDuring(world, verification.uuid, '1m')).toEqual([70]);
  expect(await depositOf(world, txHash)).toMatchObject({
    ...unattributed,
    note: expect.stringContaining('the last answer was NO-ANSWER'),
  });
});

test('D-18: a hash that a status answer named before is credited as soon as its transfer arrives', async () => {
  const verification = await verified(world);
  const wallet = await world.wallet('ETH');
  const payment = await wallet.prepare(verification.to, verification.amount);
  world.vasp.ordinary.setStatus(verification.uuid, 'PROCESSING', payment.hash);
  expect(await askedDuring(world, verification.uuid, '12m')).toEqual([10]);
  await payment.send();
  await world.idle();
  expect(await depositOf(world, payment.hash)).toMatchObject({
    status: 'CREDITED',
    verificationUuid: verification.uuid,
  });
  expect(await askedDuring(world, verification.uuid, '3h')).toEqual([]);
});

describe('REF-4.6 POST /action/tx/inquiry', () => {
  test('asks at once, answers what came back, and credits', async () => {
    const verification = await verified(world);
    const txHash = await paid(world, verification);
    world.vasp.ordinary.setStatus(verification.uuid, 'CONFIRMED', txHash);
    expect(await world.api.robotInquire(verification.uuid)).toEqual({
      verificationUuid: verification.uuid,
      transactionStatus: 'CONFIRMED',
      txHash,
    });
    expect(await depositOf(world, txHash)).toMatchObject({ status: 'CREDITED' });
    expect(await askedDuring(world, verification.uuid, '3h')).toEqual([]);
  });

  test('D-16: 408 REQUEST-TIMEOUT when the VASP does not answer, or its answer is not valid', async () => {
    const { uuid } = await verified(world);
    world.vasp.script('transactionStatus', uuid, { status: 500, body: {} }, 'never');
    const timeout = { status: 408, code: 'REQUEST-TIMEOUT' };
    await expect(world.api.robotInquire(uuid)).rejects.toMatchObject(timeout);
    await expect(world.api.robotInquire(uuid)).rejects.toMatchObject(timeout);
  });
});

test('D-14: a first report after a status answer has named the transaction is accepted, and another hash is refused', async () => {
  const { api, vasp } = world;
  const verification = await verified(world);
  const { uuid } = verification;
  const txHash = await paid(world, verification);
  vasp.script('transactionStatus', uuid, { body: { verificationUuid: uuid, transactionStatus: 'CONFIRMED', txHash } });
  await world.advance('11m');
  await world.idle();
  expect(await depositOf(world, txHash)).toMatchObject(creditedTo(uuid));

  expect(await api.reportTransaction(uuid, txHash)).toEqual({ result: true });
  await world.idle();
  const { orderedAt, ...reported } = await api.verification(uuid);
  expect(reported).toMatchObject({ txHash, result: 'VERIFIED' });
  expect(orderedAt).toEqual(expect.any(String));
  const { timeline } = await api.timeline(uuid);
  expect(timeline.filter(({ event }) => event === 'transaction-reported')).toHaveLength(1);
  await expect(api.reportTransaction(uuid, `0x${'ab'.repeat(32)}`)).rejects.toMatchObject({
    status: 400,
    code: 'ALREADY-REPORTED',
  });
});

import { describe, expect, test } from 'vitest';
import { ASSET_SYMBOLS, addressText } from '../../src/contract/assets.ts';
import { formatUnits, toUnits } from '../../src/kernel/decimal.ts';
import { freshAddress, type Ledger, ledgerOf } from '../support/chains/on-chain.ts';
import {
  movingClock,
  reaches,
  received,
  robotAccountOf,
  robotVerificationOf,
  verifiedForRobot,
} from '../support/requests/from-robot.ts';
import { balanceAt } from '../support/requests/inquiries.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld({ clock: movingClock }));

const minus = (one: string, other: string) => formatUnits(toUnits(one, 18) - toUnits(other, 18), 18);
const HASH = { ETH: /^0x[0-9a-f]{64}$/, XRP: /^[0-9A-F]{64}$/ };

/** Payer, payee and tags. */
async function paymentOf(symbol: 'ETH' | 'XRP', ledger: Ledger, hash: string) {
  const found = (await ledger.transaction(hash)) as Record<string, string | number>;
  if (symbol === 'ETH') return { from: addressText(String(found.from)), to: addressText(String(found.to)) };
  const { Account, Destination, SourceTag, DestinationTag } = found;
  return { from: `${Account}:${SourceTag}`, to: `${Destination}:${DestinationTag}` };
}

describe.each(ASSET_SYMBOLS)('%s', symbol => {
  test('REF-4.6: account, user, withdrawal, report, status: paid once, exactly, and told', async () => {
    const { api, vasp, robotVaspId, vaspId } = world;
    const ledger = ledgerOf(world, symbol);
    const user = world.user('garrit-studio');
    const address = user.accounts[symbol];
    const account = robotAccountOf(world, symbol);
    expect(await api.robotVerifyAccount(account)).toEqual({
      accountVerificationResult: 'VERIFIED',
      verifiedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    // WIRE-3.1: unwrapped, without keyType and beneficiaryVaspId.
    const { version, ivms101 } = account.payload;
    expect(vasp.received('verifyAccount').at(-1)?.body).toEqual({
      originatingVaspId: robotVaspId,
      symbol,
      network: account.network,
      version,
      ivms101,
    });

    const income = await received(world, { user: user.id, symbol });
    const request = robotVerificationOf(world, { user: user.id, symbol, amount: '1.000001' });
    const { assetInfo, requiredBeneficiaryInfo, payload } = request;
    const opened = await api.robotVerifyUser(request);
    const uuid = opened.verificationUuid;
    expect(opened).toEqual({ verificationUuid: uuid, createdAt: expect.any(String) });
    await world.idle();
    // WIRE-3.2
    expect(vasp.received('verifyUser', uuid).map(each => each.body)).toEqual([
      {
        verificationUuid: uuid,
        assetInfo,
        requiredBeneficiaryInfo,
        originatingVaspId: robotVaspId,
        version: payload.version,
        ivms101: payload.ivms101,
      },
    ]);
    const to = payload.ivms101.beneficiary.accountNumber[0]!;
    expect(await api.verification(uuid)).toMatchObject({
      originatingVaspId: robotVaspId,
      originatorAccountNumber: address,
      beneficiaryVaspId: vaspId,
      beneficiaryAccountNumber: to,
      result: 'VERIFIED',
      reason: 'OK',
      txHash: null,
    });
    expect(await api.inquireTransaction(uuid)).toEqual({ verificationUuid: uuid, transactionStatus: 'PENDING' });

    const answer = await api.robotWithdraw(uuid);
    expect(answer).toEqual({ verificationUuid: uuid, transactionStatus: 'PENDING', txHash: null });
    const { txHash } = await vasp.ordinary.callbackOf(uuid, 'TX_REPORT');
    expect(txHash).toMatch(HASH[symbol]);
    await reaches(world, uuid, 'CONFIRMED');
    expect(await api.inquireTransaction(uuid)).toEqual({
      verificationUuid: uuid,
      transactionStatus: 'CONFIRMED',
      txHash,
    });
    expect(await api.verification(uuid)).toMatchObject({ txHash, orderedAt: expect.any(String) });
    expect(await ledger.balanceOf(to)).toBe('1.000001');
    expect(await paymentOf(symbol, ledger, txHash)).toEqual({ from: address, to });
    expect(await balanceAt(world, symbol, address)).toBe(minus(income, '1.000001'));
    await world.idle();
    expect(vasp.callbacks(uuid).map(each => each.callbackType)).toEqual(['TX_REPORT']);
    const again = { verificationUuid: uuid, transactionStatus: 'CONFIRMED', txHash };
    expect(await api.robotWithdraw(uuid)).toEqual(again);
  });

  test('SEND-1: asked for by many at once it is the same transfer, paid once, reported once', async () => {
    const { api, vasp } = world;
    const ledger = ledgerOf(world, symbol);
    await received(world, { symbol });
    const { uuid, to, amount, from } = await verifiedForRobot(world, { symbol, amount: '1' });
    const before = await balanceAt(world, symbol, from);
    const answers = await Promise.all(Array.from({ length: 12 }, () => api.robotWithdraw(uuid)));
    for (const { verificationUuid } of answers) expect(verificationUuid).toBe(uuid);
    expect(await balanceAt(world, symbol, from)).toBe(minus(before, amount));
    await reaches(world, uuid, 'CONFIRMED');
    expect(await api.robotWithdraw(uuid)).toEqual(await api.robotWithdraw(uuid));
    expect(await ledger.balanceOf(to)).toBe(amount);
    await world.idle();
    expect(vasp.callbacks(uuid)).toHaveLength(1);
    expect(await balanceAt(world, symbol, from)).toBe(minus(before, amount));
  });

  test('REF-4.6.1: never more than was received: 400 INSUFFICIENT-BALANCE with both figures', async () => {
    const income = await received(world, { user: 'risk-low', symbol });
    const more = await verifiedForRobot(world, { user: 'risk-low', symbol, amount: '9.5' });
    const path = '/vega/robot/v1.0/action/withdrawal';
    const body = { verificationUuid: more.uuid };
    const { status, body: refusal } = await world.api.call<{ code: string; message: string }>('POST', path, body);
    expect([status, refusal.code]).toEqual([400, 'INSUFFICIENT-BALANCE']);
    expect(refusal.message).toContain('9.5');
    expect(refusal.message).toMatch(new RegExp(`${income.replace('.', '\\.')}(?!\\d)`));
    expect(await balanceAt(world, symbol, more.from)).toBe(income);
    // Money at another address of the robot does not count here.
    await received(world, { user: 'risk-medium', symbol });
    await expect(world.api.robotWithdraw(more.uuid)).rejects.toMatchObject({ status: 400 });

    const all = await verifiedForRobot(world, { user: 'risk-low', symbol, amount: income });
    await world.api.robotWithdraw(all.uuid);
    await reaches(world, all.uuid, 'CONFIRMED');
    expect(await balanceAt(world, symbol, all.from)).toBe('0');
    expect(await ledgerOf(world, symbol).balanceOf(more.to)).toBe('0');
  });

  test('PROD-6: two at once that are too much together: one is paid, the other refused', async () => {
    const income = await received(world, { user: 'risk-high', symbol });
    const wish = { user: 'risk-high', symbol, amount: '1' };
    const both = [await verifiedForRobot(world, wish), await verifiedForRobot(world, wish)];
    const outcomes = await Promise.allSettled(both.map(({ uuid }) => world.api.robotWithdraw(uuid)));
    const refused = outcomes.filter(outcome => outcome.status === 'rejected');
    expect(refused).toMatchObject([{ reason: { status: 400, code: 'INSUFFICIENT-BALANCE' } }]);
    const paying = both[outcomes.findIndex(outcome => outcome.status === 'fulfilled')]!;
    await reaches(world, paying.uuid, 'CONFIRMED');
    const ledger = ledgerOf(world, symbol);
    const paid = await Promise.all(both.map(({ to }) => ledger.balanceOf(to)));
    expect(paid.sort()).toEqual(['0', '1']);
    expect(await balanceAt(world, symbol, paying.from)).toBe(minus(income, '1'));
  });

  test('REF-4.6: omitTxReport: paid, but not reported, until a report is forced; once', async () => {
    const { api, vasp } = world;
    await received(world, { symbol });
    const { uuid, to, amount } = await verifiedForRobot(world, { symbol, amount: '1' });
    await api.robotWithdraw(uuid, true);
    await reaches(world, uuid, 'CONFIRMED');
    await world.idle();
    expect(vasp.callbacks(uuid)).toEqual([]);
    expect(await api.verification(uuid)).toMatchObject({ txHash: null });
    const { txHash } = await api.inquireTransaction(uuid);
    expect(await ledgerOf(world, symbol).balanceOf(to)).toBe(amount);
    for (let i = 0; i < 2; i++) expect(await api.robotReport(uuid, txHash!)).toEqual({ result: true });
    await world.idle();
    expect(vasp.callbacks(uuid)).toEqual([{ callbackType: 'TX_REPORT', data: { verificationUuid: uuid, txHash } }]);
  });

  test('PROD-5, TRANSFER-PENDING: it stays PENDING for good, without a hash, its amount reserved', async () => {
    const { api, vasp } = world;
    const income = await received(world, { user: 'transfer-pending', symbol });
    const { uuid, from, to } = await verifiedForRobot(world, { user: 'transfer-pending', symbol, amount: income });
    const pending = { verificationUuid: uuid, transactionStatus: 'PENDING' };
    expect(await api.robotWithdraw(uuid)).toEqual({ ...pending, txHash: null });
    await world.advance('24h');
    expect(await api.inquireTransaction(uuid)).toEqual(pending);
    expect(await api.robotWithdraw(uuid)).toEqual({ ...pending, txHash: null });
    expect(await balanceAt(world, symbol, from)).toBe('0');
    expect(await ledgerOf(world, symbol).balanceOf(to)).toBe('0');
    expect(vasp.callbacks(uuid)).toEqual([]);
  });

  test('PROD-5, TRANSFER-CANCELED: CANCELED, told by one error report, the balance is free again', async () => {
    const { api, vasp } = world;
    const income = await received(world, { user: 'transfer-canceled', symbol });
    const wish = { user: 'transfer-canceled', symbol, amount: income };
    const { uuid, from, to } = await verifiedForRobot(world, wish);
    const canceled = { verificationUuid: uuid, transactionStatus: 'CANCELED', txHash: null };
    expect(await api.robotWithdraw(uuid)).toEqual(canceled);
    expect(await api.robotWithdraw(uuid)).toEqual(canceled);
    await world.idle();
    const data = {
      verificationUuid: uuid,
      result: 'ERROR',
      reason: 'UNDEFINED-ERROR',
      message: 'The transfer failed: the user has the behaviour TRANSFER-CANCELED',
    };
    expect(vasp.callbacks(uuid)).toEqual([{ callbackType: 'ERROR_REPORT', data }]);
    expect(await api.verification(uuid)).toMatchObject({ result: 'ERROR', reason: 'UNDEFINED-ERROR' });
    expect(await api.inquireTransaction(uuid)).toEqual({ verificationUuid: uuid, transactionStatus: 'CANCELED' });
    expect(await balanceAt(world, symbol, from)).toBe(income);
    expect(await ledgerOf(world, symbol).balanceOf(to)).toBe('0');
  });
});

test('PROD-6: the robot pays what was verified to the last wei', async () => {
  await received(world);
  const { uuid, to } = await verifiedForRobot(world, { amount: '0.000000000000000001' });
  await world.api.robotWithdraw(uuid);
  await reaches(world, uuid, 'CONFIRMED');
  expect(await ledgerOf(world, 'ETH').balanceOf(to)).toBe('0.000000000000000001');
});

test('SEND-3: forty at once from one address: each is paid once, the balance is what is left', async () => {
  const income = await received(world, { user: 'sanctioned-address', symbol: 'ETH' });
  const all: Awaited<ReturnType<typeof verifiedForRobot>>[] = [];
  const amount = '0.01';
  for (let i = 0; i < 40; i++)
    all.push(await verifiedForRobot(world, { user: 'sanctioned-address', symbol: 'ETH', amount }));
  await Promise.all(all.map(({ uuid }) => world.api.robotWithdraw(uuid)));
  for (const { uuid } of all) await reaches(world, uuid, 'CONFIRMED');
  const ledger = ledgerOf(world, 'ETH');
  for (const { to } of all) expect(await ledger.balanceOf(to)).toBe(amount);
  expect(await ledger.sent(all[0]!.from)).toBe(40);
  expect(await balanceAt(world, 'ETH', all[0]!.from)).toBe(minus(income, '0.4'));
});

test('XRP: a tag of 0 and no tag at all reach the ledger as they were named', async () => {
  await received(world, { symbol: 'XRP' });
  const [account] = freshAddress('XRP').split(':');
  const ledger = ledgerOf(world, 'XRP');
  for (const [to, tag] of [
    [`${account}:0`, 0],
    [account!, undefined],
  ] as const) {
    await received(world, { symbol: 'XRP' });
    const { uuid } = await verifiedForRobot(world, { symbol: 'XRP', amount: '1', to });
    await world.api.robotWithdraw(uuid);
    await reaches(world, uuid, 'CONFIRMED');
    const { txHash } = await world.api.inquireTransaction(uuid);
    expect((await ledger.transaction(txHash!))?.DestinationTag).toBe(tag);
  }
});

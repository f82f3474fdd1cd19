import { describe, expect, test } from 'vitest';
import { ASSET_SYMBOLS, type AssetSymbol, addressText } from '../../src/contract/assets.ts';
import { REPORT_VERDICTS, type ReportVerdict } from '../../src/contract/plan-list.ts';
import { toUnits } from '../../src/kernel/decimal.ts';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { CONTRACTS, deploy, sendTransaction, word } from '../support/chains/contracts.ts';
import { freshAddress } from '../support/chains/on-chain.ts';
import { paid, type Verified, verified, type Wish } from '../support/requests/from-tested-vasp.ts';
import { balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { BY_URL, createWorld } from '../support/world/world.ts';

/** D-24: each verdict on each chain where it applies, in timeline, list, events and attention. */

const world = await forFile(createWorld());
const rpc = await forFile(jsonRpc(`${world.url}/devnet/ethereum`, 5_000));

const entryOf = async (uuid: string) => (await world.api.verifications({ search: uuid })).verifications[0]!;
const attentionOf = async (uuid: string) =>
  (await world.api.health()).attention.filter(each => each.verificationUuid === uuid);
const reportedIn = async (uuid: string) =>
  (await world.api.timeline(uuid)).timeline.filter(({ what }) => what === 'report');

async function report({ uuid }: Verified, txHash: string, vout?: string) {
  const body = { verificationUuid: uuid, txHash, ...(vout === undefined ? {} : { vout }) };
  expect((await world.api.call('POST', '/v1/verifications/tx', body)).body).toEqual({ result: true });
  await world.idle();
}

/** The verdict, wherever it is shown. */
async function expectVerdict(uuid: string, verdict: ReportVerdict, parts: { expected?: string; got: string }) {
  const { report } = await entryOf(uuid);
  expect(report).toMatchObject({ verdict, got: expect.stringContaining(parts.got) });
  if (parts.expected !== undefined) expect(report?.expected).toContain(parts.expected);
  const last = (await reportedIn(uuid)).at(-1)!;
  expect(last).toMatchObject({ event: verdict, detail: { expected: report?.expected, got: report?.got } });
  expect(last.cause).toContain(REPORT_VERDICTS[verdict].advice);
  const attention = await attentionOf(uuid);
  if (verdict === 'CREDITED') return expect(attention).toEqual([]);
  expect(attention).toMatchObject([{ what: 'report-not-credited', text: expect.stringContaining(verdict) }]);
}

const unknownHash = (symbol: AssetSymbol, seed: string) =>
  symbol === 'ETH' ? `0x${seed.repeat(32)}` : seed.toUpperCase().repeat(32);

describe.each(ASSET_SYMBOLS)('D-24, %s', symbol => {
  const verify = (wish: Wish = {}) => verified(world, { symbol, ...wish });

  test('AWAITED, then NOT-FOUND after ten minutes; sent later, it is credited', async () => {
    const verification = await verify();
    const wallet = await world.wallet(symbol);
    const payment = await wallet.prepare(verification.to, verification.amount);
    await report(verification, payment.hash);
    await expectVerdict(verification.uuid, 'AWAITED', { got: payment.hash });
    await world.advance('599s');
    await expectVerdict(verification.uuid, 'AWAITED', { got: payment.hash });
    await world.advance('1s');
    await expectVerdict(verification.uuid, 'NOT-FOUND', { got: payment.hash });
    if (symbol === 'XRP') return;
    await payment.send();
    await world.idle();
    await expectVerdict(verification.uuid, 'CREDITED', { got: verification.amount });
  });

  test.skipIf(BY_URL)('NOT-FINAL: a node knows it, and no block holds it', async () => {
    const verification = await verify();
    const payment = await (await world.wallet(symbol)).prepare(verification.to, verification.amount);
    await world.api.setControl(symbol, 'hold', { on: true });
    const sent = payment.send();
    let verdict: string | undefined;
    await report(verification, payment.hash);
    while (verdict !== 'NOT-FINAL') {
      await world.advance('5s');
      verdict = (await entryOf(verification.uuid)).report?.verdict;
    }
    await expectVerdict(verification.uuid, 'NOT-FINAL', { got: 'in no block yet' });
    await world.api.setControl(symbol, 'hold', { on: false });
    await sent;
    await world.idle();
    await expectVerdict(verification.uuid, 'CREDITED', { got: verification.amount });
  });

  test('WRONG-RECIPIENT: a stranger was paid', async () => {
    const verification = await verify();
    const to = freshAddress(symbol);
    await report(verification, await paid(world, { ...verification, amount: '20', to }));
    await expectVerdict(verification.uuid, 'WRONG-RECIPIENT', {
      expected: `${verification.amount} ${symbol} → `,
      got: `20 ${symbol} → ${to}`,
    });
  });

  test('another user was paid', async () => {
    const verification = await verify();
    const to = world.user('garrit-studio').accounts[symbol];
    const txHash = await paid(world, { ...verification, to });
    await report(verification, txHash);
    const verdict = symbol === 'ETH' ? 'WRONG-RECIPIENT' : 'WRONG-TAG';
    await expectVerdict(verification.uuid, verdict, { got: to });
    expect(await depositOf(world, txHash)).toMatchObject({
      status: 'UNATTRIBUTED',
      note: expect.stringContaining(`${verdict} for ${verification.uuid}`),
    });
  });

  test.each(['2.999999', '3.000001'])('WRONG-AMOUNT: %s instead of 3', async amount => {
    const verification = await verify({ amount: '3' });
    const txHash = await paid(world, { ...verification, amount });
    await report(verification, txHash);
    const parts = { expected: `3 ${symbol}`, got: `${amount} ${symbol}` };
    await expectVerdict(verification.uuid, 'WRONG-AMOUNT', parts);
    expect(await depositOf(world, txHash)).toMatchObject({ status: 'UNATTRIBUTED', verificationUuid: null });
  });

  test('WRONG-VOUT: a payment has position 0 alone; another report corrects it', async () => {
    const verification = await verify();
    const txHash = await paid(world, verification);
    await report(verification, txHash, '1');
    await expectVerdict(verification.uuid, 'WRONG-VOUT', { expected: '(vout 1)', got: verification.amount });
    await report(verification, txHash, '0');
    await expectVerdict(verification.uuid, 'CREDITED', { got: verification.amount });
  });

  test('PAID-BEFORE-VERIFIED: paid first, also with a finding, and never credited', async () => {
    const [amount, to] = [world.amount(), world.user('taylor-robbins').accounts[symbol]];
    const wallet = await world.wallet(symbol);
    const before = await balanceAt(world, symbol, to);
    const txHash = await wallet.pay(to, amount);
    const { uuid } = await verify({ amount });
    await report({ uuid, symbol, amount, to }, txHash);
    await expectVerdict(uuid, 'PAID-BEFORE-VERIFIED', { expected: `${amount} ${symbol}`, got: 'in block' });
    expect((await entryOf(uuid)).findings).toMatchObject([
      { code: 'PAID-BEFORE-VERIFIED', clause: 'REF-4.6.2', field: 'txHash' },
    ]);
    await world.advance('3h');
    expect(await depositOf(world, txHash)).toMatchObject({ status: 'UNATTRIBUTED' });
    expect(await balanceAt(world, symbol, to)).toBe(before);
  });

  test('ALREADY-USED names the other verification', async () => {
    const first = await verify();
    const txHash = await paid(world, first);
    await report(first, txHash);
    const second = await verify({ amount: first.amount });
    await report(second, txHash);
    await expectVerdict(second.uuid, 'ALREADY-USED', { got: first.uuid });
    const third = await verify();
    await report(third, symbol === 'ETH' ? txHash.toUpperCase().replace('0X', '0x') : txHash.toLowerCase());
    await expectVerdict(third.uuid, 'ALREADY-USED', { got: first.uuid });
  });

  test('D-25: `vout` that is no whole number in decimal text is 400 BAD-REQUEST', async () => {
    const { uuid } = await verify();
    for (const vout of ['x', '', '-1', '1.5', '01', '0x1', ' 1', 0]) {
      const body = { verificationUuid: uuid, txHash: unknownHash(symbol, 'ab'), vout };
      const answer = await world.api.call<{ code: string; message: string }>('POST', '/v1/verifications/tx', body);
      expect([answer.status, answer.body.code]).toEqual([400, 'BAD-REQUEST']);
      expect(answer.body.message).toContain('`vout`');
    }
  });

  test('another hash begins anew, and the verdict is an event', async () => {
    const verification = await verify();
    await report(verification, unknownHash(symbol, 'cd'));
    await report(verification, await paid(world, verification));
    const events = (await reportedIn(verification.uuid)).map(({ event }) => event);
    expect(events).toEqual(['AWAITED', 'CREDITED']);
  });
});

describe.skipIf(BY_URL)('D-24, ETH: contracts', () => {
  test('REVERTED: status 0, whoever was meant', async () => {
    const verification = await verified(world);
    const contract = await deploy(rpc, CONTRACTS.reverter);
    const value = toUnits(verification.amount, 18);
    const { transactionHash } = await sendTransaction(rpc, { to: contract, value, data: `0x${word(verification.to)}` });
    await report(verification, transactionHash);
    await expectVerdict(verification.uuid, 'REVERTED', { got: 'failed in block' });
  });

  test('WRONG-RECIPIENT: the inner call reverted, the transaction succeeded', async () => {
    const verification = await verified(world);
    const [reverter, relay] = [await deploy(rpc, CONTRACTS.reverter), await deploy(rpc, CONTRACTS.relay)];
    const { transactionHash } = await sendTransaction(rpc, {
      to: relay,
      value: toUnits(verification.amount, 18),
      data: `0x${word(reverter)}${word(verification.to)}`,
    });
    await report(verification, transactionHash);
    await expectVerdict(verification.uuid, 'WRONG-RECIPIENT', { got: addressText(relay.toLowerCase()) });
  });

  test('D-25: one transaction pays two verifications, told apart by `vout` and by amount', async () => {
    const amount = world.amount();
    const [first, second, third] = [
      await verified(world, { amount }),
      await verified(world, { amount }),
      await verified(world, { user: 'garrit-studio' }),
    ];
    const contract = await deploy(rpc, CONTRACTS.multisend);
    const payments = [first, second, third].map(each => word(each.to) + word(toUnits(each.amount, 18)));
    const { transactionHash } = await sendTransaction(rpc, {
      to: contract,
      value: toUnits('10', 18),
      data: `0x${payments.join('')}`,
    });
    await report(third, transactionHash);
    await report(second, transactionHash, '2');
    await report(first, transactionHash, '2');
    await expectVerdict(third.uuid, 'CREDITED', { got: third.amount });
    await expectVerdict(second.uuid, 'CREDITED', { got: amount });
    await expectVerdict(first.uuid, 'ALREADY-USED', { got: second.uuid });
    await report(first, transactionHash, '7');
    await expectVerdict(first.uuid, 'WRONG-VOUT', { got: '(vout 1)' });
    await report(first, transactionHash, '1');
    await expectVerdict(first.uuid, 'CREDITED', { got: amount });
  });
});

test.skipIf(BY_URL)(
  'D-24, ETH: a reorganisation removes the named payment: no node knows it, and mined again it is judged again',
  async () => {
    const verification = await verified(world, { amount: '3' });
    const txHash = await paid(world, { ...verification, amount: '2.8' });
    const raw = await rpc.call<string>('eth_getRawTransactionByHash', txHash);
    await report(verification, txHash);
    await expectVerdict(verification.uuid, 'WRONG-AMOUNT', { got: '2.8 ETH' });
    await world.api.setControl('ETH', 'reorg', { depth: 1 });
    await world.advance('10m');
    await expectVerdict(verification.uuid, 'NOT-FOUND', { got: txHash });
    await rpc.call('eth_sendRawTransaction', raw);
    await until(async () => (await rpc.call('eth_getTransactionReceipt', txHash)) !== null);
    await world.idle();
    await expectVerdict(verification.uuid, 'WRONG-AMOUNT', { got: '2.8 ETH' });
  },
);

test('D-24, XRP: REVERTED: a tec, whoever was meant', async () => {
  const verification = await verified(world, { symbol: 'XRP', amount: '5000' });
  const payment = await (await world.wallet('XRP')).prepare(verification.to, '5000');
  await expect(payment.send()).rejects.toThrow('tecUNFUNDED_PAYMENT');
  await report(verification, payment.hash);
  await expectVerdict(verification.uuid, 'REVERTED', { got: 'failed in block' });
});

test('D-24, XRP: WRONG-TAG: paid without a tag', async () => {
  const verification = await verified(world, { symbol: 'XRP' });
  const to = verification.to.split(':')[0]!;
  await report(verification, await paid(world, { ...verification, to }));
  await expectVerdict(verification.uuid, 'WRONG-TAG', { expected: verification.to, got: 'without a tag' });
});

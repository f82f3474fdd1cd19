import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client, type EscrowCreate, type EscrowFinish, type SubmittableTransaction, Wallet, xrpToDrops } from 'xrpl';
import { movingClock } from '../support/requests/from-robot.ts';
import { type Verified, verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { BY_URL, createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld({ clock: movingClock, env: { XRPL_CLOSE_INTERVAL: '10ms' } }));
let client: Client;
let payer: Wallet;
beforeAll(async () => {
  client = new Client(`${world.url.replace(/^http/, 'ws')}/devnet/xrpl`);
  await client.connect();
  payer = Wallet.generate();
  await world.api.faucet('XRP', payer.classicAddress, '500');
});
afterAll(async () => {
  await client.disconnect();
});

/** Submits, then ends a hold. Resolves when it is validated. */
async function sent(transaction: SubmittableTransaction) {
  const { LastLedgerSequence: _, ...filled } = await client.autofill(transaction);
  const { tx_blob, hash } = payer.sign(filled as SubmittableTransaction);
  expect((await client.submit(tx_blob)).result.engine_result).toBe('tesSUCCESS');
  await world.api.setControl('XRP', 'hold', { on: false });
  await until(async () => {
    const { result } = await client.request({ command: 'tx', transaction: hash });
    return result.validated === true;
  });
  return { hash, sequence: (filled as { Sequence: number }).Sequence };
}

const closeTime = async () =>
  (await client.request({ command: 'ledger', ledger_index: 'validated' })).result.ledger.close_time;

/** An escrow for the verified address that can be finished at once. The time stands still until it is made. */
async function escrow({ to, amount }: Pick<Verified, 'to' | 'amount'>) {
  const [account = '', tag] = to.split(':');
  await world.api.setControl('XRP', 'hold', { on: true });
  const FinishAfter = (await closeTime()) + 1;
  const create: EscrowCreate = {
    TransactionType: 'EscrowCreate',
    Account: payer.classicAddress,
    Destination: account,
    DestinationTag: Number(tag),
    Amount: xrpToDrops(amount),
    FinishAfter,
  };
  const created = await sent(create);
  await until(async () => (await closeTime()) > FinishAfter);
  return created;
}

async function finished(sequence: number): Promise<string> {
  const finish: EscrowFinish = {
    TransactionType: 'EscrowFinish',
    Account: payer.classicAddress,
    Owner: payer.classicAddress,
    OfferSequence: sequence,
  };
  return (await sent(finish)).hash;
}

const reportOf = async (uuid: string) => (await world.api.verifications({ search: uuid })).verifications[0]?.report;

describe.skipIf(BY_URL)('an escrow of XRP', () => {
  test('is credited at the tag of the escrow when its EscrowFinish is reported', async () => {
    const { uuid, to, amount } = await verified(world, { symbol: 'XRP' });
    const before = await balanceAt(world, 'XRP', to);
    const { sequence } = await escrow({ to, amount });
    const hash = await finished(sequence);
    await until(async () => (await depositOf(world, hash)) !== undefined);
    expect(await depositOf(world, hash)).toMatchObject({
      status: 'CONFIRMED',
      from: payer.classicAddress,
      address: to,
      amount,
      via: 'EscrowFinish',
    });
    await world.api.reportTransaction(uuid, hash);
    await until(async () => (await reportOf(uuid))?.verdict === 'CREDITED');
    expect(await depositOf(world, hash)).toMatchObject({ status: 'CREDITED', verificationUuid: uuid });
    expect(Number(await balanceAt(world, 'XRP', to))).toBeCloseTo(Number(before) + Number(amount), 6);
    const { attention } = await world.api.health();
    expect(attention.filter(({ what }) => what === 'money-unexplained')).toEqual([]);
  });

  test('is not paid by its EscrowCreate: the verdict says that the money is locked', async () => {
    const { uuid, to, amount } = await verified(world, { symbol: 'XRP' });
    const before = await balanceAt(world, 'XRP', to);
    const { hash: created, sequence } = await escrow({ to, amount });
    await world.api.reportTransaction(uuid, created);
    await until(async () => (await reportOf(uuid))?.verdict === 'WRONG-RECIPIENT');
    expect(await reportOf(uuid)).toMatchObject({
      expected: `${amount} XRP → ${to}`,
      got: `an EscrowCreate, which pays nobody: it locks ${amount} XRP → ${to}; report the EscrowFinish that delivers them`,
    });
    expect(await balanceAt(world, 'XRP', to)).toBe(before);
    expect(await depositOf(world, created)).toBeUndefined();
    await world.api.reportTransaction(uuid, await finished(sequence));
    await until(async () => (await reportOf(uuid))?.verdict === 'CREDITED');
  });

  test('that nobody reports is asked for by a status query, as a payment', async () => {
    const { uuid, to, amount } = await verified(world, { symbol: 'XRP' });
    const { sequence } = await escrow({ to, amount });
    const hash = await finished(sequence);
    await until(async () => (await depositOf(world, hash))?.status === 'CONFIRMED');
    expect(await depositOf(world, hash)).toMatchObject({
      note: 'waits for the originating VASP to name it: 1 verification fits',
    });
    const { timeline } = await world.api.timeline(uuid);
    expect(JSON.stringify(timeline)).not.toContain('unexplained');
  });
});

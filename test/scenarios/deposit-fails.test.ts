import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client, Wallet } from 'xrpl';
import { freshAddress, ledgerOf } from '../support/chains/on-chain.ts';
import { devnetAt } from '../support/chains/wallets.ts';
import { movingClock, type RobotWish, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { balanceAt } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { BY_URL, createWorld } from '../support/world/world.ts';

/** D-34: transfers that stand in the ledger and have not paid. The robot reports the error by itself, once, and no hash. */

const world = await forFile(createWorld({ clock: movingClock }));

async function expectToFail(
  wish: RobotWish & { symbol: 'XRP' },
  failure: string,
  withdraw = (uuid: string): Promise<unknown> => world.api.robotWithdraw(uuid),
): Promise<void> {
  const { api, vasp } = world;
  await received(world, { symbol: wish.symbol });
  const { uuid, from } = await verifiedForRobot(world, wish);
  const before = await balanceAt(world, wish.symbol, from);
  await withdraw(uuid);
  await reaches(world, uuid, 'CANCELED');
  await world.idle();
  const { txHash, transactionStatus } = await api.inquireTransaction(uuid);
  expect(transactionStatus).toBe('CANCELED');
  expect(await ledgerOf(world, wish.symbol).transaction(txHash!)).toBeDefined();
  const message = expect.stringMatching(new RegExp(`${failure}: ${txHash} in block \\d+ has paid nothing$`));
  const data = { verificationUuid: uuid, result: 'ERROR', reason: 'UNDEFINED-ERROR', message };
  expect(vasp.callbacks(uuid)).toEqual([{ callbackType: 'ERROR_REPORT', data }]);
  const { transfers } = await api.transfers({ verificationUuid: uuid });
  expect(transfers[0]?.why).toContain(failure);
  const { timeline } = await api.timeline(uuid);
  expect(timeline.find(({ event }) => event === 'cancel')?.cause).toContain(failure);
  expect(await balanceAt(world, wish.symbol, from)).toBe(before);
  expect(await api.verification(uuid)).toMatchObject({ result: 'ERROR', reason: 'UNDEFINED-ERROR' });
  expect(await api.robotWithdraw(uuid)).toEqual({ verificationUuid: uuid, transactionStatus: 'CANCELED', txHash });
}

describe('XRP', () => {
  test('too little to open an account with: CANCELED, error report, the balance is free again', async () => {
    const to = freshAddress('XRP');
    await expectToFail({ symbol: 'XRP', amount: '0.999999', to }, 'tecNO_DST_INSUF_XRP');
    expect(await ledgerOf(world, 'XRP').balanceOf(to)).toBe('0');
  });

  test('the next transfer goes its way after one that has failed', async () => {
    await received(world, { symbol: 'XRP' });
    const { uuid, to } = await verifiedForRobot(world, { symbol: 'XRP', amount: '1' });
    await world.api.robotWithdraw(uuid);
    await reaches(world, uuid, 'CONFIRMED');
    expect(await ledgerOf(world, 'XRP').balanceOf(to)).toBe('1');
  });
});

// P8: what the customer does between VERIFIED and the payment. The held ledger orders it before the payment.
describe.skipIf(BY_URL)('an account of the XRP Ledger that changes after VERIFIED', () => {
  let client: Client;
  beforeAll(async () => {
    client = new Client(devnetAt('XRP', world.url));
    await client.connect();
  });
  afterAll(() => client.disconnect());

  const customer = async (): Promise<Wallet> => {
    const wallet = Wallet.generate();
    await world.api.faucet('XRP', wallet.classicAddress, '50');
    return wallet;
  };

  const set = async (wallet: Wallet, SetFlag: number): Promise<void> => {
    const filled = await client.autofill({
      TransactionType: 'AccountSet',
      Account: wallet.classicAddress,
      SetFlag,
    } as const);
    const { result } = await client.submit(wallet.sign(filled).tx_blob);
    expect(result.engine_result).toBe('tesSUCCESS');
  };

  test.each([
    ['DepositAuth', 9, 'tecNO_PERMISSION'],
    ['RequireDest', 1, 'tecDST_TAG_NEEDED'],
  ])('%s: the payment fails in the ledger, and its code is told', async (_, flag, failure) => {
    const wallet = await customer();
    const wish = { symbol: 'XRP', amount: '2', to: wallet.classicAddress } as const;
    await expectToFail(wish, failure, async uuid => {
      const { api } = world;
      await api.setControl('XRP', 'hold', { on: true });
      try {
        await set(wallet, flag);
        await api.setControl('XRP', 'delay', { closes: 1 });
        await api.robotWithdraw(uuid);
        await until(async () => Boolean((await api.inquireTransaction(uuid)).txHash));
      } finally {
        await api.setControl('XRP', 'hold', { on: false });
      }
    });
    expect(await ledgerOf(world, 'XRP').balanceOf(wallet.classicAddress)).toMatch(/^49\.9/);
  });
});

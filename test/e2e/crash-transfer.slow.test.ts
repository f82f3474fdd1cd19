import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASSET_SYMBOLS, ASSETS, type AssetSymbol } from '../../src/contract/assets.ts';
import { formatUnits, toUnits } from '../../src/kernel/decimal.ts';
import { type RobotVerification, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { withResolvers } from '../support/with-resolvers.ts';
import { booksOf, type CrashWorld, createCrashWorld, type Trap } from '../support/world/crash-world.ts';

const INCOME = '500';
const USER = 'taylor-robbins';
let world: CrashWorld;
beforeAll(async () => {
  world = await createCrashWorld();
  for (const symbol of ASSET_SYMBOLS) await received(world, { user: USER, symbol, amount: INCOME });
});
afterAll(() => world.close());

const isPending = (parameters: unknown) => (parameters as unknown[])[1] === 'pending';
const isCurrent = (request: unknown) => (request as { ledger_index: string }).ledger_index === 'current';
const isValidated = (request: unknown) => !isCurrent(request);

/** The steps of SEND-1, and the calls between which they lie. */
const STEPS: Record<string, Record<AssetSymbol, Trap>> = {
  'after the reservation': {
    ETH: { method: 'eth_estimateGas', when: 'before' },
    XRP: { method: 'server_info', when: 'before' },
  },
  'after the fee was read, before the number is': {
    ETH: { method: 'eth_getBalance', when: 'after' },
    XRP: { method: 'account_info', when: 'after', only: isValidated },
  },
  'after the number was read, before anything is signed': {
    ETH: { method: 'eth_getTransactionCount', when: 'after', only: isPending },
    XRP: { method: 'account_info', when: 'after', only: isCurrent },
  },
  'signed and stored, before the node gets it': {
    ETH: { method: 'eth_sendRawTransaction', when: 'before' },
    XRP: { method: 'submit', when: 'before' },
  },
  'the node has it, before its answer comes': {
    ETH: { method: 'eth_sendRawTransaction', when: 'after' },
    XRP: { method: 'submit', when: 'after' },
  },
  'the answer comes, before the report': {
    ETH: { method: 'eth_sendRawTransaction', when: 'answered' },
    XRP: { method: 'submit', when: 'answered' },
  },
  'about to look what has become of it': {
    ETH: { method: 'eth_getTransactionReceipt', when: 'before' },
    XRP: { method: 'tx', when: 'before' },
  },
  'it was found in the ledger': {
    ETH: { method: 'eth_getTransactionReceipt', when: 'after' },
    XRP: { method: 'tx', when: 'after' },
  },
};
/** Every transfer of this file, by asset. */
const all: Record<AssetSymbol, RobotVerification[]> = { ETH: [], XRP: [] };

async function aTransfer(symbol: AssetSymbol): Promise<RobotVerification> {
  const verification = await verifiedForRobot(world, { user: USER, symbol });
  all[symbol].push(verification);
  return verification;
}

/** On chain exactly one transfer, exactly one report in effect, books equal. */
async function expectPaidOnce({ symbol, uuid, to, amount, from }: RobotVerification, sentBefore: number) {
  await reaches(world, uuid, 'CONFIRMED');
  await world.idle();
  const { txHash } = await world.api.inquireTransaction(uuid);
  const ledger = world.ledger(symbol);
  expect(await ledger.transaction(txHash!)).toBeDefined();
  expect(await ledger.balanceOf(to)).toBe(amount);
  expect(await ledger.sent(from)).toBe(sentBefore + 1);
  const told = world.vasp.callbacks(uuid);
  expect(told.length).toBeGreaterThan(0);
  for (const callback of told)
    expect(callback).toEqual({ callbackType: 'TX_REPORT', data: { verificationUuid: uuid, txHash } });
  expect((await world.api.callbacks({ verificationUuid: uuid })).callbacks).toMatchObject([
    { callbackType: 'TX_REPORT', status: 'DELIVERED' },
  ]);
  expect(await world.api.verification(uuid)).toMatchObject({ result: 'VERIFIED', txHash });
  const again = await world.api.robotWithdraw(uuid);
  expect(again).toEqual({ verificationUuid: uuid, transactionStatus: 'CONFIRMED', txHash });
  await expectBooksToAgree(symbol);
}

async function expectBooksToAgree(symbol: AssetSymbol) {
  const { decimals } = ASSETS[symbol];
  const { paid, balance, onChain } = await booksOf(world, all[symbol], toUnits(INCOME, decimals));
  expect(onChain).toBe(paid);
  expect(balance).toBe(formatUnits(toUnits(INCOME, decimals) - toUnits(paid, decimals), decimals));
}

/** One transfer of each asset, and the number of transactions of its account before. */
async function oneOfEach() {
  const transfers = [await aTransfer('ETH'), await aTransfer('XRP')];
  return Promise.all(
    transfers.map(async transfer => ({ transfer, sent: await world.ledger(transfer.symbol).sent(transfer.from) })),
  );
}
type Transfers = Awaited<ReturnType<typeof oneOfEach>>;

const withdrawAll = (transfers: Transfers) =>
  Promise.allSettled(transfers.map(({ transfer }) => world.api.robotWithdraw(transfer.uuid)));

async function expectAllPaidOnce(transfers: Transfers) {
  for (const { transfer, sent } of transfers) await expectPaidOnce(transfer, sent);
}

describe('SEND-1, ETH and XRP: SIGKILL during a transfer of each, then exactly one transfer, one report', () => {
  test.each(Object.entries(STEPS))('%s', async (_, traps) => {
    const transfers = await oneOfEach();
    const killed = world.killedAt(traps);
    await withdrawAll(transfers);
    await killed;
    await world.start();
    for (const { transfer } of transfers) await world.api.robotWithdraw(transfer.uuid);
    await expectAllPaidOnce(transfers);
  });

  test.each(ASSET_SYMBOLS)('%s: at the answer to the withdrawal itself', async symbol => {
    const transfer = await aTransfer(symbol);
    const sent = await world.ledger(symbol).sent(transfer.from);
    expect(await world.api.robotWithdraw(transfer.uuid)).toMatchObject({ transactionStatus: 'PENDING' });
    await world.kill();
    await world.start();
    await expectPaidOnce(transfer, sent);
  });

  test('while the tested VASP takes the report', async () => {
    const transfers = await oneOfEach();
    const arrived = (count: number) =>
      Promise.all(transfers.map(({ transfer }) => world.vasp.arrived('callback', transfer.uuid, count)));
    const { promise: held, resolve: answer } = withResolvers<void>();
    for (const { transfer } of transfers) world.vasp.script('callback', transfer.uuid, held, 'ordinary');
    await withdrawAll(transfers);
    await arrived(1);
    await world.kill();
    answer();
    await world.start();
    await arrived(2);
    await expectAllPaidOnce(transfers);
  });

  test('at every step of one and the same transfer, one after the other', async () => {
    const transfers = await oneOfEach();
    const [first, ...later] = Object.values(STEPS).slice(0, 5);
    let killed = world.killedAt(first!);
    await withdrawAll(transfers);
    await killed;
    for (const traps of later) {
      killed = world.killedAt(traps);
      await world.start().catch(() => {});
      await killed;
    }
    await world.start();
    await expectAllPaidOnce(transfers);
  });
});

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HDNodeWallet, JsonRpcProvider } from 'ethers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEVELOPMENT_MNEMONIC } from '../../src/app/config/config.ts';
import { ASSET_SYMBOLS, type AssetSymbol } from '../../src/contract/assets.ts';
import {
  askedByRobot,
  movingClock,
  reaches,
  received,
  verifiedForRobot,
  withdrawn,
} from '../support/requests/from-robot.ts';
import { paid, verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { createWorld, type World } from '../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld({ file: true, clock: movingClock });
});
afterEach(() => world?.close());

interface Readiness {
  status: string;
  missing?: string[];
}
const readiness = () => world.api.call<Readiness>('GET', '/readyz');
const isReady = () => until(async () => (await readiness()).status === 200);
const ENDED = { result: 'ERROR', reason: 'UNDEFINED-ERROR', message: expect.stringContaining('CHAIN-RESTARTED') };
const OTHER = { ETH: 'XRP', XRP: 'ETH' } as const;

async function startOver(symbol: AssetSymbol) {
  const { status, body } = await world.api.call('POST', `/sandbox/v1/chains/${symbol}/start-over`);
  expect({ status, body }).toMatchObject({ status: 200, body: { symbol, control: 'start-over' } });
}

/** A deposit test, credited. */
async function creditedDeposit(symbol: AssetSymbol) {
  const verification = await verified(world, { symbol });
  const txHash = await paid(world, verification);
  await world.api.reportTransaction(verification.uuid, txHash);
  await world.idle();
  expect(await balanceAt(world, symbol, verification.to)).not.toBe('0');
  return { ...verification, txHash };
}

/** Everything works on the new chain: received, credited, paid back. */
async function worksAgain(symbol: AssetSymbol) {
  // The tester's connections and coins belong to the former chain.
  await world.restart();
  await isReady();
  const amount = await received(world, { symbol, user: 'risk-low' });
  const { uuid } = await verifiedForRobot(world, { symbol, amount, user: 'risk-low' });
  await world.api.robotWithdraw(uuid);
  await until(async () => {
    if (symbol === 'XRP') await world.api.setControl('XRP', 'close');
    await world.idle();
    return (await world.api.inquireTransaction(uuid)).transactionStatus === 'CONFIRMED';
  });
}

/** A payment from the account of a user of the robot, as another program with the same keys makes it. */
async function payFrom(user: string): Promise<void> {
  const { users } = await world.api.info();
  const { accounts } = users.find(({ id }) => id === user)!;
  const keys = HDNodeWallet.fromPhrase(DEVELOPMENT_MNEMONIC, undefined, "m/44'/60'/0'/0");
  const own = Array.from({ length: 100 }, (_, i) => keys.deriveChild(i)).find(
    ({ address }) => address.toLowerCase() === accounts.ETH!.toLowerCase(),
  )!;
  const provider = new JsonRpcProvider(`${world.url}/devnet/ethereum`, undefined, { cacheTimeout: -1 });
  const sent = await own.connect(provider).sendTransaction({ to: `0x${'d'.repeat(40)}`, value: 1n });
  await sent.wait();
  provider.destroy();
}

test('D-33, ETH: an account that an unexplained payment holds pays again on the new chain', async () => {
  const amount = await received(world, { user: 'risk-low' });
  await payFrom('risk-low');
  const { uuid } = await verifiedForRobot(world, { user: 'risk-low', amount });
  await world.api.robotWithdraw(uuid);
  const isHeld = async () => (await world.api.health()).attention.some(({ what }) => what === 'payment-unexplained');
  await until(isHeld);
  await startOver('ETH');
  await isReady();
  expect(await isHeld()).toBe(false);
  await worksAgain('ETH');
});

describe.each(ASSET_SYMBOLS)('D-33, %s: the chain control start-over goes on with the new chain by itself', symbol => {
  test('verifications that await money end, balances start at zero, deposits stay, tests work again', async () => {
    const credited = await creditedDeposit(symbol);
    const awaited = await verified(world, { symbol });
    const open = verificationOf(world, { symbol, user: 'never-answers' });
    const { verificationUuid: unanswered } = await world.api.verifyUser(open);
    const elsewhere = await verified(world, { symbol: OTHER[symbol] });
    await startOver(symbol);
    await isReady();
    expect(await world.api.verification(awaited.uuid)).toMatchObject(ENDED);
    expect(await world.api.verification(unanswered)).toMatchObject(ENDED);
    expect(await world.vasp.ordinary.callbackOf(unanswered, 'VERIFICATION_RESULT')).toMatchObject({
      verificationResult: 'ERROR',
    });
    expect(await world.api.verification(elsewhere.uuid)).toMatchObject({ result: 'VERIFIED' });
    expect(await world.api.verification(credited.uuid)).toMatchObject({ result: 'VERIFIED' });
    expect(await balanceAt(world, symbol, credited.to)).toBe('0');
    expect(await depositOf(world, credited.txHash)).toMatchObject({
      status: 'CREDITED',
      note: expect.stringContaining('before the chain started over'),
    });
    await worksAgain(symbol);
  });

  test('an unfinished transfer becomes CANCELED, with an error report', async () => {
    await received(world, { symbol, amount: '5' });
    const { uuid } = await verifiedForRobot(world, { symbol, amount: '2' });
    const asked = await verifiedForRobot(world, { symbol, amount: '1' });
    await world.api.setControl(symbol, 'hold', { on: true });
    await world.api.robotWithdraw(uuid);
    await startOver(symbol);
    await reaches(world, uuid, 'CANCELED');
    for (const each of [uuid, asked.uuid]) {
      expect(await world.vasp.ordinary.callbackOf(each, 'ERROR_REPORT')).toMatchObject({
        reason: 'UNDEFINED-ERROR',
        message: expect.stringContaining('CHAIN-RESTARTED'),
      });
      expect(await world.api.verification(each)).toMatchObject(ENDED);
    }
  });

  test('the same again changes nothing, nor does a resume of a chain that did not start over', async () => {
    const { uuid } = await verified(world, { symbol });
    const resumed = await world.api.resumeChain(symbol);
    expect(resumed).toMatchObject({ symbol, resumed: false, endedVerifications: 0, canceledTransfers: 0 });
    expect(await world.api.verification(uuid)).toMatchObject({ result: 'VERIFIED' });
    await startOver(symbol);
    await startOver(symbol);
    await isReady();
    await worksAgain(symbol);
  });
});

const FILES: Record<AssetSymbol, RegExp> = { ETH: /ethereum\.json(\.previous|\.exit)?$/, XRP: /xrpl\.sqlite$/ };

describe.each(ASSET_SYMBOLS)('D-33, %s: state files that cannot be used are lost state', symbol => {
  const spoil = (folder: string) => {
    for (const name of readdirSync(folder).filter(file => FILES[symbol].test(file)))
      writeFileSync(join(folder, name), 'no state');
  };
  const isStopped = async () =>
    until(async () => ((await readiness()).body.missing ?? []).some(why => why.includes('CHAIN-RESTARTED')));

  test('the process stays up and names the command, nothing is credited, and the command goes on', async () => {
    const credited = await creditedDeposit(symbol);
    const awaited = await verified(world, { symbol });
    await world.restart(spoil);
    await isStopped();
    const { status, body } = await readiness();
    expect(status).toBe(503);
    expect(body.missing).toHaveLength(1);
    expect(body.missing?.[0]).toContain(`robot-vasp chain resume ${symbol}`);
    const { attention } = await world.api.health();
    const [notice] = attention.filter(({ what }) => what === 'chain');
    expect(notice?.text).toContain(`robot-vasp chain resume ${symbol}`);

    const { txHash } = await world.api.faucet(symbol, awaited.to, '5');
    await world.api.reportTransaction(awaited.uuid, txHash);
    await world.idle();
    expect(await depositOf(world, txHash)).toBeUndefined();
    await creditedDeposit(OTHER[symbol]);
    await world.restart();
    await isStopped();

    expect(await world.api.resumeChain(symbol)).toMatchObject({ resumed: true, endedVerifications: 1 });
    await isReady();
    expect(await world.api.verification(awaited.uuid)).toMatchObject(ENDED);
    expect(await balanceAt(world, symbol, credited.to)).toBe('0');
    await worksAgain(symbol);
    await world.restart();
    await isReady();
  });
});

test('D-33: a withdrawal that was not requested yet ends too; a finished one stays', async () => {
  await received(world, { symbol: 'ETH', amount: '5' });
  const done = await withdrawn(world, { symbol: 'ETH', amount: '2' });
  const unanswered = await askedByRobot(world, { symbol: 'ETH', amount: '1' });
  await startOver('ETH');
  expect(await world.api.verification(done.uuid)).toMatchObject({ result: 'VERIFIED' });
  expect(await world.api.verification(unanswered.uuid)).toMatchObject(ENDED);
});

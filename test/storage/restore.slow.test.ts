import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASSET_SYMBOLS, ASSETS, type AssetSymbol } from '../../src/contract/assets.ts';
import { formatUnits, toUnits } from '../../src/kernel/decimal.ts';
import { freshAddress } from '../support/chains/on-chain.ts';
import { linesOf, robotVasp } from '../support/process/command-line.ts';
import { type RobotVerification, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { until } from '../support/until.ts';
import { type CrashWorld, createCrashWorld } from '../support/world/crash-world.ts';

/**
 * A copy is older than the chains, which outlive the program here. After its restore nobody is paid twice, and what no
 * transfer explains is held and named. `RESTORE_ROUNDS=50` makes 50.
 */

const ROUNDS = Number(process.env.RESTORE_ROUNDS ?? 2);
const LIMIT_MS = 60_000 + ROUNDS * 30_000;
/** The moments of the kills. */
const SEED = Number(process.env.TEST_SEED ?? Date.now() & 0x7fffffff);
let state = SEED;
const fraction = () => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return state / 0x7fffffff;
};
/** More than the blocks whose states a node keeps. */
const BLOCKS_LATER = 130;
const COPY_TAKES_MS = 700;
const LIVES_AT_MOST_MS = 500;

let world: CrashWorld;
let copies = 0;
beforeAll(async () => {
  world = await createCrashWorld();
  for (const symbol of ASSET_SYMBOLS) await received(world, { symbol, amount: '500' });
}, LIMIT_MS);
afterAll(() => world.close(), LIMIT_MS);

const env = () => ({ DATABASE_PATH: join(world.folder, 'robot.sqlite') });

async function copied(): Promise<string> {
  const file = join(world.folder, `copy-${++copies}`);
  const { code, stderr } = await robotVasp(['backup', file], env());
  expect(linesOf(stderr)).toEqual([]);
  expect(code).toBe(0);
  return file;
}

async function diesAndIsRestored(file: string): Promise<void> {
  await world.kill();
  const { code, stderr } = await robotVasp(['restore', file], env());
  expect(linesOf(stderr)).toEqual([]);
  expect(code).toBe(0);
  await world.start();
}

/** By hand: the database is a file. */
async function copiedByHand(): Promise<string> {
  const { DATABASE_PATH: file } = env();
  const copy = `${file}.${++copies}`;
  await world.kill();
  closeLog(file);
  copyFileSync(file, copy);
  await world.start();
  return copy;
}
async function diesAndIsReplaced(copy: string): Promise<void> {
  const { DATABASE_PATH: file } = env();
  await world.kill();
  closeLog(file);
  copyFileSync(copy, file);
  await world.start();
}

async function expectPaidOnce({ symbol, uuid, to, amount }: RobotVerification): Promise<void> {
  await world.api.robotWithdraw(uuid);
  await reaches(world, uuid, 'CONFIRMED');
  await world.idle();
  expect(await world.ledger(symbol).balanceOf(to)).toBe(amount);
}

describe.each(ASSET_SYMBOLS)('%s', symbol => {
  test(
    `${ROUNDS} kills in mid-payment, each restored from a copy that is a moment old: every transfer is paid once (TEST_SEED=${SEED})`,
    async () => {
      const all: RobotVerification[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const verification = await verifiedForRobot(world, { symbol });
        all.push(verification);
        const copying = copied();
        await delay(fraction() * COPY_TAKES_MS);
        const withdrawing = world.api.robotWithdraw(verification.uuid);
        const file = await copying;
        await withdrawing;
        await delay(fraction() * LIVES_AT_MOST_MS);
        await diesAndIsRestored(file);
        for (const each of all) await expectPaidOnce(each);
      }
    },
    LIMIT_MS,
  );

  test(
    'a payment that the copy knows nothing of holds its account, by name, until the operator goes on',
    async () => {
      const waiting = await verifiedForRobot(world, { symbol });
      const file = await copied();
      const unknown = await verifiedForRobot(world, { symbol });
      await expectPaidOnce(unknown);
      const { txHash } = await world.api.inquireTransaction(unknown.uuid);
      await diesAndIsRestored(file);

      await world.api.robotWithdraw(waiting.uuid);
      await until(async () => (await named()).length > 0);
      expect((await named())[0]!.text).toContain(txHash);
      expect((await world.api.inquireTransaction(waiting.uuid)).transactionStatus).toBe('PENDING');
      expect(await world.ledger(symbol).balanceOf(waiting.to)).toBe('0');

      expect(await world.api.resumeChain(symbol)).toMatchObject({
        resumed: false,
        held: [{ name: txHash, to: expect.stringContaining(unknown.to), amount: unknown.amount }],
      });
      await expect(world.api.resumeChain(symbol, { accept: ['another'] })).rejects.toThrow(/holds no account/);
      expect(await named()).toHaveLength(1);
      expect(await resumed(symbol)).toMatchObject({ resumed: true, releasedPayments: 1, held: [] });
      await expectPaidOnce(waiting);
      expect(await named()).toEqual([]);
    },
    LIMIT_MS,
  );

  test.each([
    ['a copy that is restored', copied, diesAndIsRestored],
    ['an older database copied by hand into the same file', copiedByHand, diesAndIsReplaced],
  ])(
    'D-47: %s, the operator goes on first, and the VASP orders its withdrawal again then: it finds its payment',
    async (_, copiedNow, diesAndGets) => {
      const amount = world.amount();
      const to = freshAddress(symbol);
      const paid = await verifiedForRobot(world, { symbol, amount, to });
      const other = await verifiedForRobot(world, { symbol });
      const file = await copiedNow();
      await expectPaidOnce(paid);
      const { txHash } = await world.api.inquireTransaction(paid.uuid);
      await diesAndGets(file);

      await world.api.robotWithdraw(other.uuid);
      await until(async () => (await named()).length > 0);
      await resumed(symbol);
      await expectPaidOnce(other);
      await expectPaidOnce(paid);
      expect(await world.api.inquireTransaction(paid.uuid)).toMatchObject({ txHash });

      const later = await verifiedForRobot(world, { symbol, amount, to });
      await world.api.robotWithdraw(later.uuid);
      await reaches(world, later.uuid, 'CONFIRMED');
      const { decimals } = ASSETS[symbol];
      expect(await world.ledger(symbol).balanceOf(to)).toBe(formatUnits(2n * toUnits(amount, decimals), decimals));
    },
    LIMIT_MS,
  );

  test(
    'D-47: a transfer that waits in an older file is not paid again, however many blocks ago it was paid',
    async () => {
      const { DATABASE_PATH: file } = env();
      const waiting = await verifiedForRobot(world, { symbol });
      world.cutChains(true);
      await world.api.robotWithdraw(waiting.uuid);
      await world.kill();
      world.cutChains(false);
      closeLog(file);
      copyFileSync(file, `${file}.waiting`);
      await world.start();
      await reaches(world, waiting.uuid, 'CONFIRMED');
      for (let block = 0; symbol === 'ETH' && block < BLOCKS_LATER; block++)
        await world.fund(symbol, freshAddress(symbol), 1n);
      await world.kill();
      closeLog(file);
      copyFileSync(`${file}.waiting`, file);
      await world.start();
      await expectPaidOnce(waiting);
    },
    LIMIT_MS,
  );

  test(
    'an older database copied by hand into the same file: nobody is paid twice, whatever is ordered first',
    async () => {
      const paid = await verifiedForRobot(world, { symbol });
      const other = await verifiedForRobot(world, { symbol });
      const copy = await copiedByHand();
      await expectPaidOnce(paid);
      await diesAndIsReplaced(copy);

      await world.api.robotWithdraw(other.uuid);
      await until(async () => (await named()).length > 0);
      await expectPaidOnce(paid);
      await expectPaidOnce(other);
    },
    LIMIT_MS,
  );
});

test(
  'the operator goes on with one account: an unknown payment of another account still holds that one',
  async () => {
    await received(world, { user: 'risk-low', amount: '100' });
    const users = ['taylor-robbins', 'risk-low'];
    const waiting = await Promise.all(users.map(user => verifiedForRobot(world, { user })));
    const file = await copied();
    const unknown = await Promise.all(users.map(user => verifiedForRobot(world, { user })));
    for (const each of unknown) await expectPaidOnce(each);
    await diesAndIsRestored(file);

    for (const each of waiting) {
      await world.api.robotWithdraw(each.uuid);
      const isPaid = async () => (await world.api.inquireTransaction(each.uuid)).transactionStatus === 'CONFIRMED';
      await until(async () => (await named()).length > 0 || (await isPaid()));
      expect(await resumed('ETH')).toMatchObject({ releasedPayments: 1 });
      await expectPaidOnce(each);
    }
  },
  LIMIT_MS,
);

/** The file alone holds the database then. */
function closeLog(file: string): void {
  const sqlite = new Database(file);
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
  sqlite.close();
}

const named = async () => (await world.api.health()).attention.filter(({ what }) => what === 'payment-unexplained');
/** The operator lets go of all that holds accounts. */
async function resumed(symbol: AssetSymbol) {
  const { held } = await world.api.resumeChain(symbol);
  return world.api.resumeChain(symbol, { accept: held.map(({ name }) => name) });
}

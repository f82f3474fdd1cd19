import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { type RobotVerification, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { type CrashWorld, createCrashWorld } from '../support/world/crash-world.ts';
import { randomFrom } from '../support/world/random-from.ts';

/**
 * An older copy of the database is put back in mid-payment: over the same file, or as a new one. In every second round the
 * operator lets go of all that holds accounts before the VASP orders its withdrawals again.
 */

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 10);
const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000_000);
const MAX_CONCURRENT = 4;
const LIVES_AT_MOST_MS = 400;
const INCOME = '5000';

const random = randomFrom(SEED);
const counted = { adopted: 0, held: 0, resumed: 0, 'same file': 0, 'new file': 0 };
const all: RobotVerification[] = [];
let world: CrashWorld;
beforeAll(async () => {
  world = await createCrashWorld();
  for (const symbol of ASSET_SYMBOLS) await received(world, { symbol, amount: INCOME });
});
afterAll(() => world.close());

const database = () => join(world.folder, 'robot.sqlite');

test(`${ROUNDS} older copies are put back in mid-payment (CRASH_SEED=${SEED}): every transfer is paid once`, async () => {
  for (let round = 0; round < ROUNDS; round++) all.push(...(await playRound(round % 2 === 1)));
  for (const { symbol, to, amount } of all) expect(await world.ledger(symbol).balanceOf(to)).toBe(amount);
  console.log(`seed ${SEED}: ${ROUNDS} copies put back, ${all.length} transfers, each paid once`);
  console.log(`  ${JSON.stringify(counted)}`);
});

async function playRound(isResumed: boolean): Promise<RobotVerification[]> {
  const count = 2 + Math.floor(random() * (MAX_CONCURRENT - 1));
  const verifications: RobotVerification[] = [];
  for (let i = 0; i < count; i++)
    verifications.push(await verifiedForRobot(world, { symbol: random() < 0.5 ? 'ETH' : 'XRP' }));
  const before = verifications.filter(() => random() < 0.3);
  for (const { uuid } of before) await world.api.robotWithdraw(uuid);
  if (random() < 0.5) await delay(random() * LIVES_AT_MOST_MS);
  const copy = await copied();
  for (const { uuid } of verifications) await world.api.robotWithdraw(uuid);
  await delay(random() * LIVES_AT_MOST_MS);
  await world.kill();
  putBack(copy);
  await world.start();
  if (isResumed) await letGo(verifications[0]!);
  for (const { uuid } of shuffled(verifications)) await world.api.robotWithdraw(uuid);
  for (const { uuid } of verifications) await paid(uuid);
  return verifications;
}

/** A copy as a backup makes it, while the program runs. */
async function copied(): Promise<string> {
  const copy = join(world.folder, 'older');
  rmSync(copy, { force: true });
  const sqlite = new Database(database(), { readonly: true });
  await sqlite.backup(copy);
  sqlite.close();
  return copy;
}

function putBack(copy: string): void {
  const isNew = random() < 0.5;
  counted[isNew ? 'new file' : 'same file'] += 1;
  for (const name of ['-wal', '-shm', ...(isNew ? [''] : [])]) rmSync(`${database()}${name}`, { force: true });
  copyFileSync(copy, database());
}

/** The operator goes on as `attention` says, before the VASP orders its other withdrawals again. */
async function letGo({ uuid }: RobotVerification): Promise<void> {
  await world.api.robotWithdraw(uuid);
  await delay(random() * LIVES_AT_MOST_MS);
  for (const symbol of ASSET_SYMBOLS) counted.resumed += await accepted(symbol);
}

async function accepted(symbol: string): Promise<number> {
  const { held } = await world.api.resumeChain(symbol);
  counted.held += held.length;
  const named = held.filter(({ to }) => to !== null).map(({ name }) => name);
  if (named.length > 0) await world.api.resumeChain(symbol, { accept: named });
  return named.length;
}

async function paid(uuid: string): Promise<void> {
  await reaches(world, uuid, 'CONFIRMED');
  const { timeline } = await world.api.timeline(uuid);
  if (timeline.some(({ event }) => event === 'adopted')) counted.adopted += 1;
}

const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map(item => ({ item, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);

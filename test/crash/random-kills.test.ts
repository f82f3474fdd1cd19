import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ASSET_SYMBOLS, ASSETS, type AssetSymbol } from '../../src/contract/assets.ts';
import { formatUnits, toUnits } from '../../src/kernel/decimal.ts';
import { type RobotVerification, reaches, received, robotVerificationOf } from '../support/requests/from-robot.ts';
import { booksAtDeath } from '../support/world/books-at-death.ts';
import { booksOf, createCrashWorld, type KilledWorld } from '../support/world/crash-world.ts';
import { createEmbeddedCrashWorld } from '../support/world/embedded-crash-world.ts';
import { randomFrom } from '../support/world/random-from.ts';

/**
 * Kills at random moments, from the start of the process on, while withdrawals in both assets go on. Before a kill there
 * may be other trouble: a stopped process, a full disk, a locked database, chains that cannot be reached or are
 * killed, a clock that jumps.
 */

const KILLS = Number(process.env.CRASH_KILLS ?? 200);
const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000_000);
/** The ledgers run in the program and die with it; otherwise they are reached by URL and outlive it. */
const IS_EMBEDDED = process.env.CRASH_CHAINS === 'embedded';
/** One life in four ends while the program may still be starting, the others within so long after it was ready. */
const STARTS_WITHIN_MS = 700;
const LIVES_AT_MOST_MS = 500;
const TROUBLE_AT_MOST_MS = 400;
const PLAYERS = 3;
const INCOME = '5000';
const OPEN = ['PENDING', 'PROCESSING', 'WAIT-CONFIRM'];

const random = randomFrom(SEED);
const all: Record<AssetSymbol, RobotVerification[]> = { ETH: [], XRP: [] };
const asked = new Set<string>();
const at: Record<string, number> = { 'start-up': 0, 'under way': 0 };
const troubles: Record<string, number> = {};
let world: KilledWorld;
beforeAll(async () => {
  world = await (IS_EMBEDDED ? createEmbeddedCrashWorld() : createCrashWorld());
  for (const symbol of ASSET_SYMBOLS) await received(world, { symbol, amount: INCOME });
});
afterAll(() => world.close());

test(`${KILLS} kills at random moments (CRASH_SEED=${SEED}, chains ${IS_EMBEDDED ? 'embedded' : 'by URL'}): every transfer once, every report once, books equal`, async () => {
  const numbers = Object.fromEntries(await Promise.all(ASSET_SYMBOLS.map(numberOf)));
  await world.kill();
  for (let kill = 0; kill < KILLS; kill++) await liveAndDie();
  await world.start();
  for (const { uuid } of [...all.ETH, ...all.XRP]) await world.api.robotWithdraw(uuid);
  for (const { uuid } of [...all.ETH, ...all.XRP]) await reaches(world, uuid, 'CONFIRMED');
  await world.idle();

  console.log(`seed ${SEED}: ${KILLS} kills, ${at['start-up']} of them while it was starting`);
  console.log(`  ${at['under way']} with transfers under way: ${JSON.stringify(at)}`);
  console.log(`  troubles before the kill: ${JSON.stringify(troubles)}`);
  for (const symbol of ASSET_SYMBOLS) {
    await expectOnceEach(all[symbol]);
    const [, number] = await numberOf(symbol);
    expect(number - numbers[symbol]!).toBe(all[symbol].length);
    await expectBooksToAgree(symbol);
  }
});

/** Starts, plays, and is killed wherever it stands. */
async function liveAndDie(): Promise<void> {
  let isReady = false;
  const started = world.start();
  const playing = started.then(
    () => {
      isReady = true;
      return Promise.allSettled(Array.from({ length: PLAYERS }, playOn));
    },
    () => {},
  );
  if (random() < 0.25) await delay(random() * STARTS_WITHIN_MS);
  else {
    await started;
    await delay(random() * LIVES_AT_MOST_MS);
    if (random() < 0.4) await trouble();
  }
  await world.kill();
  await playing;
  const { transfers: states, ...balances } = booksAtDeath(world.folder);
  expect(balances.running).toEqual(balances.addedUp);
  for (const state of OPEN) at[state] = (at[state] ?? 0) + (states[state] ?? 0);
  if (!isReady) at['start-up']! += 1;
  if (OPEN.some(state => states[state])) at['under way']! += 1;
}

type Trouble = () => (() => unknown) | Promise<() => unknown>;
const limitFiles = (bytes: string) => execFileSync('prlimit', [`--pid=${world.pid()}`, `--fsize=${bytes}:unlimited`]);

/** Each begins something and answers its end. */
const TROUBLES: Record<string, Trouble> = {
  'stopped process': () => {
    process.kill(world.pid(), 'SIGSTOP');
    return () => process.kill(world.pid(), 'SIGCONT');
  },
  'full disk': () => {
    limitFiles('4096');
    return () => limitFiles('unlimited');
  },
  'locked database': () => {
    const other = new Database(join(world.folder, 'robot.sqlite'), { timeout: 2_000 });
    other.exec('BEGIN EXCLUSIVE');
    return () => other.close();
  },
  'chains cut off': () => {
    world.cutChains(true);
    return () => world.cutChains(false);
  },
  'chains killed': () => {
    const back = world.killChains();
    return () => back;
  },
  'clock jump': async () => {
    await world.api.advance('1h').catch(() => {});
    return () => {};
  },
};

/** One of the troubles for a moment. The kill may come before its end, or after it. */
async function trouble(): Promise<void> {
  const names = Object.keys(TROUBLES);
  const name = names[Math.floor(random() * names.length)]!;
  troubles[name] = (troubles[name] ?? 0) + 1;
  const end = await TROUBLES[name]!();
  await delay(random() * TROUBLE_AT_MOST_MS);
  await end();
  if (random() < 0.5) await delay(random() * LIVES_AT_MOST_MS);
}

/** One withdrawal after the other, until nobody answers any more. */
async function playOn(): Promise<never> {
  for (;;) await play();
}

/** A new withdrawal, or again one that was asked for before; either may be cut off anywhere. */
async function play(): Promise<unknown> {
  const known = [...asked];
  if (known.length > 0 && random() < 0.25) return world.api.robotWithdraw(known[Math.floor(random() * known.length)]!);
  const symbol = random() < 0.5 ? 'ETH' : 'XRP';
  const request = robotVerificationOf(world, { symbol });
  const { verificationUuid: uuid } = await world.api.robotVerifyUser(request);
  const { originator, beneficiary } = request.payload.ivms101;
  const [[from = ''], [to = '']] = [originator.accountNumber, beneficiary.accountNumber];
  all[symbol].push({ uuid, symbol, amount: request.assetInfo.amount, from, to });
  await world.idle();
  asked.add(uuid);
  return Promise.all([world.api.robotWithdraw(uuid), world.api.robotWithdraw(uuid)]);
}

/**
 * Each transfer is paid once and reported. A report may be repeated, and a transaction that was reported may expire with
 * the ledger that held it (SEND-6): then another one is signed and reported, too. The last report names the one that paid.
 */
async function expectOnceEach(transfers: readonly RobotVerification[]): Promise<void> {
  for (const { symbol, uuid, to, amount } of transfers) {
    expect(await world.ledger(symbol).balanceOf(to)).toBe(amount);
    const { txHash } = await world.api.inquireTransaction(uuid);
    const { transfers: own } = await world.api.transfers({ verificationUuid: uuid });
    const signed = own.flatMap(({ transactions }) => transactions.map(one => reportOf(uuid, one.txHash)));
    const arrived = await world.vasp.arrived('callback', uuid, 1);
    for (const { body } of arrived) expect(signed).toContainEqual(body);
    expect(arrived.at(-1)?.body).toEqual(reportOf(uuid, txHash));
    const { callbacks } = await world.api.callbacks({ verificationUuid: uuid });
    for (const one of callbacks) expect(one).toMatchObject({ callbackType: 'TX_REPORT', status: 'DELIVERED' });
    expect(callbacks.length).toBeGreaterThan(0);
  }
}

const reportOf = (verificationUuid: string, txHash: string | null | undefined) => ({
  callbackType: 'TX_REPORT',
  data: { verificationUuid, txHash },
});

/** received − paid = balance, on chain = in the book. */
async function expectBooksToAgree(symbol: AssetSymbol): Promise<void> {
  const { decimals } = ASSETS[symbol];
  const books = await booksOf(world, all[symbol], toUnits(INCOME, decimals));
  console.log(`  ${symbol}: ${all[symbol].length} transfers; received ${books.received} − paid ${books.paid} =`);
  console.log(`    balance ${books.balance}; on chain ${books.onChain} = in the book ${books.paid}`);
  const expected = all[symbol].reduce((sum, { amount }) => sum + toUnits(amount, decimals), 0n);
  expect(books.paid).toBe(formatUnits(expected, decimals));
  expect(books.onChain).toBe(books.paid);
  expect(books.balance).toBe(formatUnits(toUnits(INCOME, decimals) - expected, decimals));
}

const numberOf = async (symbol: AssetSymbol): Promise<[AssetSymbol, number]> => [
  symbol,
  await world.ledger(symbol).sent(world.user('taylor-robbins').accounts[symbol]),
];

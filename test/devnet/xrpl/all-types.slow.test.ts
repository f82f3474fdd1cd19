import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { XRPL_DEFAULTS } from '../../../src/devnet/xrpl/ledger.ts';
import { Invariants } from '../../support/xrpl-ledger/invariants.ts';
import { BUSY, QUIET, RandomActs, randomOf } from '../../support/xrpl-ledger/random-acts.ts';
import {
  genesis,
  type Json,
  payment,
  type TestLedger,
  testLedger,
  XRP,
} from '../../support/xrpl-ledger/test-ledger.ts';

/** `XRPL_TRANSACTIONS=100000` is the long run. */
const COUNT = Number(process.env.XRPL_TRANSACTIONS ?? 200);
const SEED = Number(process.env.TEST_SEED ?? Date.now() & 0x7fffffff);
const MAX_PER_LEDGER = 150;
const RESTARTS = 3;
/** A long run has them all. */
const COMMON_RESULTS = [
  'tesSUCCESS',
  'tecTOO_SOON',
  'tecNO_ENTRY',
  'tecDUPLICATE',
  'tecNO_PERMISSION',
  'tefBAD_AUTH',
  'tefBAD_QUORUM',
  'tefBAD_SIGNATURE',
  'tefNOT_MULTI_SIGNING',
];

async function fund(ledger: TestLedger): Promise<void> {
  for (const account of [...BUSY, ...QUIET])
    expect(await ledger.submit(payment(genesis, account, 1_000n * XRP), genesis)).toMatchObject({
      engine_result: 'tesSUCCESS',
    });
  // From here on the quiet accounts are old enough to be deleted.
  for (let n = 0; n < 260; n++) ledger.controls.close();
}

/**
 * The rich genesis account feeds the accounts, also those that were deleted. With deposit authorization an account takes
 * no more than the base reserve, and only when it has no more.
 */
async function refill(ledger: TestLedger): Promise<void> {
  const reserve = XRPL_DEFAULTS.fees.reserveBase;
  for (const account of [...BUSY, ...QUIET]) {
    const held = await ledger.account(account.address, 'current');
    const balance = BigInt(String(held?.Balance ?? 0));
    const drops = balance <= reserve ? reserve : 500n * XRP;
    if (balance < 20n * XRP) await ledger.submit(payment(genesis, account, drops, { DestinationTag: 1 }), genesis);
  }
}

async function wholeState(ledger: TestLedger): Promise<Json> {
  const wish = { ledger_index: 'validated', transactions: true, expand: true, accounts: true };
  return (await ledger.rpc('ledger', wish)).ledger as Json;
}

test(`transactions of all types keep the invariants of every ledger (TEST_SEED=${SEED})`, {
  timeout: 60_000 + COUNT * 60,
}, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'xrpl-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const open = () => testLedger({ databasePath: join(directory, 'ledger.db') });
  let ledger = await open();
  onTestFinished(() => ledger.close());
  const random = randomOf(SEED);
  const results = new Map<string, number>();
  let invariants = new Invariants(ledger);
  let acts = new RandomActs(ledger, random);
  await fund(ledger);
  await acts.circulate();
  ledger.controls.close();
  await invariants.begin();
  let submitted = 0;
  let [transactions, restarts] = [0, 0];
  while (submitted < COUNT) {
    for (let n = 1 + random(MAX_PER_LEDGER); n > 0; n--, submitted++) {
      const result = await acts.act();
      results.set(result, (results.get(result) ?? 0) + 1);
    }
    await refill(ledger);
    ledger.clock.time += 1_000;
    if (random(10) === 0) ledger.controls.reorderNextClose();
    if (random(10) === 0) ledger.controls.dropNext();
    if (random(10) === 0) ledger.controls.delayNext(2);
    ledger.controls.close();
    await invariants.check();
    if (submitted < (COUNT * (restarts + 1)) / (RESTARTS + 1)) continue;
    restarts++;
    const before = await wholeState(ledger);
    transactions += invariants.transactions;
    await ledger.close();
    ledger = await open();
    expect(await wholeState(ledger)).toEqual(before);
    invariants = new Invariants(ledger);
    acts = new RandomActs(ledger, random);
    await invariants.begin();
  }
  transactions += invariants.transactions;
  console.log(`seed ${SEED}: ${submitted} submitted, ${transactions} in ledgers`, Object.fromEntries(results));
  expect(transactions).toBeGreaterThan(COUNT / 4);
  const certain = COUNT < 5_000 ? ['tesSUCCESS'] : COMMON_RESULTS;
  for (const result of certain) expect(results.get(result) ?? 0, result).toBeGreaterThan(0);
  expect(results).not.toHaveProperty('invalidTransaction');
});

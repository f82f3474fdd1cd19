import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Invariants } from '../../support/xrpl-ledger/invariants.ts';
import {
  type Account,
  accountOf,
  genesis,
  type Json,
  NETWORK_ID,
  payment,
  signed,
  type TestLedger,
  testLedger,
  XRP,
} from '../../support/xrpl-ledger/test-ledger.ts';

const SEED = Number(process.env.TEST_SEED ?? Date.now() & 0x7fffffff);
const accounts = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, n) =>
  accountOf(name, n % 2 ? 'ecdsa-secp256k1' : 'ed25519'),
);
const who = fc.nat(accounts.length - 1).map(n => accounts[n] as Account);
const amount = fc.oneof(fc.bigInt(1n, 3n * XRP), fc.bigInt(1n, 200n * XRP), fc.constantFrom(0n, 10n ** 16n));
const fee = fc.constantFrom('10', '10', '12', '5000', '9', '1000000');

type Act =
  | { kind: 'submit'; json: () => Json; by: Account; account: Account; shift: number; fee: string; hard: boolean }
  | { kind: 'close' | 'reorder' | 'drop' | 'again' }
  | { kind: 'delay'; closes: number };

interface World {
  readonly blobs: string[];
}

const body = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(who, amount, fc.option(fc.nat(0xffffffff), { nil: undefined })).map(toPayment) },
  {
    weight: 2,
    arbitrary: fc.record({ SetFlag: fc.nat(17) }).map(json => () => ({ TransactionType: 'AccountSet', ...json })),
  },
  {
    weight: 2,
    arbitrary: fc.record({ ClearFlag: fc.nat(17) }).map(json => () => ({ TransactionType: 'AccountSet', ...json })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('6578616D706C65', '').map(Domain => () => ({ TransactionType: 'AccountSet', Domain })),
  },
  {
    weight: 2,
    arbitrary: fc
      .integer({ min: 1, max: 70 })
      .map(TicketCount => () => ({ TransactionType: 'TicketCreate', TicketCount })),
  },
  { weight: 1, arbitrary: fc.option(who, { nil: undefined }).map(toRegularKey) },
);
function toPayment([to, drops, tag]: [Account, bigint, number | undefined]) {
  return () => payment('', to, drops, tag === undefined ? {} : { DestinationTag: tag });
}
function toRegularKey(key: Account | undefined) {
  return () => ({ TransactionType: 'SetRegularKey', ...(key ? { RegularKey: key.address } : {}) });
}

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .record({
        json: body,
        account: who,
        foreign: fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: who }),
        shift: fc.oneof(
          { weight: 8, arbitrary: fc.constant(0) },
          { weight: 1, arbitrary: fc.integer({ min: -1, max: 3 }) },
          { weight: 2, arbitrary: fc.constant(99) },
        ),
        fee,
        hard: fc.boolean(),
      })
      .map(({ foreign, ...rest }) => ({ kind: 'submit' as const, by: foreign ?? rest.account, ...rest })),
  },
  { weight: 3, arbitrary: fc.constantFrom<Act>({ kind: 'close' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Act>(
      { kind: 'reorder' },
      { kind: 'drop' },
      { kind: 'again' },
      { kind: 'delay', closes: 2 },
    ),
  },
);

/** A shift of 99 stands for: with a ticket, if the account has any. */
async function submit(ledger: TestLedger, world: World, given: Extract<Act, { kind: 'submit' }>): Promise<Json> {
  const { address } = given.account;
  const next = Number((await ledger.account(address, 'current'))?.Sequence ?? 1);
  const objects =
    given.shift === 99
      ? ((await ledger.rpc('account_objects', { account: address })).account_objects as Json[] | undefined)
      : [];
  const ticket = objects?.[0]?.TicketSequence;
  const place =
    ticket === undefined
      ? { Sequence: Math.max(1, next + (given.shift % 99)) }
      : { Sequence: 0, TicketSequence: ticket };
  const json = { Fee: given.fee, NetworkID: NETWORK_ID, ...given.json(), Account: address, ...place };
  const blob = signed(json, given.by);
  world.blobs.push(blob);
  return ledger.submitBlob(blob, { fail_hard: given.hard && given.shift === 0 });
}

test(`whatever is submitted, every closed ledger keeps the invariants (TEST_SEED=${SEED})`, {
  timeout: 120_000,
}, async () => {
  const results = new Map<string, number>();
  let transactions = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 20, maxLength: 80, size: 'max' }), async acts => {
      const ledger = await testLedger();
      const invariants = new Invariants(ledger);
      const world: World = { blobs: [] };
      const close = async () => {
        ledger.clock.time += 1_000;
        ledger.controls.close();
        await invariants.check();
      };
      try {
        for (const account of accounts) await ledger.submit(payment(genesis, account, 100n * XRP), genesis);
        await close();
        for (const each of acts) {
          if (each.kind === 'submit') invariants.count((await submit(ledger, world, each)).engine_result);
          else if (each.kind === 'close') await close();
          else if (each.kind === 'reorder') ledger.controls.reorderNextClose();
          else if (each.kind === 'drop') ledger.controls.dropNext();
          else if (each.kind === 'delay') ledger.controls.delayNext(each.closes);
          else if (world.blobs.length) await ledger.submitBlob(world.blobs[world.blobs.length >> 1] as string);
        }
        for (let n = 0; n < 3; n++) await close();
      } finally {
        await ledger.close();
      }
      transactions += invariants.transactions;
      for (const [result, count] of invariants.results) results.set(result, (results.get(result) ?? 0) + count);
    }),
    { seed: SEED, numRuns: Number(process.env.XRPL_RUNS ?? 15) },
  );
  console.log(`seed ${SEED}: ${transactions} transactions`, Object.fromEntries(results));
  expect(transactions).toBeGreaterThan(250);
  // Which of them a few runs meet is chance. A generator that has run dry meets one or two.
  const usual = ['tesSUCCESS', 'tecUNFUNDED_PAYMENT', 'terPRE_SEQ', 'tefPAST_SEQ', 'tefBAD_AUTH'];
  expect(usual.filter(result => results.has(result)).length).toBeGreaterThan(2);
});

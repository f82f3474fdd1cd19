import { afterEach, expect, test } from 'vitest';
import { checkHash } from './invariants.ts';
import { accountOf, genesis, type Json, payment, type TestLedger, testLedger, XRP } from './support.ts';

const alice = accountOf('alice');
let ledger: TestLedger;
afterEach(() => ledger.close());

test('any kept ledger can be read as it was: accounts, state, hashes', async () => {
  ledger = await testLedger();
  const told: [number, bigint][] = [];
  for (let n = 1; n <= 6; n++) {
    await ledger.submit(payment(genesis, alice, BigInt(n) * XRP), genesis);
    told.push([ledger.knobs.close().index, (BigInt(n * (n + 1)) / 2n) * XRP]);
  }
  for (const [index, balance] of told) {
    expect((await ledger.account(alice.address, index))?.Balance).toBe(String(balance));
    const wish = { ledger_index: index, transactions: true, expand: true, accounts: true, api_version: 1 };
    checkHash((await ledger.rpc('ledger', wish)).ledger as Json);
  }
});

test('with keepLedgers the ledger keeps that many, and each of them whole', async () => {
  ledger = await testLedger({ keepLedgers: 4 });
  await ledger.submit(
    { TransactionType: 'TicketCreate', Account: genesis.address, TicketCount: 40 },
    genesis,
  );
  for (let n = 0; n < 12; n++) {
    await ledger.submit(payment(genesis, alice, XRP), genesis);
    const tickets = (await ledger.rpc('account_objects', { account: genesis.address }))
      .account_objects as Json[];
    const { TicketSequence } = tickets[0] as Json;
    await ledger.submit(payment(genesis, alice, XRP, { Sequence: 0, TicketSequence }), genesis);
    ledger.clock.time += 1_000;
    ledger.knobs.close();
  }
  const info = (await ledger.rpc('server_info')).info as Json;
  const [first = 0, last = 0] = String(info.complete_ledgers).split('-').map(Number);
  expect(last - first).toBe(3);
  for (let index = first; index <= last; index++) {
    const wish = { ledger_index: index, transactions: true, expand: true, accounts: true, api_version: 1 };
    checkHash((await ledger.rpc('ledger', wish)).ledger as Json);
  }
  expect(await ledger.rpc('ledger', { ledger_index: first - 1 })).toMatchObject({ error: 'lgrNotFound' });
  const all = await ledger.rpc('account_tx', { account: alice.address });
  expect(all).toMatchObject({ ledger_index_min: first, ledger_index_max: last });
  expect((all.transactions as Json[]).every(tx => Number(tx.ledger_index) >= first)).toBe(true);
});

import { afterAll, describe, expect, test } from 'vitest';
import { hashes, type Payment, type Wallet, xrpToDrops } from 'xrpl';
import {
  connectTo,
  faucetOptions,
  type Json,
  leaveOut,
  newWallet,
  payment,
  signBlob,
  XRP,
} from '../support/xrpl-network/network.ts';
import { isForeign, openServer, startLedger } from '../support/xrpl-network/server.ts';

/** The common uses of xrpl.js, on a server that closes by itself. */
const network = await connectTo(await (isForeign ? openServer() : startLedger('--close-interval', '200')));
const [alice, bob] = (await network.fund(200, 20)) as [Wallet, Wallet];
afterAll(() => network?.disconnect());

const pay = (more: Partial<Payment> = {}): Payment => ({
  TransactionType: 'Payment',
  Account: alice.classicAddress,
  Destination: bob.classicAddress,
  Amount: xrpToDrops(1),
  ...more,
});

test('connect: the client knows network and version', () => {
  const { networkId } = network.facts;
  expect(network.client.networkID).toBe(networkId);
  expect(network.client.buildVersion).toMatch(/^\d+\.\d+\.\d+/);
});

test('autofill: Sequence, Fee with the 20 % of the client, LastLedgerSequence 20 ahead, NetworkID above 1024', async () => {
  const filled = await network.client.autofill(pay());
  const { Sequence } = (await network.account(alice.classicAddress, 'current'))!;
  const newest = await network.validatedIndex();
  expect(filled.Sequence).toBe(Sequence);
  expect(BigInt(filled.Fee!)).toBeGreaterThanOrEqual((network.facts.baseFee * 12n) / 10n);
  expect(filled.LastLedgerSequence! - newest).toBeGreaterThan(10);
  expect(filled.LastLedgerSequence! - newest).toBeLessThanOrEqual(20);
  expect(filled.NetworkID).toBe(network.facts.networkId > 1024 ? network.facts.networkId : undefined);
});

test('submit: the answer shows Amount, never DeliverMax, and says what comes next', async () => {
  const { result } = await network.client.submit(pay({ DestinationTag: 5 }), { wallet: alice });
  expect(result).toMatchObject({
    engine_result: 'tesSUCCESS',
    engine_result_code: 0,
    accepted: true,
    applied: true,
    broadcast: true,
    kept: true,
    queued: false,
    tx_json: { Amount: '1000000', DestinationTag: 5 },
    account_sequence_next: Number(result.tx_json.Sequence) + 1,
    open_ledger_cost: String(network.facts.baseFee),
    validated_ledger_index: expect.any(Number),
  });
  expect(result.tx_json).not.toHaveProperty('DeliverMax');
});

test('submitAndWait: a payment is validated, and the money has moved', async () => {
  const before = await network.balance(bob.classicAddress);
  const { result } = await network.client.submitAndWait(pay(), { wallet: alice });
  expect(result).toMatchObject({
    validated: true,
    meta: { TransactionResult: 'tesSUCCESS', delivered_amount: '1000000' },
  });
  expect(await network.balance(bob.classicAddress)).toBeGreaterThanOrEqual(before + XRP);
});

test('submitAndWait: DeliverMax instead of Amount, and an X-address with a tag', async () => {
  const { Amount: _, ...rest } = pay({
    Destination: bob.getXAddress(4_294_967_295),
    DeliverMax: '7',
  } as Partial<Payment>);
  const { result } = await network.client.submitAndWait(rest as Payment, { wallet: alice });
  expect(result.tx_json).toMatchObject({
    Destination: bob.classicAddress,
    DestinationTag: 4_294_967_295,
    DeliverMax: '7',
  });
});

test('submitAndWait: a tec is returned as validated, a tem is thrown', async () => {
  const { result } = await network.client.submitAndWait(pay({ Amount: xrpToDrops(100_000) }), { wallet: alice });
  expect(result).toMatchObject({ validated: true, meta: { TransactionResult: 'tecUNFUNDED_PAYMENT' } });
  const own = pay({ Destination: alice.classicAddress });
  await expect(network.client.submitAndWait(own, { wallet: alice })).rejects.toThrow('The transaction is redundant.');
});

test('fundWallet: the balance rises, of a new account and of one that exists', async context => {
  const { faucet } = network.server;
  if (isForeign && faucet === undefined) leaveOut(context, 'XRPL_FAUCET names no faucet');
  const { wallet, balance } = await network.client.fundWallet(null, { ...faucetOptions(faucet), amount: '50' });
  expect(balance).toBe(50);
  const again = await network.client.fundWallet(wallet, { ...faucetOptions(faucet), amount: '25' });
  expect(again).toMatchObject({ balance: 75, wallet });
});

test('getXrpBalance, getBalances, getLedgerIndex', async () => {
  const [someone] = (await network.fund(33)) as [Wallet];
  expect(await network.client.getXrpBalance(someone.classicAddress)).toBe(33);
  expect(await network.client.getBalances(someone.classicAddress)).toEqual([{ currency: 'XRP', value: '33' }]);
  const index = await network.client.getLedgerIndex();
  expect(await network.validatedIndex()).toBeGreaterThanOrEqual(index);
  await expect(network.client.getXrpBalance(newWallet().classicAddress)).rejects.toThrow('Account not found.');
});

test('requestAll follows the markers to the end', async context => {
  if (!network.facts.closesOnDemand) leaveOut(context, 'it takes more than 400 payments');
  const MORE_THAN_A_PAGE = 410;
  const [someone] = (await network.fund(20)) as [Wallet];
  const first = await network.filled(payment(someone, bob.classicAddress, 1n));
  const blobs = Array.from({ length: MORE_THAN_A_PAGE }, (_, n) =>
    signBlob({ ...first, Sequence: Number(first.Sequence) + n }, someone),
  );
  await Promise.all(blobs.map(tx_blob => network.ask('submit', { tx_blob })));
  await network.close();
  const range = { ledger_index_min: -1, ledger_index_max: -1 };
  const request = { command: 'account_tx', account: someone.classicAddress, ...range, forward: true } as const;
  const pages = (await network.client.requestAll(request)) as unknown as { result: { transactions: { tx: Json }[] } }[];
  const found = pages.flatMap(({ result }) => result.transactions.map(({ tx }) => tx.hash));
  expect(pages).toHaveLength(2);
  expect(found.slice(1)).toEqual(blobs.map(hashes.hashSignedTx));
}, 60_000);

describe('out of order', () => {
  test('XRPL-4.1: transactions that come before their turn are held, and applied when the gap fills', async () => {
    const [someone] = (await network.fund(20)) as [Wallet];
    const { Sequence } = (await network.account(someone.classicAddress))!;
    const later = (n: number) => payment(someone, bob.classicAddress, BigInt(n), { Sequence: Sequence + n });
    const held = [];
    for (const n of [3, 1, 2]) {
      const answer = await network.submit(later(n), someone);
      expect(answer).toMatchObject({ engine_result: 'terPRE_SEQ', applied: false });
      held.push(String((answer.tx_json as Json).hash));
    }
    await network.close();
    for (const hash of held) expect(await network.found(hash)).toBeUndefined();
    await network.apply(payment(someone, bob.classicAddress, 9n, { Sequence }), someone);
    await network.close();
    for (const hash of held)
      expect((await network.found(hash))?.meta).toMatchObject({ TransactionResult: 'tesSUCCESS' });
    expect((await network.account(someone.classicAddress))?.Sequence).toBe(Sequence + 4);
  });

  test('fail_hard: a tec is not applied, and what comes before its turn is not held', async () => {
    const [someone] = (await network.fund(20)) as [Wallet];
    const before = (await network.account(someone.classicAddress))!;
    const fail_hard = { fail_hard: true };
    const unfunded = await network.submit(payment(someone, bob.classicAddress, 1_000n * XRP), someone, fail_hard);
    expect(unfunded).toMatchObject({ engine_result: 'tecUNFUNDED_PAYMENT', applied: false });
    const early = payment(someone, bob.classicAddress, 1n, { Sequence: before.Sequence + 1 });
    expect(await network.submit(early, someone, fail_hard)).toMatchObject({ engine_result: 'terPRE_SEQ', kept: false });
    await network.close();
    expect(await network.account(someone.classicAddress)).toEqual(before);
    await network.apply(payment(someone, bob.classicAddress, 1n), someone);
    await network.close();
    expect((await network.account(someone.classicAddress))?.Sequence).toBe(before.Sequence + 1);
  });
});

test('XRPL-4.3: a new account begins with the index of the ledger that creates it', async () => {
  const young = newWallet();
  const hash = await network.apply(payment(alice, young.classicAddress, 10n * XRP), alice);
  await network.close();
  const placed = (await network.found(hash))!;
  expect((await network.account(young.classicAddress))?.Sequence).toBe(placed.ledger_index);
});

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { connect, type Json, leaveOut, type Network, payment, signBlob } from '../support/xrpl-network/network.ts';
import { assemble, type Cast } from '../support/xrpl-network/results/cast.ts';
import { REFUSED_ROWS } from '../support/xrpl-network/results/refused.ts';
import { RIGHTS_ROWS } from '../support/xrpl-network/results/rights.ts';
import { SPENT_ROWS } from '../support/xrpl-network/results/spent.ts';
import { isForeign } from '../support/xrpl-network/server.ts';

/** Ours has two faces: transactions name their network above 1024, and must not up to it. */
const NETWORKS = isForeign ? ['as it is'] : ['21117', '0'];

describe.each(NETWORKS)('network id %s', id => {
  let network: Network;
  let cast: Cast;
  beforeAll(async () => {
    network = await connect('--network-id', id);
    cast = await assemble(network);
  }, 120_000);
  afterAll(() => network?.disconnect());

  const own = { networkId: Number(id), isPaymentsOnly: true };
  const rows = [...SPENT_ROWS, ...REFUSED_ROWS, ...RIGHTS_ROWS].filter(({ only }) => isForeign || !only || only(own));

  test.for(rows)('XRPL-4.2 $result: $when', async (row, context) => {
    if (row.only && !row.only(network.facts)) leaveOut(context, `not on this server: ${row.result}`);
    const json = await network.filled(await row.json(cast, network));
    const from = String(json.Account);
    const to = String(json.Destination ?? from);
    const before = await look(network, from, to);
    const blob = signBlob(json, row.signer?.(cast) ?? signerOf(cast, from));
    const answer = await network.ask('submit', { tx_blob: blob });
    const { result, code, message } = row;
    const applied = code >= 0;
    expect(answer).toMatchObject({
      engine_result: result,
      engine_result_code: code,
      engine_result_message: message,
      applied,
      tx_blob: blob,
    });
    await network.close();
    const { hash } = answer.tx_json as Json;
    const placed = await network.found(String(hash));
    expect(placed !== undefined).toBe(applied);
    if (placed) await expectInLedger(network, placed, result, BigInt(String(json.Fee)));
    expectBalances(before, await look(network, from, to), json, row.code);
  });
});

const signerOf = (cast: Cast, address: string): Wallet =>
  Object.values(cast).find(wallet => wallet.classicAddress === address) ?? cast.alice;

interface Look {
  from: { balance: bigint; sequence: number; owned: number };
  to: bigint;
}

async function look(network: Network, from: string, to: string): Promise<Look> {
  const root = await network.account(from);
  return {
    from: { balance: BigInt(root?.Balance ?? 0), sequence: root?.Sequence ?? 0, owned: root?.OwnerCount ?? 0 },
    to: await network.balance(to),
  };
}

/** tes: all of it happens. tec: the fee and the Sequence are spent. Else: nothing at all. */
function expectBalances(before: Look, after: Look, json: Json, code: number): void {
  const spent = code >= 0;
  const fee = spent ? BigInt(String(json.Fee)) : 0n;
  const amount = code === 0 ? BigInt(String(json.Amount)) : 0n;
  const ticket = spent && json.TicketSequence !== undefined ? 1 : 0;
  expect(after.from).toEqual({
    balance: before.from.balance - fee - amount,
    sequence: before.from.sequence + (spent ? 1 - ticket : 0),
    owned: before.from.owned - ticket,
  });
  if (json.Destination !== undefined && json.Destination !== json.Account) expect(after.to).toBe(before.to + amount);
}

/** The fees of a ledger are what is missing from the total against the ledger before. */
async function expectInLedger(network: Network, placed: Json, result: string, fee: bigint): Promise<void> {
  expect(placed.meta).toMatchObject({ TransactionResult: result });
  const index = Number(placed.ledger_index);
  const read = async (ledger_index: number) =>
    (await network.ask('ledger', { ledger_index, transactions: true, expand: true })).ledger as Json;
  const [ledger, parent] = [await read(index), await read(index - 1)];
  const fees = (ledger.transactions as Json[]).map(({ tx_json }) => BigInt(String((tx_json as Json).Fee)));
  const total = fees.reduce((sum, each) => sum + each, 0n);
  expect(fees).toContain(fee);
  expect(BigInt(String(parent.total_coins)) - BigInt(String(ledger.total_coins))).toBe(total);
}

/** Payments at the base fee until one is queued; its hash, or undefined where the ledger closed meanwhile. */
async function flood(network: Network, from: Wallet, to: Wallet) {
  await network.close();
  // So many at the base fee, one more that is not yet too many, and the one that is.
  const most = Number((await network.ask('fee')).expected_ledger_size) + 2;
  const first = (await network.account(from.classicAddress, 'current'))!.Sequence;
  const template = await network.filled(payment(from, to.classicAddress, 1n, { Sequence: first }));
  const blobs = Array.from({ length: most }, (_, n) => signBlob({ ...template, Sequence: first + n }, from));
  const answers = await Promise.all(blobs.map(tx_blob => network.ask('submit', { tx_blob })));
  const results = answers.map(answer => String(answer.engine_result));
  const last = answers[most - 1]!;
  const queued = last.engine_result === 'terQUEUED' ? String((last.tx_json as Json).hash) : undefined;
  return { queued, results };
}

test('terQUEUED: with more than the expected transactions in the open ledger, the next at the base fee waits', async context => {
  const network = await connect();
  onTestFinished(() => network.disconnect());
  if (!network.facts.closesOnDemand) leaveOut(context, 'a network fills no ledger for us');
  const [from, to] = (await network.fund(50, 50)) as [Wallet, Wallet];
  const { queued, results } = await flood(network, from, to);
  if (queued === undefined) return leaveOut(context, `no ledger was filled: ${[...new Set(results)].join()}`);
  await network.close();
  await network.close();
  expect((await network.found(queued))?.meta).toMatchObject({ TransactionResult: 'tesSUCCESS' });
}, 60_000);

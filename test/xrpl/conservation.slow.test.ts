import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { Conservation } from '../support/xrpl-network/conservation.ts';
import {
  connect,
  type Json,
  type Network,
  newWallet,
  payment,
  signBlob,
  XRP,
} from '../support/xrpl-network/network.ts';

const LEDGERS = 30;
const MAX_PER_LEDGER = 12;
let network: Network;
beforeAll(async () => {
  network = await connect();
});
afterAll(() => network?.disconnect());

/** Numbers below `limit` in a row that only the seed decides. */
function randomOf(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return limit => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

test('XRPL-3: under random load every ledger conserves money, and all of its hashes can be recomputed', async () => {
  const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 32));
  process.stdout.write(`conservation: TEST_SEED=${seed}\n`);
  const random = randomOf(seed);
  const base = Number(network.facts.reserveBase / XRP);
  const wallets = await network.fund(...[50, 50, 30, 10, 2].map(xrp => base + xrp));
  if (!network.facts.showsState)
    process.stderr.write('LEFT OUT: sums of balances and state hashes: the server shows no state\n');
  const conservation = new Conservation(network);
  await conservation.checkThrough(await network.validatedIndex());
  const ledgers = network.facts.closesOnDemand ? LEDGERS : 3;
  for (let n = 0; n < ledgers; n++) {
    await submitSome(network, wallets, random, 1 + random(MAX_PER_LEDGER));
    await conservation.checkThrough(await network.close());
  }
  process.stdout.write(`conservation: ${JSON.stringify(Object.fromEntries(conservation.results))}\n`);
  expect(conservation.results.get('tesSUCCESS')).toBeGreaterThan(ledgers);
  expect([...conservation.results.keys()].some(result => result.startsWith('tec'))).toBe(true);
});

type Random = (limit: number) => number;

async function submitSome(to: Network, wallets: Wallet[], random: Random, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const from = wallets[random(wallets.length)]!;
    const json = await to.filled(wish(to, wallets, from, random));
    await to.ask('submit', { tx_blob: signBlob(json, from) });
  }
}

/** Good ones, doomed ones, and those that come out of order. */
function wish(to: Network, wallets: Wallet[], from: Wallet, random: Random): Json {
  const Account = from.classicAddress;
  const other = wallets[random(wallets.length)]!.classicAddress;
  const { baseFee, reserveBase } = to.facts;
  const Fee = String(baseFee * BigInt(1 + random(300)));
  switch (random(10)) {
    case 0: {
      const young = newWallet(random(2));
      if (wallets.length < 12) wallets.push(young);
      return payment(from, young.classicAddress, reserveBase + BigInt(random(2_000_000)), { Fee });
    }
    case 1:
      return payment(from, newWallet().classicAddress, BigInt(1 + random(900_000)), { Fee });
    case 2:
      return payment(from, other, 1_000n * XRP, { Fee });
    case 3:
      return { TransactionType: 'AccountSet', Account, Fee, Domain: random(2) ? 'AB'.repeat(1 + random(40)) : '' };
    case 4:
      return { TransactionType: 'AccountSet', Account, Fee, ...(random(2) ? { SetFlag: 1 } : { ClearFlag: 1 }) };
    case 5:
      return { TransactionType: 'TicketCreate', Account, Fee, TicketCount: 1 + random(3) };
    default:
      return payment(from, other, BigInt(1 + random(2_000_000)), { Fee, DestinationTag: random(5) });
  }
}

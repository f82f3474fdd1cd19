import type { Wallet } from 'xrpl';
import { type Json, type Network, newWallet, payment, XRP } from '../network.ts';

/** Accounts in the states that the results need; all but `nobody` exist. */
export interface Cast {
  readonly alice: Wallet;
  readonly bob: Wallet;
  readonly nobody: Wallet;
  /** Demands a destination tag. */
  readonly strict: Wallet;
  /** Takes no deposits. */
  readonly shy: Wallet;
  /** Little above its reserve. */
  readonly poor: Wallet;
  /** Owns two tickets, the numbers after the one that it used. */
  readonly holder: Wallet;
  readonly usedTicket: number;
  /** Owns nothing, and spends all that it may. */
  readonly spender: Wallet;
  /** Has `key` as its regular key. */
  readonly keyed: Wallet;
  readonly key: Wallet;
  /** Signs only by `key`: its master key is disabled. */
  readonly locked: Wallet;
}

/** The XRP that each of them gets, beside the reserve of an account. */
const ABOVE_RESERVE = [200, 100, 20, 20, 1, 100, 20, 20, 5];

export async function assemble(network: Network): Promise<Cast> {
  const reserve = Number(network.facts.reserveBase / XRP);
  const [alice, bob, strict, shy, poor, holder, keyed, locked, spender] = (await network.fund(
    ...ABOVE_RESERVE.map(xrp => reserve + xrp),
  )) as [Wallet, Wallet, Wallet, Wallet, Wallet, Wallet, Wallet, Wallet, Wallet];
  const [nobody, key] = [newWallet(), newWallet(1)];
  const set = (account: Wallet, json: Json) =>
    network.apply({ TransactionType: 'AccountSet', Account: account.classicAddress, ...json }, account);
  await set(strict, { SetFlag: 1 });
  await set(shy, { SetFlag: 9 });
  for (const account of [keyed, locked]) {
    const json = { TransactionType: 'SetRegularKey', Account: account.classicAddress };
    await network.apply({ ...json, RegularKey: key.classicAddress }, account);
  }
  await set(locked, { SetFlag: 4 });
  await network.apply({ TransactionType: 'TicketCreate', Account: holder.classicAddress, TicketCount: 3 }, holder);
  await network.close();
  const usedTicket = (await network.account(holder.classicAddress))!.Sequence - 1;
  const byTicket = { Sequence: 0, TicketSequence: usedTicket };
  await network.apply({ ...payment(holder, bob.classicAddress, 1n), ...byTicket }, holder);
  await network.close();
  return { alice, bob, nobody, strict, shy, poor, holder, usedTicket, keyed, key, locked, spender };
}

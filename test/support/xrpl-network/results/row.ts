import type { Wallet } from 'xrpl';
import { type Facts, type Json, type Network, payment } from '../network.ts';
import type { Cast } from './cast.ts';

export type Kind = Pick<Facts, 'networkId' | 'isPaymentsOnly'>;

export interface Row {
  readonly result: string;
  readonly code: number;
  readonly message: string;
  readonly when: string;
  /** By default Account, Sequence, Fee and NetworkID are right, and the account signs. */
  readonly json: (cast: Cast, network: Network) => Json | Promise<Json>;
  readonly signer?: (cast: Cast) => Wallet;
  /** Only for networks where it can happen. */
  readonly only?: (kind: Kind) => boolean;
}

export type Told = readonly [code: number, message: string];
export const row = (
  result: string,
  [code, message]: Told,
  when: string,
  json: Row['json'],
  more: Partial<Row> = {},
): Row => ({ result, code, message, when, json, ...more });

export const pay =
  (more: Json = {}) =>
  ({ alice, bob }: Cast) =>
    payment(alice, bob.classicAddress, 1n, more);
export const settings =
  (more: Json) =>
  ({ alice }: Cast) => ({ TransactionType: 'AccountSet', Account: alice.classicAddress, ...more });
export const tickets =
  (TicketCount: number, who: (cast: Cast) => Wallet = cast => cast.alice) =>
  (cast: Cast) => ({ TransactionType: 'TicketCreate', Account: who(cast).classicAddress, TicketCount });
export const usd = ({ bob }: Cast) => ({ currency: 'USD', issuer: bob.classicAddress, value: '1' });
export const sequenceOf = async (network: Network, { classicAddress }: Wallet) =>
  (await network.account(classicAddress, 'current'))!.Sequence;
/** Everything above the reserve, which the owned objects raise. */
export async function spendable(network: Network, { classicAddress }: Wallet): Promise<bigint> {
  const { Balance, OwnerCount } = (await network.account(classicAddress))!;
  return BigInt(Balance) - network.facts.reserveBase - BigInt(OwnerCount) * network.facts.reserveIncrement;
}
/** Held by the server until then, and not longer: it must not come back in another test. */
export const soon = async (network: Network) => ({ LastLedgerSequence: (await network.validatedIndex()) + 2 });
export const ZERO = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';
export const named = ({ networkId }: Kind) => networkId > 1024;
export const paymentsOnly = ({ isPaymentsOnly }: Kind) => isPaymentsOnly;

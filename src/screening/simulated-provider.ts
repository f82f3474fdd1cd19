import { type HolderOf, isOwnedBy } from './account-owner.ts';
import type { Outage } from './load.ts';
import { AccessRefused, GroupNotFound, ProviderFailed, type ProviderKeys } from './port.ts';

export interface ReportedPayment {
  asset: string;
  txHash: string;
  /** As messages write it, with its tag where the ledger has tags. */
  outputAddress: string;
}
/**
 * `at`: epoch milliseconds of its block. NOT-FOUND: no block holds it, it has failed, or it pays somebody else. NO-LEDGER:
 * the asset has none here.
 */
export type PaymentOnLedger = { at: number } | 'NOT-FOUND' | 'NO-LEDGER';

/** The parts that all simulated providers share. */
export interface Simulation {
  accepted: ProviderKeys;
  holderOf: HolderOf;
  outages: readonly Outage[];
  /** D-42: looks for a reported payment on its ledger. */
  paymentAt(payment: ReportedPayment): Promise<PaymentOnLedger>;
  /** A new identifier of a request, a case or an alert. */
  newId(): string;
  /** The time that an asynchronous provider needs for a result. */
  answerMs: number;
}

export function checkKey(
  sim: Simulation,
  keys: ProviderKeys,
  key: Exclude<keyof ProviderKeys, 'wcoGroupId'>,
) {
  if (keys[key] !== sim.accepted[key]) throw new AccessRefused();
}

/** REF-7: an unknown group and a forbidden one get the same answer. */
export function checkGroup(sim: Simulation, keys: ProviderKeys): void {
  if (keys.wcoGroupId !== sim.accepted.wcoGroupId) throw new GroupNotFound();
}

/** Throws `ProviderFailed` for the first attempts, as the data says for this account. */
export async function checkOutage(
  sim: Simulation,
  attempted: Pick<Outage, 'provider' | 'call'> & { asset: string; address: string; attempt: number },
): Promise<void> {
  const relevant = sim.outages.filter(
    ({ provider, call }) => provider === attempted.provider && call === attempted.call,
  );
  if (relevant.length === 0) return;
  const { attempt, address } = attempted;
  const holder = await sim.holderOf(attempted.asset, address);
  if (relevant.some(({ times, of }) => attempt <= times && isOwnedBy(of, address, holder)))
    throw new ProviderFailed('the provider answered with an error');
}

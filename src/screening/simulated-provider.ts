import { type HolderOf, isOwnedBy } from './account-owner.ts';
import type { Outage } from './load.ts';
import {
  type AsyncScreening,
  ProviderError,
  type ProviderKeys,
  type ScreenedAddress,
  type StillWorking,
} from './port.ts';

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

/** REF-7: throws `ProviderError` for a wrong key or group, and in an outage that the data has for this account. */
export async function admit(
  sim: Simulation,
  keys: ProviderKeys,
  called: Pick<Outage, 'provider' | 'call'>,
  { asset, address, attempt }: ScreenedAddress & { attempt: number },
): Promise<void> {
  const { provider, call } = called;
  const key = `${provider}ApiKey` as const;
  if (keys[key] !== sim.accepted[key]) throw new ProviderError('ACCESS-REFUSED');
  const hasGroup = provider === 'wco' && call === 'register';
  if (hasGroup && keys.wcoGroupId !== sim.accepted.wcoGroupId) throw new ProviderError('GROUP-NOT-FOUND');
  const relevant = sim.outages.filter(each => each.provider === provider && each.call === call);
  if (relevant.length === 0) return;
  const holder = await sim.holderOf(asset, address);
  if (relevant.some(({ times, of }) => attempt <= times && isOwnedBy(of, address, holder)))
    throw new ProviderError('FAILED');
}

/** A provider whose result comes later. `addressOf`: the account whose outages count. */
export const answeringLater = <Subject, Finding>(
  sim: Simulation,
  provider: 'kyt' | 'wco',
  addressOf: (subject: Subject) => ScreenedAddress,
  find: (subject: Subject) => Promise<Finding | StillWorking>,
): AsyncScreening<Subject, Finding> => ({
  async register(keys, subject, attempt) {
    await admit(sim, keys, { provider, call: 'register' }, { ...addressOf(subject), attempt });
    return { reference: sim.newId(), readyInMs: sim.answerMs };
  },
  async result(keys, _reference, subject, attempt) {
    await admit(sim, keys, { provider, call: 'result' }, { ...addressOf(subject), attempt });
    return find(subject);
  },
});

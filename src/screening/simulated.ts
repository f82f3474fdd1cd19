import { MATCH_STRENGTHS, type MatchStrength } from '../contract/risk.ts';
import { isAtLeast, multiply } from '../kernel/decimal.ts';
import { pick } from '../kernel/members.ts';
import { runInParts } from '../kernel/turns.ts';
import {
  type AlertRule,
  addressKeys,
  type Exposure,
  type HolderOf,
  isOwnedBy,
  type Monitoring,
  type Outage,
  type SanctionList,
  type ScreeningData,
  WATCH_CATEGORIES,
  type WatchEntry,
} from './load.ts';
import {
  type Alert,
  type AsyncScreening,
  type MonitoredTransfer,
  type MonitoringFinding,
  type PersonFinding,
  ProviderError,
  type ProviderKeys,
  type SanctionFinding,
  type ScreenedAddress,
  type ScreenedParty,
  type Screening,
  type StillWorking,
} from './port.ts';

export interface ReportedPayment {
  asset: string;
  txHash: string;
  /** As messages write it, with its tag where the ledger has tags. */
  outputAddress: string;
}
/**
 * `at`: epoch milliseconds of its block. NOT-FOUND: no block holds it, it has failed, or it pays somebody else. UNREACHABLE:
 * its ledger does not answer now. NO-LEDGER: the asset has none here.
 */
export type PaymentOnLedger = { at: number } | 'NOT-FOUND' | 'UNREACHABLE' | 'NO-LEDGER';

/** The parts that all simulated providers share. */
interface Simulation {
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
async function admit(
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
const answeringLater = <Subject, Finding>(
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

/** Both providers, offline. The same data and the same request always give the same finding. */
export const simulatedScreening = (data: ScreeningData, simulation: Omit<Simulation, 'outages'>): Screening => {
  const sim = { ...simulation, outages: data.outages };
  return {
    sanction: simulatedSanction(data.sanctions, sim),
    kyt: simulatedKyt(data.monitoring, data.sanctions, sim),
    wco: simulatedWco(data.watchList, sim),
  };
};

type MatchStrengthOf = typeof import('./match-strength.ts').matchStrength;

/** REF-2.8 by a watch list: compares every person of the party with every entry, representatives included. */
const simulatedWco = (watchList: readonly WatchEntry[], sim: Simulation): Screening['wco'] =>
  answeringLater(
    sim,
    'wco',
    party => party,
    async party => {
      // Loaded on first use: the tables of transliteration are large.
      const { matchStrength } = await import('./match-strength.ts');
      return runInParts(findingOf(party, watchList, matchStrength));
    },
  );

/** Yields after each comparison: a request may hold thousands of names. */
function* findingOf(
  { persons }: ScreenedParty,
  watchList: readonly WatchEntry[],
  matchStrength: MatchStrengthOf,
): Generator<void, PersonFinding> {
  const matches: { strength: MatchStrength; category: WatchEntry['category'] }[] = [];
  for (const entry of watchList) {
    const strengths: (MatchStrength | null)[] = [];
    for (const person of persons) {
      strengths.push(matchStrength(person, entry));
      yield;
    }
    const strength = highest(strengths.filter(each => each !== null));
    if (strength !== null) matches.push({ strength, category: entry.category });
  }
  const countBy = <T extends string>(values: readonly T[], trait: (match: (typeof matches)[0]) => T) =>
    Object.fromEntries(values.map(value => [value, matches.filter(each => trait(each) === value).length]));
  return {
    matchStrength: highest(matches.map(({ strength }) => strength)),
    aggregatedSummaryResult: JSON.stringify({
      total: matches.length,
      byStrength: countBy(MATCH_STRENGTHS, ({ strength }) => strength),
      byCategory: countBy(WATCH_CATEGORIES, ({ category }) => category),
    }),
  };
}

const highest = (strengths: readonly MatchStrength[]): MatchStrength | null =>
  MATCH_STRENGTHS[Math.max(-1, ...strengths.map(strength => MATCH_STRENGTHS.indexOf(strength)))] ?? null;

/** REF-2.7 by rules: an exposure of the counterparty raises one alert, by the first rule that matches it. */
const simulatedKyt = (
  { rules, exposures }: Monitoring,
  lists: readonly SanctionList[],
  sim: Simulation,
): Screening['kyt'] =>
  answeringLater<MonitoredTransfer, MonitoringFinding>(
    sim,
    'kyt',
    ({ asset, counterpartyAddress: address }) => ({ asset, address }),
    async transfer => {
      const { asset, txHash, outputAddress } = transfer;
      // An address that is assessed before a withdrawal has no payment.
      const payment = txHash === undefined ? 'NO-LEDGER' : await sim.paymentAt({ asset, txHash, outputAddress });
      if (payment === 'NOT-FOUND') return { readyInMs: LOOK_AGAIN_MS, waitsFor: 'PAYMENT' };
      if (payment === 'UNREACHABLE') return { readyInMs: LOOK_AGAIN_MS, waitsFor: 'LEDGER' };
      const matching = await exposuresOf(transfer, exposures, lists, sim);
      return {
        alerts: matching.flatMap(exposure => {
          const rule = rules.find(each => matches(each, exposure, transfer));
          return rule ? [alertOf(rule, exposure, transfer, sim.newId())] : [];
        }),
        ...(payment === 'NO-LEDGER' ? {} : { transferredAt: payment.at }),
      };
    },
  );

/** D-42 */
const LOOK_AGAIN_MS = 5_000;

type CounterpartyExposure = Omit<Exposure, 'of'>;

/** The exposure of a transfer with a sanctioned counterparty: all of it. */
const SANCTIONED: CounterpartyExposure = {
  category: 'sanctioned entity',
  serviceName: null,
  exposureType: 'DIRECT',
  sharePercent: '100',
};

async function exposuresOf(
  { asset, counterpartyAddress: address }: MonitoredTransfer,
  exposures: readonly Exposure[],
  lists: readonly SanctionList[],
  sim: Simulation,
): Promise<CounterpartyExposure[]> {
  const holder = await sim.holderOf(asset, address);
  const listing = await listingOf(lists, sim, { asset, address });
  return [...(listing ? [SANCTIONED] : []), ...exposures.filter(exposure => isOwnedBy(exposure.of, address, holder))];
}

const matches = (rule: AlertRule, exposure: CounterpartyExposure, transfer: MonitoredTransfer): boolean =>
  isOrAny(rule.category, exposure.category) &&
  isOrAny(rule.exposureType, exposure.exposureType) &&
  isOrAny(rule.direction, transfer.direction) &&
  isOrAny(rule.asset, transfer.asset) &&
  (rule.minUsd === undefined || isAtLeast(transfer.usdPrice ?? '0', rule.minUsd));

const isOrAny = <T>(criterion: T | undefined, value: T): boolean => criterion === undefined || criterion === value;

const CENTS = 2;

const alertOf = (
  rule: AlertRule,
  exposure: CounterpartyExposure,
  transfer: MonitoredTransfer,
  alertId: string,
): Alert => ({
  alertId,
  alertLevel: rule.level,
  entityCategory: exposure.category,
  serviceName: exposure.exposureType === 'INDIRECT' ? null : exposure.serviceName, // REF-2.7
  exposureType: exposure.exposureType,
  alertAmount: multiply(multiply(transfer.usdPrice ?? '0', exposure.sharePercent, 6), '0.01', CENTS),
});

/** REF-2.5 by lists of published addresses and of users of the robot. The first list with the address decides. */
const simulatedSanction = (lists: readonly SanctionList[], sim: Simulation): Screening['sanction'] => ({
  async screen(keys, subject) {
    await admit(sim, keys, { provider: 'sanction', call: 'screen' }, { ...subject, attempt: 1 });
    return { listing: await listingOf(lists, sim, subject) };
  },
});

async function listingOf(
  lists: readonly SanctionList[],
  sim: Pick<Simulation, 'holderOf'>,
  { asset, address }: ScreenedAddress,
): Promise<SanctionFinding['listing']> {
  const holder = await sim.holderOf(asset, address);
  const keys = addressKeys(address);
  const list = lists.find(
    ({ addresses, of }) => keys.some(key => addresses.has(key)) || of.some(owner => isOwnedBy(owner, address, holder)),
  );
  return list ? pick(list, 'name', 'description', 'url') : null;
}

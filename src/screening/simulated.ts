import { MATCH_STRENGTHS, type MatchStrength } from '../contract/risk.ts';
import { type ScreeningData, WATCH_CATEGORIES, type WatchEntry } from './load.ts';
import type { PersonFinding, PersonScreening, ScreenedParty, Screening } from './port.ts';
import { simulatedKyt } from './simulated-kyt.ts';
import { answeringLater, type Simulation } from './simulated-provider.ts';
import { simulatedSanction } from './simulated-sanction.ts';

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
const simulatedWco = (watchList: readonly WatchEntry[], sim: Simulation): PersonScreening =>
  answeringLater(
    sim,
    'wco',
    party => party,
    async party => {
      // Loaded on first use: the tables of transliteration are large.
      const { matchStrength } = await import('./match-strength.ts');
      return findingOf(party, watchList, matchStrength);
    },
  );

function findingOf(
  { persons }: ScreenedParty,
  watchList: readonly WatchEntry[],
  matchStrength: MatchStrengthOf,
): PersonFinding {
  const matches = watchList.flatMap(entry => {
    const strengths = persons.flatMap(person => matchStrength(person, entry) ?? []);
    const strength = highest(strengths);
    return strength === null ? [] : [{ strength, category: entry.category }];
  });
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

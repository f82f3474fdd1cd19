import { MATCH_STRENGTHS, type MatchStrength } from '../contract/risk.ts';
import { WATCH_CATEGORIES, type WatchEntry } from './load.ts';
import type { PersonFinding, PersonScreening, ScreenedParty } from './port.ts';
import { checkGroup, checkKey, checkOutage, type Simulation } from './simulated-provider.ts';

type MatchStrengthOf = typeof import('./match-strength.ts').matchStrength;

/** REF-2.8 by a watch list: compares every person of the party with every entry, representatives included. */
export function simulatedWco(watchList: readonly WatchEntry[], sim: Simulation): PersonScreening {
  return {
    async register(keys, { asset, address }, attempt) {
      checkKey(sim, keys, 'wcoApiKey');
      checkGroup(sim, keys);
      await checkOutage(sim, { provider: 'wco', call: 'register', asset, address, attempt });
      return { reference: sim.newId(), readyInMs: sim.answerMs };
    },
    async result(keys, _reference, party, attempt) {
      const { asset, address } = party;
      checkKey(sim, keys, 'wcoApiKey');
      await checkOutage(sim, { provider: 'wco', call: 'result', asset, address, attempt });
      // Loaded on first use: the tables of transliteration are large.
      const { matchStrength } = await import('./match-strength.ts');
      return findingOf(party, watchList, matchStrength);
    },
  };
}

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

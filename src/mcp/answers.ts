import { cutText } from '../kernel/text.ts';
import type { Json } from './schemas.ts';

/** Of an answer that nobody has asked for in full: about 2,000 tokens. */
const MAX_LENGTH = 5_400;
const TEXTS = [2_000, 600, 200];
const LISTS = [80, 60, 40, 20, 10, 5];

const CUT = 'Long texts and lists are cut. `full`: true returns the whole answer.';

/** The answer, with its longest texts cut until it is short enough, then its longest lists. A page keeps its rows. */
export function fitting(answer: Json): Json {
  if (isShort(answer)) return answer;
  const withoutTexts = TEXTS.map(max => textsUpTo(max)(answer) as Json);
  const shortest = withoutTexts.at(-1)!;
  const withoutRows = answer.next === undefined ? LISTS.map(max => listsUpTo(max)(shortest) as Json) : [];
  const tried = [...withoutTexts, ...withoutRows];
  return { ...(tried.find(isShort) ?? tried.at(-1)!), cut: CUT };
}

const isShort = (answer: Json): boolean => JSON.stringify(answer).length <= MAX_LENGTH;

type Cut = (value: unknown) => unknown;

const textsUpTo = (max: number): Cut => everywhere(value => (typeof value === 'string' ? cutText(value, max) : value));

const listsUpTo = (max: number): Cut => everywhere(value => (Array.isArray(value) ? value.slice(0, max) : value));

const everywhere =
  (cut: Cut): Cut =>
  value => {
    const shorter = cut(value);
    if (Array.isArray(shorter)) return shorter.map(everywhere(cut));
    if (typeof shorter !== 'object' || shorter === null) return shorter;
    return Object.fromEntries(Object.entries(shorter).map(([name, each]) => [name, everywhere(cut)(each)]));
  };

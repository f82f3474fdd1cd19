import type { Context, MiddlewareHandler } from 'hono';
import { setCookie } from 'hono/cookie';
import { createContext, useContext } from 'hono/jsx';
import { type DetectorType, languageDetector } from 'hono/language';
import { english, type Texts } from './english.ts';
import access from './ko/access.json';
import api from './ko/api.json';
import checks from './ko/checks.json';
import frame from './ko/frame.json';
import guide from './ko/guide.json';
import overview from './ko/overview.json';
import records from './ko/records.json';
import sandbox from './ko/sandbox.json';
import send from './ko/send.json';
import conditions from './ko/sentences/conditions.json';
import problems from './ko/sentences/ivms101.json';
import outcomes from './ko/sentences/outcomes.json';
import said from './ko/sentences/sandbox.json';
import verifications from './ko/verifications.json';

export const korean: Texts = {
  ...access,
  ...api,
  ...checks,
  ...frame,
  ...guide,
  ...overview,
  ...records,
  ...sandbox,
  ...send,
  ...verifications,
  sentences: { ...conditions, ...problems, ...outcomes, ...said },
};

/**
 * Sentences of the API in another language. A key is the English sentence with `{}` for each of its values; `{0}` of the
 * translation is the first of them, in words of its own where it is a sentence, too. What has no key stays as it is.
 */
export function translatorOf(sentences: Readonly<Record<string, string>>): (text: string) => string {
  const own = new Map(Object.entries(sentences));
  const patterns = Object.entries(sentences)
    .map(([english, translated]) => ({ pieces: english.split('{}'), translated }))
    .sort((one, other) => other.pieces.join('').length - one.pieces.join('').length);

  const whole = (text: string): string | undefined => {
    for (const { pieces, translated } of patterns) {
      const values = valuesIn(text, pieces)?.map(translate);
      if (values && !values.some(value => IS_PROSE.test(value)))
        return translated.replace(/\{(\d)\}/g, (_, position: string) => values[+position] ?? '');
    }
    return undefined;
  };
  const translate = (text: string): string =>
    own.get(text.trim()) ??
    whole(text.trim()) ??
    text
      .split(SENTENCES)
      .map(each => whole(each) ?? each)
      .join(' ');
  return translate;
}

/** English words, not a name, an address or a code: around them a translation would be half of one. */
const IS_PROSE = /(?<![\w`-])[a-z]{2,} [a-z]{2,}(?![\w`-])/;
const SENTENCES = /(?<=\.) (?=\p{Lu})/u;

/** What stands between the pieces: never several sentences. Undefined: it is another sentence. */
function valuesIn(text: string, pieces: readonly string[]): string[] | undefined {
  const [first = '', ...others] = pieces;
  if (!text.startsWith(first)) return undefined;
  const values: string[] = [];
  let from = first.length;
  for (const [position, piece] of others.entries()) {
    const isLast = position === others.length - 1;
    const at = isLast ? text.length - piece.length : text.indexOf(piece, from);
    if (at <= from - 1 || (isLast && !text.endsWith(piece))) return undefined;
    values.push(text.slice(from, at));
    from = at + piece.length;
  }
  return from === text.length && !values.some(value => SENTENCES.test(value)) ? values : undefined;
}

/** The languages, each by its own name. A new one is a folder of JSON, a module like `korean.ts` and a line here. */
const CATALOGUES = {
  en: { name: 'English', texts: english },
  ko: { name: '한국어', texts: korean },
} as const satisfies Record<string, { name: string; texts: Texts }>;

export type Language = keyof typeof CATALOGUES;
export const LANGUAGES = Object.keys(CATALOGUES) as [Language, ...Language[]];
export const isLanguage = (text: string): text is Language => Object.hasOwn(CATALOGUES, text);
export const nameOf = (language: Language): string => CATALOGUES[language].name;

export const textsOf = (language: Language): Texts => CATALOGUES[language].texts;

export const PageLanguage = createContext<Language>('en');
export const useTexts = (): Texts => textsOf(useContext(PageLanguage));

const TRANSLATORS = Object.fromEntries(LANGUAGES.map(language => [language, translatorFor(textsOf(language))]));
/** Puts a sentence of the API into the language of the page. */
export const useSentences = (): ((text: string) => string) => TRANSLATORS[useContext(PageLanguage)]!;

const COOKIE = 'robot-vasp-language';
const QUERY = 'lang';
const YEAR_SECONDS = 31_536_000;

/** Chooses the language of each answer. `?lang=` is kept for the next pages. */
export const chooseLanguage = (...first: DetectorType[]): MiddlewareHandler[] => [
  languageDetector({
    order: [...first, 'querystring', 'cookie', 'header'],
    lookupFromPathIndex: 1,
    lookupQueryString: QUERY,
    lookupCookie: COOKIE,
    supportedLanguages: [...LANGUAGES],
    fallbackLanguage: 'en',
    caches: false,
  }),
  async (c, next) => {
    await next();
    c.res.headers.append('vary', 'Accept-Language, Cookie');
    if (isLanguage(c.req.query(QUERY) ?? ''))
      setCookie(c, COOKIE, c.req.query(QUERY)!, { path: '/', maxAge: YEAR_SECONDS, sameSite: 'Lax' });
  },
];

export function languageOf(c: Context): Language {
  const language = c.get('language') ?? '';
  return isLanguage(language) ? language : 'en';
}

export const IN_GUIDE = new RegExp(`^/guide(?:/(?:${LANGUAGES.join('|')})(?=/|$))?(?=/|$)`);

/** The address of the same page in another language. The guide has the language in its path. */
export function inLanguage(here: string, language: Language): string {
  const { pathname, searchParams } = new URL(here, 'http://localhost');
  searchParams.set(QUERY, language);
  return `${pathname.replace(IN_GUIDE, `/guide/${language}`)}?${searchParams}`;
}

/** The API also says what a code means, and what to do. */
function translatorFor(texts: Texts): (text: string) => string {
  const ofCodes = (['reasons', 'findings', 'verdicts'] as const).flatMap(section =>
    Object.entries(english[section]).flatMap(([code, { meaning, advice }]) => {
      const own = (texts[section] as Texts['reasons'])[code as 'OK'];
      return [
        [meaning, own.meaning],
        [advice, own.advice],
      ];
    }),
  );
  return translatorOf({ ...Object.fromEntries(ofCodes), ...texts.sentences });
}

type Values = Readonly<Record<string, string | number>>;

/** The text with its `{places}` filled. */
export const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));

/** A text for each number of things. `{count}` is the number. */
interface Counted {
  readonly zero?: string;
  readonly one: string;
  readonly other: string;
}

export const counted = ({ zero, one, other }: Counted, count: number, values: Values = {}): string =>
  fill((count === 0 && zero) || (count === 1 ? one : other), { count, ...values });

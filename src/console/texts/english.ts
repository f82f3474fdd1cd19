import * as access from './en/access.ts';
import * as attention from './en/attention.ts';
import * as checks from './en/checks.ts';
import * as codes from './en/codes.ts';
import * as console from './en/console.ts';
import * as guide from './en/guide.ts';
import * as ivms101 from './en/ivms101.ts';
import * as lists from './en/lists.ts';
import * as money from './en/money.ts';
import * as pictures from './en/pictures.ts';
import * as records from './en/records.ts';
import * as send from './en/send.ts';
import * as settings from './en/settings.ts';
import * as steer from './en/steer.ts';
import * as tests from './en/tests.ts';
import * as timers from './en/timers.ts';
import * as verification from './en/verification.ts';

/** The catalogue that every other language translates, section by section. */
export const english = {
  ...access,
  ...attention,
  ...checks,
  ...codes,
  ...console,
  ...guide,
  ...ivms101,
  ...lists,
  ...money,
  ...pictures,
  ...records,
  ...send,
  ...settings,
  ...steer,
  ...tests,
  ...timers,
  ...verification,
  /** What a fault does, by `target.mode`. In English the API says it. */
  faultModes: {} as Readonly<Record<string, string>>,
  /** Events of the timeline by `what.event`, with `{members}` of the detail. Timers by `timer.kind`. In English the API says it. */
  events: {} as Readonly<Record<string, string>>,
  /** The words of a timeline: what an entry is about, and an event without a status. In English they are the API’s. */
  timelineWords: {} as Readonly<Record<string, string>>,
  /** By kind and status of the money of a verification. In English the API says it. */
  moneyNotes: {} as Readonly<Record<string, string>>,
  /** Titles of the modules of the plans by their id. In English the API says them. */
  moduleTitles: {} as Readonly<Record<string, string>>,
  /** Sentences of the API, with `{}` for each value. In English the API says them. */
  sentences: {} as Readonly<Record<string, string>>,
  /** Titles of the chapters. */
  chapters: {} as Readonly<Record<string, string>>,
};

export type Texts = typeof english;

/** A text that a language lacks, or that English does not have, is an error of the compiler. */
export type Translation = Texts;

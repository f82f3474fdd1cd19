import { access, keys, operator, quotas, signIn, usage } from './en/access.ts';
import { attention } from './en/attention.ts';
import { check, checks } from './en/checks.ts';
import { reasons, refusals, remarks, verdicts } from './en/codes.ts';
import { docs, firstSteps, frame, groups, overview, pages, palette, scripts, time } from './en/console.ts';
import { guide } from './en/guide.ts';
import { ivms101 } from './en/ivms101.ts';
import { actions, callback, list } from './en/lists.ts';
import { chainTransaction, money } from './en/money.ts';
import { pictures, places } from './en/pictures.ts';
import { assessments, callbacks, exchange, exchanges } from './en/records.ts';
import { requests, scenarios, send, sendFields } from './en/send.ts';
import { settings, settingsFields } from './en/settings.ts';
import { behaviours, chains, faults, knobs, knobWords, user, users } from './en/steer.ts';
import { referenceVasp, tests } from './en/tests.ts';
import { timerKinds, timers } from './en/timers.ts';
import { diagram, verification } from './en/verification.ts';

/** The catalogue that every other language translates, section by section. */
export const english = {
  groups,
  pages,
  frame,
  scripts,
  palette,
  overview,
  firstSteps,
  attention,
  time,
  tests,
  referenceVasp,
  send,
  sendFields,
  scenarios,
  requests,
  ivms101,
  checks,
  check,
  faults,
  chains,
  knobs,
  knobWords,
  users,
  user,
  behaviours,
  settings,
  settingsFields,
  verification,
  diagram,
  list,
  callback,
  callbacks,
  exchanges,
  exchange,
  assessments,
  money,
  chainTransaction,
  timers,
  timerKinds,
  pictures,
  places,
  keys,
  access,
  usage,
  quotas,
  operator,
  signIn,
  docs,
  actions,
  guide,
  refusals,
  reasons,
  remarks,
  verdicts,
  /** Titles of the translated chapters. */
  chapters: {} as Readonly<Record<string, string>>,
};

export type Texts = typeof english;

/** A missing text is shown in English. A key that English does not have is an error of the compiler. */
export type Translation = { readonly [Section in keyof Texts]?: Partial<Texts[Section]> };

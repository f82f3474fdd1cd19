import type { Translation } from './english.ts';
import { access, keys, operator, quotas, signIn, usage } from './ko/access.ts';
import { attention } from './ko/attention.ts';
import { check, checks } from './ko/checks.ts';
import { reasons, remarks, verdicts } from './ko/codes.ts';
import { docs, firstSteps, frame, groups, overview, pages, palette, scripts, time } from './ko/console.ts';
import { chapters, guide } from './ko/guide.ts';
import { ivms101 } from './ko/ivms101.ts';
import { actions, callback, list } from './ko/lists.ts';
import { chainTransaction, money } from './ko/money.ts';
import { pictures, places } from './ko/pictures.ts';
import { assessments, callbacks, exchange, exchanges } from './ko/records.ts';
import { refusals } from './ko/refusals.ts';
import { requests, scenarios, send, sendFields } from './ko/send.ts';
import { settings, settingsFields } from './ko/settings.ts';
import { behaviours, chains, faults, knobs, knobWords, user, users } from './ko/steer.ts';
import { referenceVasp, tests } from './ko/tests.ts';
import { timerKinds, timers } from './ko/timers.ts';
import { diagram, verification } from './ko/verification.ts';

export const korean: Translation = {
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
  chapters,
  reasons,
  remarks,
  verdicts,
  refusals,
};

import type { Translation } from './english.ts';
import * as access from './ko/access.ts';
import * as api from './ko/api.ts';
import * as attention from './ko/attention.ts';
import * as checks from './ko/checks.ts';
import * as codes from './ko/codes.ts';
import * as console from './ko/console.ts';
import * as guide from './ko/guide.ts';
import * as ivms101 from './ko/ivms101.ts';
import * as lists from './ko/lists.ts';
import * as money from './ko/money.ts';
import * as pictures from './ko/pictures.ts';
import * as records from './ko/records.ts';
import * as refusals from './ko/refusals.ts';
import * as send from './ko/send.ts';
import conditions from './ko/sentences/conditions.json' with { type: 'json' };
import outcomes from './ko/sentences/outcomes.json' with { type: 'json' };
import sandbox from './ko/sentences/sandbox.json' with { type: 'json' };
import * as settings from './ko/settings.ts';
import * as steer from './ko/steer.ts';
import * as tests from './ko/tests.ts';
import * as timers from './ko/timers.ts';
import * as verification from './ko/verification.ts';

export const korean: Translation = {
  ...access,
  ...api,
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
  ...refusals,
  ...send,
  ...settings,
  ...steer,
  ...tests,
  ...timers,
  ...verification,
  sentences: { ...conditions, ...outcomes, ...sandbox },
};

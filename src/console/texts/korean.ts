import type { Texts } from './english.ts';
import access from './ko/access.json' with { type: 'json' };
import api from './ko/api.json' with { type: 'json' };
import checks from './ko/checks.json' with { type: 'json' };
import frame from './ko/frame.json' with { type: 'json' };
import guide from './ko/guide.json' with { type: 'json' };
import overview from './ko/overview.json' with { type: 'json' };
import records from './ko/records.json' with { type: 'json' };
import sandbox from './ko/sandbox.json' with { type: 'json' };
import send from './ko/send.json' with { type: 'json' };
import conditions from './ko/sentences/conditions.json' with { type: 'json' };
import problems from './ko/sentences/ivms101.json' with { type: 'json' };
import outcomes from './ko/sentences/outcomes.json' with { type: 'json' };
import said from './ko/sentences/sandbox.json' with { type: 'json' };
import verifications from './ko/verifications.json' with { type: 'json' };

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

import { REASONS, type Reason } from '../../contract/clauses.ts';
import { FINDINGS, type FindingCode } from '../../contract/findings.ts';
import { IVMS101_CLAUSES, type Ivms101Clause } from '../../contract/ivms101-check/problem.ts';
import { REPORT_VERDICTS, type ReportVerdict } from '../../contract/plan-list.ts';
import { QUOTA_NAMES, QUOTA_RULES, type QuotaName } from '../../contract/tenancy.ts';
import access from './en/access.json' with { type: 'json' };
import checks from './en/checks.json' with { type: 'json' };
import frame from './en/frame.json' with { type: 'json' };
import guide from './en/guide.json' with { type: 'json' };
import overview from './en/overview.json' with { type: 'json' };
import records from './en/records.json' with { type: 'json' };
import sandbox from './en/sandbox.json' with { type: 'json' };
import send from './en/send.json' with { type: 'json' };
import said from './en/sentences.json' with { type: 'json' };
import verifications from './en/verifications.json' with { type: 'json' };

export interface CodeText {
  readonly meaning: string;
  /** The next step of the reader. */
  readonly advice: string;
}

type ByCode = Readonly<Record<string, string>>;
const SAID_BY_API: ByCode = {};

const quotas = Object.fromEntries(
  QUOTA_NAMES.map(name => {
    const { meaning } = QUOTA_RULES[name];
    return [name, meaning.charAt(0).toUpperCase() + meaning.slice(1)];
  }),
) as Record<QuotaName, string>;

/** The catalogue that every other language translates, section by section. `{places}` of a text are filled by the page. */
export const english = {
  ...access,
  ...checks,
  ...frame,
  ...guide,
  ...overview,
  ...records,
  ...sandbox,
  ...send,
  ...verifications,
  ivms101: { ...guide.ivms101, clauses: IVMS101_CLAUSES as Readonly<Record<Ivms101Clause, string>> },
  quotas,
  reasons: REASONS as Record<Reason, CodeText>,
  findings: FINDINGS as Record<FindingCode, CodeText>,
  verdicts: REPORT_VERDICTS as Record<ReportVerdict, CodeText>,
  // What follows the API says in English.
  chapters: SAID_BY_API,
  moduleTitles: SAID_BY_API,
  /** Events of the timeline by `what.event`, with `{members}` of the detail. Timers by `timer.kind`. */
  events: SAID_BY_API,
  /** What an entry of the timeline is about, and an event without a status. */
  timelineWords: SAID_BY_API,
  /** Sentences with `{}` for each value. A page says otherwise than the API what to do. */
  sentences: said as ByCode,
};

/** A text that a language lacks is an error of the compiler. */
export type Texts = typeof english;

import type { SandboxAnswers } from '../../client/answers.ts';
import type { Client } from '../../client/client.ts';
import { DataTable } from '../components/data-table.tsx';
import { Empty } from '../components/empty.tsx';
import { Field } from '../components/field.tsx';
import { filled } from '../components/filter-bar.tsx';
import { Pager, pageSize } from '../components/pager.tsx';
import { durationText, moment, relative, Time } from '../components/time.tsx';
import type { Notice, Page } from '../page.ts';
import { TimeAxis } from '../pictures/time-axis.tsx';
import { TimerSubject, TimerWork, timerMeaning } from './work.tsx';

const STEPS = [
  ['1s', '1 s'],
  ['10s', '10 s'],
  ['1m', '1 min'],
  ['5m', '5 min'],
  ['10m', '10 min'],
  ['1h', '1 h'],
] as const;

type Timer = SandboxAnswers['timers']['timers'][number];
type Advanced = SandboxAnswers['advance'];

const PATH = '/console/timers';
/** The list in the notice is an example, not a record. */
const MOST_SHOWN = 50;

export const timers: Page = {
  path: '/timers',
  title: 'Time',
  group: 'Steer',
  isLive: true,
  async render({ api, form, query }) {
    const position = filled(query, 'after');
    const [{ timers: pending, next, total }, clock, [first]] = await Promise.all([
      api.timers({ ...position, limit: pageSize(query) }),
      api.clock(),
      nextTimer(api),
    ]);
    return (
      <>
        <Clock {...clock} next={first} typed={form?.own} />
        <h2>Pending</h2>
        {pending.length === 0 ? null : (
          <TimeAxis
            now={Date.parse(clock.now)}
            timers={pending.map(({ kind, dueAt }) => ({
              dueAt: Date.parse(dueAt),
              meaning: timerMeaning(kind),
            }))}
          />
        )}
        {pending.length === 0 ? (
          <Empty>
            No timer is pending. Start one with a <a href="/console/send">verification</a>: the robot then
            waits for the transaction report.
          </Empty>
        ) : (
          <Pending timers={pending} />
        )}
        <Pager path={PATH} query={query} cursor="after" shown={pending.length} total={total} next={next} />
      </>
    );
  },
  actions: {
    advance: async ({ api }, { own = '', duration = own }) =>
      advanced(await api.advance(duration.replaceAll(' ', ''))),
    async next({ api }) {
      const [[first], { now }] = await Promise.all([nextTimer(api), api.clock()]);
      if (!first) return { kind: 'failed', text: 'No timer is pending, so there is no next one.' };
      const distanceMs = Math.max(0, Date.parse(first.dueAt) - Date.parse(now));
      return advanced(await api.advance(`${distanceMs}ms`));
    },
  },
};

const nextTimer = async (api: Client): Promise<Timer[]> => (await api.timers({ limit: 1 })).timers;

interface Clock {
  now: string;
  advancing: SandboxAnswers['clock']['advancing'];
  aheadMs: number;
  next: Timer | undefined;
  /** The duration of the form that was just sent. */
  typed: string | undefined;
}

const Clock = ({ now, aheadMs, advancing, next, typed }: Clock) => (
  <section class="clock">
    <p>
      Your sandbox time is <strong>{moment(now)}</strong> (UTC),{' '}
      {aheadMs === 0 ? 'the same as the machine' : `${durationText(aheadMs)} ahead of the machine`}. It only
      moves forward. Every VASP has a time of its own.
    </p>
    {advancing ? <p role="status">The time is being advanced: {firedText(advancing)} so far.</p> : null}
    <form id="advance" class="action" method="post" action="/console/timers/advance" hx-morph-skip>
      <fieldset class="row">
        <legend>Advance by</legend>
        {STEPS.map(([duration, text]) => (
          <button type="submit" class="secondary" name="duration" value={duration}>
            {text}
          </button>
        ))}
      </fieldset>
    </form>
    <form id="advance-own" class="action" method="post" action="/console/timers/advance" hx-morph-skip>
      <Field name="own" label="Another duration" value={typed} placeholder="90s, 36h, 2d" required />
      <button type="submit" class="secondary">
        Advance
      </button>
    </form>
    {next ? (
      <form id="advance-next" class="action" method="post" action="/console/timers/next">
        <button type="submit">
          To the next timer, {relative(Math.max(0, Date.parse(next.dueAt) - Date.parse(now)))}
        </button>
      </form>
    ) : null}
  </section>
);

const Pending = ({ timers: pending }: { timers: readonly Timer[] }) => (
  <DataTable
    caption="Pending timers, next first"
    rows={pending}
    idOf={({ kind, key }) => `timer-${kind}-${key}`.replace(/[^\w-]/g, '_')}
    isLoud={({ lastError }) => lastError !== null}
    columns={[
      { head: 'Due', cell: ({ dueAt }) => <Time at={dueAt} /> },
      { head: 'Work', cell: ({ kind }) => <TimerWork kind={kind} /> },
      { head: 'Reason', cell: timer => <Reason of={timer} /> },
      { head: 'Subject', cell: timer => <TimerSubject of={timer} /> },
      { head: 'Attempts', numeric: true, cell: ({ attempts }) => attempts },
    ]}
  />
);

const Reason = ({ of: { why, lastError } }: { of: Timer }) => (
  <>
    {why}
    {lastError === null ? null : (
      <>
        <br />
        <small>The last attempt failed: {lastError}</small>
      </>
    )}
  </>
);

const firedText = (counts: Advanced['counts']): string => {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return total === 0 ? 'No timer fired' : total === 1 ? '1 timer fired' : `${total} timers fired`;
};

/** Lists the first timers that fired on the way. */
const advanced = ({ now, fired, counts }: Advanced): Notice => ({
  kind: 'done',
  text: `It is ${moment(now)} (UTC) now. ${firedText(counts)}.`,
  detail:
    fired.length === 0 ? undefined : (
      <ol class="fired">
        {fired.slice(0, MOST_SHOWN).map(timer => (
          <li>
            <Time at={timer.dueAt} /> {timerMeaning(timer.kind)}: <TimerSubject of={timer} />
          </li>
        ))}
        {fired.length > MOST_SHOWN ? <li>…</li> : null}
      </ol>
    ),
});

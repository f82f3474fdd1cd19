import type { Answers, Client } from '../../client/client.ts';
import { ActionForm, Field } from '../components/form.tsx';
import { DataTable, filled, Pager, pageSize } from '../components/table.tsx';
import { Prose, WithReason } from '../components/text.tsx';
import { durationText, moment, relative, Time, VerificationLink } from '../components/values.tsx';
import type { Action, Notice, Page } from '../page.ts';
import { TimeAxis } from '../pictures/time-axis.tsx';
import type { Texts } from '../texts/english.ts';
import { counted, fill, useTexts } from '../texts/languages.ts';
import { timerText } from '../texts/of-records.ts';

const STEPS = [
  ['1s', 1000],
  ['10s', 10_000],
  ['1m', 60_000],
  ['5m', 300_000],
  ['10m', 600_000],
  ['1h', 3_600_000],
] as const;

type Timer = Answers['timers']['timers'][number];
type Advanced = Answers['advance'];

const PATH = '/console/timers';
/** The list in the notice is an example, not a record. */
const MAX_SHOWN = 50;

export const advance: Action = async ({ api, texts }, { duration = '', step = duration }) =>
  advanced(await api.advance(step.replaceAll(' ', '')), texts);

export const timers: Page = {
  path: '/timers',
  title: 'Time',
  group: 'Steer',
  isLive: true,
  async render({ api, query, texts: all }) {
    const { timers: texts, timerKinds, verification } = all;
    const position = filled(query, 'after');
    const [{ timers: pending, next, total }, clock, [first]] = await Promise.all([
      api.timers({ ...position, limit: pageSize(query) }),
      api.clock(),
      nextTimer(api),
    ]);
    return (
      <>
        <Clock {...clock} next={first} />
        <h2>{texts.pending}</h2>
        {pending.length === 0 ? null : (
          <TimeAxis
            now={Date.parse(clock.now)}
            timers={pending.map(({ kind, dueAt }) => ({ dueAt: Date.parse(dueAt), meaning: timerKinds[kind] }))}
          />
        )}
        <DataTable
          caption={texts.caption}
          rows={pending}
          empty={texts.none}
          idOf={({ kind, key }) => `timer-${kind}-${key}`.replace(/[^\w-]/g, '_')}
          isLoud={({ lastError }) => lastError !== null}
          columns={[
            { head: texts.due, bare: true, cell: ({ dueAt }) => <Time at={dueAt} /> },
            {
              head: texts.work,
              bare: true,
              line: true,
              cell: ({ kind }) => <span title={kind}>{timerKinds[kind]}</span>,
            },
            {
              head: verification.reason,
              bare: true,
              line: true,
              cell: ({ kind, why, lastError }) => (
                <WithReason reason={lastError && fill(texts.lastFailed, { error: lastError })}>
                  {timerText({ kind, why }, all)}
                </WithReason>
              ),
            },
            { head: texts.subject, line: true, cell: timer => <TimerSubject of={timer} /> },
            { head: texts.attempts, numeric: true, cell: ({ attempts }) => attempts },
          ]}
        />
        <Pager path={PATH} query={query} cursor="after" shown={pending.length} total={total} next={next} />
      </>
    );
  },
  actions: {
    advance,
    async next({ api, texts }) {
      const [[first], { now }] = await Promise.all([nextTimer(api), api.clock()]);
      if (!first) return { kind: 'failed', text: texts.timers.noNext };
      const distanceMs = Math.max(0, Date.parse(first.dueAt) - Date.parse(now));
      return advanced(await api.advance(`${distanceMs}ms`), texts);
    },
  },
};

const nextTimer = async (api: Client): Promise<Timer[]> => (await api.timers({ limit: 1 })).timers;

const Clock = ({ now, aheadMs, advancing, next }: Answers['clock'] & { next: Timer | undefined }) => {
  const { timers: texts, time } = useTexts();
  return (
    <section class="clock">
      <p>
        <Prose
          of={texts.clock}
          with={{
            time: <strong>{moment(now)}</strong>,
            distance: aheadMs === 0 ? texts.sameTime : fill(texts.ahead, { duration: durationText(aheadMs, time) }),
          }}
        />
      </p>
      {advancing ? (
        <p role="status">{fill(texts.advancing, { fired: counted(texts.fired, totalOf(advancing)) })}</p>
      ) : null}
      <form id="advance" class="action" method="post" action="/console/timers/advance" hx-morph-skip>
        <fieldset class="row">
          <legend>{texts.advanceBy}</legend>
          {STEPS.map(([duration, durationMs]) => (
            <button type="submit" class="secondary" name="step" value={duration}>
              {durationText(durationMs, time)}
            </button>
          ))}
        </fieldset>
      </form>
      <ActionForm id="advance-own" to="/console/timers/advance" label={texts.advance} keeps>
        <Field name="duration" label={texts.own} placeholder="90s, 36h, 2d" required />
      </ActionForm>
      {next ? (
        <ActionForm
          to="/console/timers/next"
          label={fill(texts.toNext, {
            distance: relative(Math.max(0, Date.parse(next.dueAt) - Date.parse(now)), time),
          })}
          tone="primary"
        />
      ) : null}
    </section>
  );
};

const totalOf = (counts: Advanced['counts']): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Lists the first timers that fired on the way. */
const advanced = ({ now, fired, counts, behind }: Advanced, { timers: texts, timerKinds }: Texts): Notice => ({
  kind: behind.length === 0 ? 'done' : 'failed',
  text: [
    fill(texts.isNow, { time: moment(now), fired: counted(texts.fired, totalOf(counts)) }),
    ...behind.map(each => fill(texts.behind, each)),
  ].join(' '),
  detail:
    fired.length === 0 ? undefined : (
      <ol class="fired">
        {fired.slice(0, MAX_SHOWN).map(timer => (
          <li>
            <Time at={timer.dueAt} /> {timerKinds[timer.kind]}: <TimerSubject of={timer} />
          </li>
        ))}
        {fired.length > MAX_SHOWN ? <li>…</li> : null}
      </ol>
    ),
});

type TimerKind = Timer['kind'];

/** The kinds with a key that begins with a verificationUuid. */
const OF_VERIFICATION: readonly TimerKind[] = [
  'enclave.verification.ask',
  'enclave.verification.time-out',
  'enclave.callback.deliver',
  'robot.deposit.inquire',
  'robot.report.look-up',
];

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}/;

/** The verification of a timer, or the beginning of its key. */
const TimerSubject = ({ of: { kind, key } }: { of: { kind: TimerKind; key: string } }) => {
  const uuid = OF_VERIFICATION.includes(kind) ? UUID.exec(key)?.[0] : undefined;
  return uuid ? <VerificationLink uuid={uuid} /> : <code title={key}>{key.slice(0, 12)}…</code>;
};

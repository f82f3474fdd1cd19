import type { Answers, RunReport } from '../../client/client.ts';
import { ExchangeDetail } from '../components/exchange-detail.tsx';
import { ActionForm } from '../components/form.tsx';
import { DataTable } from '../components/table.tsx';
import { Clauses, DefinitionList, InlineCode, Prose } from '../components/text.tsx';
import { Badge, durationText, moment, Time, toneOfResult } from '../components/values.tsx';
import { done, type Page, Titled } from '../page.ts';
import type { Texts } from '../texts/english.ts';
import { counted, fill, useSentences, useTexts } from '../texts/languages.ts';
import { callText } from '../texts/of-records.ts';
import { type Module, Modules, nameOf, shownModule, titleOf } from './modules.tsx';

type Condition = Module['conditions'][number];

/** One module: what it awaits, its conditions, and the calls as a sequence diagram. */
const ModuleDetail = ({ module, origin }: { module: Module; origin: string }) => {
  const { note, waiting, status, conditions, exchanges } = module;
  return (
    <section class="shown" aria-label={nameOf(module)} tabindex={0}>
      <h2>{titleOf(module, useTexts())}</h2>
      {waiting ? <Waiting waiting={waiting} /> : null}
      {note ? (
        <p>
          <InlineCode text={note} />
        </p>
      ) : null}
      <ul>
        {conditions.map(condition => (
          <li>
            <ConditionLine condition={condition} isOver={status === 'FINISHED'} exchanges={exchanges} />
          </li>
        ))}
      </ul>
      <ExchangeSequence exchanges={exchanges} origin={origin} />
    </section>
  );
};

const Waiting = ({ waiting }: { waiting: NonNullable<Module['waiting']> }) => {
  const { instruction, until, nearMisses } = waiting;
  const { check } = useTexts();
  return (
    <div class="note">
      <h3>{check.awaited}</h3>
      <p>
        <InlineCode text={instruction} />
      </p>
      <p>
        {check.until} <Time at={until} clock="machine" />
      </p>
      {nearMisses.map(({ fields }) => (
        <p>
          {check.nearMiss}{' '}
          {fields.map(({ field, expected, got }) => fill(check.differs, { field, got, expected })).join(', ')}.
        </p>
      ))}
    </div>
  );
};

const withoutStop = (text: string): string => text.replace(/\.$/, '');

interface ConditionLine extends Pick<Module, 'exchanges'> {
  condition: Condition;
  /** False: what is SKIPPED up to now may still be judged. */
  isOver: boolean;
}

const ConditionLine = ({ condition, isOver, exchanges }: ConditionLine) => {
  const { id, clause, result, text, expected, got, fields = [] } = condition;
  const { check } = useTexts();
  const say = useSentences();
  const uuids = exchanges
    .filter(each => condition.exchanges.includes(each.id))
    .flatMap(({ verificationUuid }) => verificationUuid ?? []);
  return (
    <>
      {result === 'SKIPPED' && !isOver ? (
        <Badge of={check.notYet} tone="plain" />
      ) : (
        <Badge of={result} tone={toneOfResult(result)} />
      )}{' '}
      {id} (<Clauses of={clause} />
      ): <InlineCode text={text} />
      {result === 'PASSED' || (expected === null && got === null) ? null : (
        <p>
          {expected === null ? null : (
            <InlineCode text={`${fill(check.expected, { text: withoutStop(say(expected)) })} `} />
          )}
          {got === null ? null : (
            <InlineCode text={result === 'REVIEW' ? say(got) : fill(check.got, { text: withoutStop(say(got)) })} />
          )}
        </p>
      )}
      {fields.map(each => (
        <p>
          {each.field}: <del>{each.expected}</del> <ins>{each.got}</ins>
        </p>
      ))}
      {[...new Set(uuids)].map(uuid => (
        <>
          {' '}
          <a href={`/console/verifications/${uuid}`}>{check.verification}</a>
        </>
      ))}
    </>
  );
};

type Exchange = Module['exchanges'][number];

interface ExchangeSequence {
  exchanges: readonly Exchange[];
  /** Of the sandbox, for its own paths. */
  origin: string;
}

/** The calls between the VASP and the enclave: time runs down, and a call opens with its bodies. */
const ExchangeSequence = ({ exchanges, origin }: ExchangeSequence) => {
  const { check, places } = useTexts();
  return exchanges.length === 0 ? null : (
    <>
      <h3>{check.calls}</h3>
      <div class="sequence two">
        <div class="lanes" aria-hidden="true">
          <span>VASP</span>
          <span>{places.enclave}</span>
        </div>
        <ol>
          {exchanges.map(each => (
            <Call of={each} origin={origin} />
          ))}
        </ol>
      </div>
    </>
  );
};

const Call = ({ of, origin }: { of: Exchange; origin: string }) => {
  const { id, direction, operation, status, error, durationMs, at } = of;
  const { enclave } = useTexts().places;
  const say = useSentences();
  const isFromVasp = direction === 'IN';
  const hasFailed = status === null || status >= 400;
  return (
    <li class={`message ${isFromVasp ? 'right' : 'left'} ${hasFailed ? 'failed' : ''}`}>
      <details id={`call-${id}`}>
        <summary class="line" style="--first:0;--lanes:2">
          <time datetime={at} title={`${at} (UTC)`} data-utc="clock">
            {at.slice(11, -1)}
          </time>
          <span class="drawn" aria-hidden="true" />
          <span class="text">
            <span class="parties">{isFromVasp ? `VASP → ${enclave}` : `${enclave} → VASP`}</span>{' '}
            {callText(operation, useTexts())}: {status ?? say(error ?? '')}{' '}
            <small>{durationText(durationMs, useTexts().time)}</small>
          </span>
        </summary>
        <div class="opened">
          <ExchangeDetail of={of} id={`call-${id}`} origin={origin} />
        </div>
      </details>
    </li>
  );
};

const formsOf = ({ html, md, jws }: Texts['check']) => [
  ['html', html],
  ['xml', 'JUnit'],
  ['json', 'JSON'],
  ['md', md],
  ['jws', jws],
];

export const checkRun: Page = {
  path: '/checks/:id',
  title: 'Test run',
  parent: '/checks',
  servedBy: 'both',
  isLive: true,
  async render({ api, params, query, origin, texts }) {
    const id = params.id ?? '';
    const [report, { runs }] = await Promise.all([api.run(id), api.runs()]);
    const shown = shownModule(report, query.module);
    const other = query.with ? await api.run(query.with) : undefined;
    const [first, second] = report.modules;
    return new Titled(
      first && !second ? titleOf(first, texts) : `${texts.pages['Test run']}: ${report.plan}`,
      <>
        <Head report={report} />
        <Causes report={report} />
        <div class="check">
          <Modules report={report} shown={shown} />
          {shown ? <ModuleDetail module={shown} origin={origin} /> : null}
        </div>
        {report.endedAt === null ? null : (
          <>
            <h2>{texts.check.downloads}</h2>
            <p>
              {formsOf(texts.check).map(([form, label], position) => (
                <>
                  {position > 0 ? ' · ' : ''}
                  <a href={`/console/json/sandbox/v1/runs/${id}/report.${form}`} download={`report.${form}`}>
                    {label}
                  </a>
                </>
              ))}
            </p>
            <Comparison report={report} other={other} earlier={earlierRuns(runs, report)} />
          </>
        )}
      </>,
    );
  },
  actions: {
    async stop({ api, params, texts }) {
      await api.stopRun(params.id ?? '');
      return done(texts.check.stopped);
    },
  },
};

const MAX_NAMED = 5;

/** One entry for each cause, with a link to the module that shows it. */
const Causes = ({ report: { id, causes, modules } }: { report: RunReport }) => {
  const { check } = useTexts();
  if (causes.length === 0) return null;
  return (
    <section>
      <h2>{check.causes}</h2>
      <ul>
        {causes.map(({ title, conditions }) => {
          const shows = modules.find(({ symbol, conditions: own }) =>
            own.some(each => conditions[0] === nameOf({ id: each.id, symbol })),
          );
          const link = shows && `/console/checks/${id}?module=${encodeURIComponent(nameOf(shows))}`;
          return (
            <li>
              {link ? (
                <a href={link}>
                  <InlineCode text={title} />
                </a>
              ) : (
                <InlineCode text={title} />
              )}{' '}
              ({counted(check.causeOf, conditions.length)}: {conditions.slice(0, MAX_NAMED).join(', ')}
              {conditions.length > MAX_NAMED ? ' …' : ''})
            </li>
          );
        })}
      </ul>
    </section>
  );
};

const Head = ({ report }: { report: RunReport }) => {
  const { id, plan, tool, vasp, result, problem, startedAt, endedAt, stopped, counts } = report;
  const { clock, chains, modules, plans } = report;
  const skipped = plans.flatMap(each => each.skipped);
  const { checks, check } = useTexts();
  const say = useSentences();
  const countsText = (['passed', 'failed', 'notReceived', 'warning', 'review'] as const)
    .flatMap(name => (counts[name] === 0 ? [] : `${check.counts[name]}: ${counts[name]}`))
    .join(', ');
  const finished = modules.filter(({ status }) => status === 'FINISHED').length;
  return (
    <>
      <DefinitionList
        of={[
          [checks.plan, plan],
          [check.tool, tool],
          [
            checks.result,
            <>
              <Badge of={result ?? 'RUNNING'} tone={toneOfResult(result)} />{' '}
              {stopped && result !== 'INTERRUPTED' ? <Badge of="INTERRUPTED" tone="warn" /> : null}
            </>,
          ],
          ['VASP', `${vasp.name} (${vasp.vaspId})`],
          [checks.modules, fill(checks.countOf, { finished, all: modules.length })],
          [check.conditions, countsText || undefined],
          [check.skippedModules, skipped.length === 0 ? undefined : skipped.join(', ')],
          [checks.started, <Time at={startedAt} clock="machine" />],
          [check.ended, endedAt === null ? undefined : <Time at={endedAt} clock="machine" />],
          [check.clock, say(clock)],
          [
            useTexts().pages.Chains,
            chains
              .map(({ network, finality }) =>
                finality ? fill(check.finalBy, { network, finality: say(finality) }) : network,
              )
              .join('; '),
          ],
        ]}
      />
      {result && result in check.next ? (
        <div class="unsure">
          <p class="next-step">
            {problem ? <InlineCode text={problem.message} /> : null}{' '}
            <Prose of={check.next[result as keyof typeof check.next]} />
          </p>
        </div>
      ) : null}
      {endedAt === null ? <ActionForm to={`/console/checks/${id}/stop`} label={check.stop} /> : null}
    </>
  );
};

type Summary = Answers['runs']['runs'][number];

/** Other runs of as much of the plan, the newest first. */
const earlierRuns = (runs: readonly Summary[], { id, plan, modules }: RunReport): Summary[] =>
  runs
    .filter(run => run.id !== id && run.endedAt !== null)
    .filter(run => run.plan === plan && run.modules.all === modules.length)
    .slice(0, 10);

interface Changed {
  name: string;
  before: string;
  now: string;
}

/** The conditions that are better or worse than in another run. */
const Comparison = ({
  report,
  other,
  earlier,
}: {
  report: RunReport;
  other: RunReport | undefined;
  earlier: readonly Summary[];
}) => {
  const { check } = useTexts();
  if (earlier.length === 0) return null;
  return (
    <>
      <h2>{check.comparison}</h2>
      <p>
        {check.with}{' '}
        {earlier.map(({ id, plan, startedAt, result }, position) => (
          <>
            {position > 0 ? ' · ' : ''}
            <a href={`/console/checks/${report.id}?with=${id}`}>
              {plan}, {moment(startedAt)}, {result}
            </a>
          </>
        ))}
      </p>
      {other ? <Changes rows={changesOf(other, report)} /> : null}
    </>
  );
};

const Changes = ({ rows }: { rows: Changed[] }) => {
  const { check } = useTexts();
  return rows.length === 0 ? (
    <p>{check.noChange}</p>
  ) : (
    <DataTable
      caption={check.changed}
      rows={rows}
      idOf={({ name }) => `changed-${name.replace(/\W+/g, '-')}`}
      columns={[
        { head: check.condition, cell: ({ name }) => name },
        { head: check.change, cell: ({ before, now }) => (rank(now) < rank(before) ? check.better : check.worse) },
        { head: check.before, cell: ({ before }) => <Badge of={before} tone={toneOfResult(before)} /> },
        { head: check.now, cell: ({ now }) => <Badge of={now} tone={toneOfResult(now)} /> },
      ]}
    />
  );
};

const ORDER = ['PASSED', 'SKIPPED', 'WARNING', 'REVIEW', 'NOT-RECEIVED', 'FAILED'];
const rank = (result: string): number => ORDER.indexOf(result);

function changesOf(before: RunReport, now: RunReport): Changed[] {
  const earlier = resultsOf(before);
  return [...resultsOf(now)].flatMap(([name, result]) => {
    const was = earlier.get(name);
    return was === undefined || was === result ? [] : [{ name, before: was, now: result }];
  });
}

const resultsOf = ({ modules }: RunReport): Map<string, string> =>
  new Map(
    modules.flatMap(module =>
      module.conditions.map(({ id, result }) => [nameOf({ id, symbol: module.symbol }), result]),
    ),
  );

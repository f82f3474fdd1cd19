import { CauseList } from '../components/causes.tsx';
import { ExchangeDetail } from '../components/exchange-detail.tsx';
import { Sequence, SequenceLine } from '../components/sequence.tsx';
import { Clauses, InlineCode, Sentence } from '../components/text.tsx';
import { Badge, durationText, Time } from '../components/values.tsx';
import { done, type Page, Titled } from '../page.ts';
import { fill, useSentences, useTexts } from '../texts/languages.ts';
import { callText } from '../texts/of-records.ts';
import { Comparison, earlierRuns } from './comparison.tsx';
import { type Module, Modules, nameOf, shownModule, titleOf } from './modules.tsx';
import { Facts, Verdict } from './verdict.tsx';
import { byHandActions, byHandOf, WithdrawalByHand } from './withdrawal-by-hand.tsx';

type Condition = Module['conditions'][number];

/** One module: what it awaits, its conditions, and the calls as a sequence diagram. */
const ModuleDetail = ({ module, origin }: { module: Module; origin: string }) => {
  const { note, waiting, status, conditions, exchanges } = module;
  return (
    <section class="shown" aria-label={nameOf(module)} tabindex={0}>
      <h2>{titleOf(module, useTexts())}</h2>
      {waiting ? <Waiting waiting={waiting} /> : null}
      {note ? <Sentence text={note} /> : null}
      <ul>
        {conditions.map(condition => (
          <li>
            <ConditionLine condition={condition} isOver={status === 'FINISHED'} exchanges={exchanges} />
          </li>
        ))}
      </ul>
      <Calls of={exchanges} origin={origin} />
    </section>
  );
};

const Waiting = ({ waiting }: { waiting: NonNullable<Module['waiting']> }) => {
  const { instruction, until, nearMisses } = waiting;
  const { check } = useTexts();
  return (
    <div class="note">
      <h3>{check.awaited}</h3>
      <Sentence text={instruction} />
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
      <Badge of={result === 'SKIPPED' && !isOver ? check.notYet : result} /> {id} (<Clauses of={clause} />
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

/** The calls between the VASP and the enclave: time runs down, and a call opens with its bodies. */
const Calls = ({ of, origin }: { of: readonly Exchange[]; origin: string }) => {
  const { check, places, time } = useTexts();
  const say = useSentences();
  return of.length === 0 ? null : (
    <>
      <h3>{check.calls}</h3>
      <Sequence lanes={['VASP', places.enclave]}>
        {of.map(each => (
          <SequenceLine
            id={`call-${each.id}`}
            lanes={['VASP', places.enclave]}
            {...(each.direction === 'IN' ? { from: 0, to: 1 } : { from: 1, to: 0 })}
            at={each.at}
            style={each.status === null || each.status >= 400 ? 'message failed' : 'message'}
            details={<ExchangeDetail of={each} id={`call-${each.id}`} origin={origin} />}
          >
            {callText(each.operation, useTexts())}: {each.status ?? say(each.error ?? '')}{' '}
            <small>{durationText(each.durationMs, time)}</small>
          </SequenceLine>
        ))}
      </Sequence>
    </>
  );
};

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
    const byHand = report.endedAt === null ? await byHandOf(api, shown) : undefined;
    const other = query.with ? await api.run(query.with) : undefined;
    const [first, second] = report.modules;
    return new Titled(
      first && !second ? titleOf(first, texts) : `${texts.pages['Test run']}: ${report.plan}`,
      <>
        <Verdict of={report} />
        {byHand ? <WithdrawalByHand of={byHand} here={`/console/checks/${id}`} /> : null}
        {report.causes.length === 0 ? null : (
          <section>
            <h2>{texts.check.causes}</h2>
            <CauseList of={report.causes} runId={id} />
          </section>
        )}
        <div class="beside check">
          <Modules report={report} shown={shown} />
          {shown ? <ModuleDetail module={shown} origin={origin} /> : null}
        </div>
        <Facts of={report} />
        {report.endedAt === null ? null : (
          <Comparison report={report} other={other} earlier={earlierRuns(runs, report)} />
        )}
      </>,
    );
  },
  actions: {
    ...byHandActions,
    async stop({ api, params, texts }) {
      await api.stopRun(params.id ?? '');
      return done(texts.check.stopped);
    },
  },
};

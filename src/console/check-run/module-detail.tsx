import { toneOfResult } from '../checks/result-tone.ts';
import { Badge } from '../components/badge.tsx';
import { InlineCode } from '../components/inline-code.tsx';
import { Time } from '../components/time.tsx';
import { useTexts } from '../texts/languages.ts';
import { ExchangeSequence } from './exchange-sequence.tsx';
import { type Module, nameOf } from './modules.tsx';

type Condition = Module['conditions'][number];

/** One module: what it awaits, its conditions, and the calls as a sequence diagram. */
export const ModuleDetail = ({ module, origin }: { module: Module; origin: string }) => {
  const { title, note, waiting, status, conditions, exchanges } = module;
  return (
    <section class="shown" aria-label={nameOf(module)} tabindex={0}>
      <h2>
        {nameOf(module)}: {title}
      </h2>
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
          {fields.map(({ field, expected, got }) => check.differs(field, got, expected)).join(', ')}.
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
      {id} ({clause}): <InlineCode text={text} />
      {result === 'PASSED' || (expected === null && got === null) ? null : (
        <p>
          {expected === null ? null : `${check.expected(withoutStop(expected))} `}
          {got === null ? null : check.got(withoutStop(got))}
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

import { toneOfResult } from '../checks/result-tone.ts';
import { Badge } from '../components/badge.tsx';
import { Time } from '../components/time.tsx';
import { ExchangeSequence } from './exchange-sequence.tsx';
import { type Module, nameOf } from './modules.tsx';

type Condition = Module['conditions'][number];

/** One module: what it awaits, its conditions, and the calls as a sequence diagram. */
export const ModuleDetail = ({ module, origin }: { module: Module; origin: string }) => {
  const { title, note, waiting, conditions, exchanges } = module;
  return (
    <section class="shown" aria-label={nameOf(module)} tabindex={0}>
      <h2>
        {nameOf(module)}: {title}
      </h2>
      {waiting ? <Waiting waiting={waiting} /> : null}
      {note ? <p>{note}</p> : null}
      <ul>
        {conditions.map(condition => (
          <li>
            <ConditionLine condition={condition} exchanges={exchanges} />
          </li>
        ))}
      </ul>
      <ExchangeSequence exchanges={exchanges} origin={origin} />
    </section>
  );
};

const Waiting = ({ waiting }: { waiting: NonNullable<Module['waiting']> }) => {
  const { instruction, until, nearMisses } = waiting;
  return (
    <div class="note">
      <h3>Awaited now</h3>
      <p>{instruction}</p>
      <p>
        Until <Time at={until} />
      </p>
      {nearMisses.map(({ fields }) => (
        <p>
          A call came close:{' '}
          {fields.map(({ field, expected, got }) => `${field} is ${got} instead of ${expected}`).join(', ')}.
        </p>
      ))}
    </div>
  );
};

const withoutStop = (text: string): string => text.replace(/\.$/, '');

const ConditionLine = ({ condition, exchanges }: { condition: Condition } & Pick<Module, 'exchanges'>) => {
  const { id, clause, result, text, expected, got, fields = [] } = condition;
  const uuids = exchanges
    .filter(each => condition.exchanges.includes(each.id))
    .flatMap(({ verificationUuid }) => verificationUuid ?? []);
  return (
    <>
      <Badge of={result} tone={toneOfResult(result)} /> {id} ({clause}): {text}
      {result === 'PASSED' || (expected === null && got === null) ? null : (
        <p>
          {expected === null ? null : `Expected: ${withoutStop(expected)}. `}
          {got === null ? null : `Got: ${withoutStop(got)}.`}
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
          <a href={`/console/verifications/${uuid}`}>verification</a>
        </>
      ))}
    </>
  );
};

import type { Answers } from '../../client/client.ts';
import { counted, useTexts } from '../texts/languages.ts';
import { InlineCode } from './text.tsx';

type Run = Answers['runs']['runs'][number];

const MAX_NAMED = 5;

/** `W4.1.in-time ETH` is a condition of `W4.1 ETH`. */
const moduleOf = (condition: string): string => condition.replace(/\.[^.\s]+(?= |$)/, '');

/** One entry for each cause of failures, with a link to the module that shows it. */
export const CauseList = ({ of, runId }: { of: Run['causes']; runId: string }) => {
  const { check } = useTexts();
  return of.length === 0 ? null : (
    <ol class="causes">
      {of.map(({ title, conditions }) => (
        <li>
          <a href={`/console/checks/${runId}?module=${encodeURIComponent(moduleOf(conditions[0]!))}`}>
            <InlineCode text={title} />
          </a>{' '}
          <small>
            {counted(check.causeOf, conditions.length)}: {conditions.slice(0, MAX_NAMED).join(', ')}
            {conditions.length > MAX_NAMED ? ' …' : ''}
          </small>
        </li>
      ))}
    </ol>
  );
};

/** `passed: 40, failed: 2` */
export const CountsText = ({ of }: { of: Run['counts'] }) => {
  const { counts } = useTexts().check;
  return (
    <>
      {(['passed', 'failed', 'notReceived', 'warning', 'review'] as const)
        .flatMap(name => (of[name] === 0 ? [] : `${counts[name]}: ${of[name]}`))
        .join(', ')}
    </>
  );
};

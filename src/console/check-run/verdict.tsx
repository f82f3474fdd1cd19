import type { RunReport } from '../../client/client.ts';
import { CountsText } from '../components/causes.tsx';
import { ActionForm } from '../components/form.tsx';
import { DataTable } from '../components/table.tsx';
import { DefinitionList, InlineCode, Prose } from '../components/text.tsx';
import { Badge, Time, toneOf } from '../components/values.tsx';
import { fill, useSentences, useTexts } from '../texts/languages.ts';

/** The result of a run and what to do with it: the first thing on its page. */
export const Verdict = ({ of }: { of: RunReport }) => {
  const { id, plan, result, problem, endedAt, stopped, counts, modules } = of;
  const { checks, check } = useTexts();
  const finished = modules.filter(({ status }) => status === 'FINISHED').length;
  return (
    <section class={`verdict ${toneOf(result ?? 'RUNNING')}`}>
      <p class="row">
        <strong>
          <Badge of={result ?? 'RUNNING'} />
        </strong>
        {stopped && result !== 'INTERRUPTED' ? <Badge of="INTERRUPTED" /> : null}
        <span>
          {checks.plan} {plan}, {checks.modules} {fill(checks.countOf, { finished, all: modules.length })}
        </span>
        <span>
          <CountsText of={counts} />
        </span>
      </p>
      {result && result in check.next ? (
        <p>
          {problem ? <InlineCode text={problem.message} /> : null}{' '}
          <Prose of={check.next[result as keyof typeof check.next]} />
        </p>
      ) : null}
      {endedAt === null ? (
        <ActionForm to={`/console/checks/${id}/stop`} label={check.stop} />
      ) : (
        <>
          <Plans of={of} />
          <Downloads of={of} />
        </>
      )}
    </section>
  );
};

const COUNTED = ['PASSED', 'FAILED', 'NOT-RECEIVED', 'WARNING', 'REVIEW', 'SKIPPED'] as const;

/** The conditions of each plan by their result. */
const Plans = ({ of: { plans, modules } }: { of: RunReport }) => {
  const { checks, check } = useTexts();
  const countOf = (plan: string, wanted: string) =>
    modules
      .filter(module => module.plan === plan)
      .flatMap(({ conditions }) => conditions)
      .filter(({ result }) => result === wanted).length;
  return plans.length === 0 ? null : (
    <DataTable
      caption={check.conditions}
      rows={plans}
      idOf={({ plan }) => `plan-${plan}`}
      columns={[
        { head: checks.plan, cell: ({ plan }) => plan },
        { head: checks.result, cell: ({ result }) => <Badge of={result} /> },
        ...COUNTED.map(each => ({
          head: each,
          numeric: true,
          cell: ({ plan }: RunReport['plans'][number]) => countOf(plan, each),
        })),
      ]}
    />
  );
};

/** The file that proves a passed run, or explains another one, is the button. */
const Downloads = ({ of: { id, result } }: { of: RunReport }) => {
  const { check } = useTexts();
  const labels = { jws: check.jws, html: check.html, xml: 'JUnit', json: 'JSON', md: check.md };
  const first = result === 'PASSED' ? 'jws' : 'html';
  return (
    <nav class="row downloads" aria-label={check.downloads}>
      {Object.entries({ [first]: labels[first], ...labels }).map(([form, label]) => (
        <a
          href={`/console/json/sandbox/v1/runs/${id}/report.${form}`}
          download={`report.${form}`}
          role={form === first ? 'button' : undefined}
        >
          {label}
        </a>
      ))}
    </nav>
  );
};

/** On what the run was made. */
export const Facts = ({ of }: { of: RunReport }) => {
  const { tool, vasp, startedAt, endedAt, clock, chains, plans } = of;
  const { checks, check, pages } = useTexts();
  const skipped = plans.flatMap(each => each.skipped);
  const say = useSentences();
  return (
    <section>
      <h2>{check.facts}</h2>
      <DefinitionList
        of={[
          [check.tool, tool],
          ['VASP', `${vasp.name} (${vasp.vaspId})`],
          [check.skippedModules, skipped.length === 0 ? undefined : skipped.join(', ')],
          [checks.started, <Time at={startedAt} clock="machine" />],
          [check.ended, endedAt === null ? undefined : <Time at={endedAt} clock="machine" />],
          [check.clock, say(clock)],
          [
            pages.Chains,
            chains
              .map(({ network, finality }) =>
                finality ? fill(check.finalBy, { network, finality: say(finality) }) : network,
              )
              .join('; '),
          ],
        ]}
      />
    </section>
  );
};

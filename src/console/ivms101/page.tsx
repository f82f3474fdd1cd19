import type { Answers } from '../../client/client.ts';
import { IVMS101_CLAUSES, type Ivms101Clause } from '../../contract/ivms101-check/problem.ts';
import { jsonProblem } from '../../kernel/json.ts';
import { ActionForm, Field } from '../components/form.tsx';
import { DataTable } from '../components/table.tsx';
import { InlineCode, Paragraph } from '../components/text.tsx';
import { Badge } from '../components/values.tsx';
import type { Action, Page } from '../page.ts';
import { counted, fill, useTexts } from '../texts/languages.ts';

type Problem = Answers['checkIvms101']['problems'][number];

/** Shows the dialect and every problem. Nothing is stored or sent. */
const check: Action = async ({ api, texts: { ivms101: texts } }, { payload = '' }) => {
  const problem = jsonProblem(payload);
  if (problem !== undefined) return { kind: 'failed', text: fill(texts.notJson, { problem }), field: 'payload' };
  const { dialect, problems } = await api.checkIvms101({ payload: JSON.parse(payload) });
  const failures = problems.filter(({ severity }) => severity === 'FAILURE').length;
  const counts = [counted(texts.failures, failures), counted(texts.warnings, problems.length - failures)];
  return {
    kind: failures === 0 ? 'done' : 'failed',
    text: fill(texts.found, { dialect, problems: problems.length === 0 ? texts.noProblem : counts.join(', ') }),
    detail: problems.length === 0 ? undefined : <Problems of={problems} />,
  };
};

const Problems = ({ of }: { of: readonly Problem[] }) => {
  const { ivms101: texts } = useTexts();
  return (
    <DataTable
      caption={texts.problems}
      rows={of.map((problem, position) => ({ ...problem, position }))}
      idOf={({ position }) => `problem-${position}`}
      columns={[
        { head: texts.severity, cell: ({ severity }) => <Badge of={severity} /> },
        {
          head: texts.path,
          cell: ({ path }) => (path === '' ? <span class="muted">{texts.wholePayload}</span> : <code>{path}</code>),
        },
        { head: texts.problem, cell: ({ text }) => <InlineCode text={text} /> },
        { head: texts.wanted, cell: ({ wanted }) => <InlineCode text={wanted} /> },
        { head: texts.clause, cell: ({ clause }) => <Clause of={clause} /> },
      ]}
    />
  );
};

/** Datatypes and components of the standard speak for themselves. */
const Clause = ({ of }: { of: string }) => {
  const { clauses } = useTexts().ivms101;
  return Object.hasOwn(IVMS101_CLAUSES, of) ? (
    <>
      <strong>{of}</strong> <small>{clauses[of as Ivms101Clause]}</small>
    </>
  ) : (
    <code>{of}</code>
  );
};

export const ivms101: Page = {
  path: '/ivms101',
  title: 'IVMS101',
  group: 'Test',
  isLive: false,
  actions: { check },
  async render({ texts }) {
    return (
      <>
        <Paragraph of={texts.ivms101.intro} />
        <ActionForm to="/console/ivms101/check" label={texts.ivms101.check} tone="primary" keeps>
          <Field name="payload" label={texts.ivms101.payload} rows={20} code />
        </ActionForm>
      </>
    );
  },
};

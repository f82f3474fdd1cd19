import type { Answers } from '../../client/answers.ts';
import { Badge, type Tone } from '../components/badge.tsx';
import { Json } from '../components/json.tsx';
import { verificationColumn } from '../components/links.tsx';
import { DataTable, FilterBar, filled, verificationField } from '../components/table.tsx';
import { Fold } from '../components/text.tsx';
import { Time } from '../components/time.tsx';
import type { Page } from '../page.ts';
import { useTexts } from '../texts/languages.ts';
import { verdictOf } from './verdict.ts';

type Assessment = Answers['assessments']['assessments'][number];

export const assessments: Page = {
  path: '/assessments',
  title: 'Assessments',
  group: 'Look',
  home: 'enclave',
  isLive: true,
  async render({ api, query, texts }) {
    const filter = filled(query, 'verificationUuid');
    const { assessments: rows } = await api.assessments(filter);
    return (
      <>
        <FilterBar action="/console/assessments" query={query} fields={[verificationField(texts)]} />
        <List rows={rows} isNarrowed={'verificationUuid' in filter} />
      </>
    );
  },
};

const List = ({ rows, isNarrowed }: { rows: readonly Assessment[]; isNarrowed: boolean }) => {
  const { assessments: texts, verification } = useTexts();
  return (
    <DataTable
      caption={texts.caption}
      rows={rows}
      empty={isNarrowed ? texts.noMatch : texts.none}
      idOf={({ requestId }) => `assessment-${requestId}`}
      isLoud={({ status, lastError }) => status === 'REGISTERED' && lastError !== null}
      more={row => <Details of={row} />}
      columns={[
        { head: verification.requested, bare: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
        { head: texts.kind, bare: true, cell: ({ kind }) => texts[kind] },
        verificationColumn(useTexts()),
        { head: verification.status, bare: true, cell: ({ status }) => <Badge of={status} /> },
        { head: texts.verdict, cell: row => <Verdict of={row} /> },
        { head: texts.failures, cell: row => <Failures of={row} /> },
      ]}
    />
  );
};

/** Alerts and matches that leave the decision to the VASP. */
const MILD = ['LOW', 'WEAK', 'MEDIUM'];

function Verdict({ of }: { of: Assessment }) {
  const { assessments: texts, verification } = useTexts();
  const verdict = verdictOf(of, texts);
  if (!verdict) return <span class="muted">{verification.notYet}</span>;
  const hit = MILD.includes(verdict.word) ? 'warn' : 'bad';
  const tone: Tone = verdict.isHit ? hit : 'good';
  return (
    <>
      <Badge of={verdict.word} tone={tone} /> {verdict.detail}
    </>
  );
}

const Failures = ({ of: { failures, lastError } }: { of: Assessment }) => (
  <>
    {failures}
    {lastError === null ? null : (
      <>
        <br />
        <small>{lastError}</small>
      </>
    )}
  </>
);

const Details = ({ of: { requestId, riskAssessment } }: { of: Assessment }) => (
  <Fold id={`details-${requestId}`} summary={<small>requestId {requestId}</small>}>
    <Json of={riskAssessment} />
  </Fold>
);

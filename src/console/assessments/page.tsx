import type { SandboxAnswers } from '../../client/answers.ts';
import { Badge, type Tone } from '../components/badge.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Empty } from '../components/empty.tsx';
import { filled } from '../components/filter-bar.tsx';
import { Fold } from '../components/fold.tsx';
import { Json } from '../components/json.tsx';
import { Time } from '../components/time.tsx';
import { VerificationFilter } from '../components/verification-filter.tsx';
import { VerificationLink } from '../components/verification-link.tsx';
import type { Page } from '../page.ts';
import { verdictOf } from './verdict.ts';

type Assessment = SandboxAnswers['assessments']['assessments'][number];

const KINDS: Record<Assessment['kind'], string> = {
  sanction: 'Sanction screening',
  kyt: 'Transaction monitoring',
  wco: 'Person screening',
};

export const assessments: Page = {
  path: '/assessments',
  title: 'Assessments',
  group: 'Look',
  isLive: true,
  async render({ api, query }) {
    const filter = filled(query, 'verificationUuid');
    const { assessments: rows } = await api.assessments(filter);
    return (
      <>
        <VerificationFilter action="/console/assessments" uuid={filter.verificationUuid} />
        {rows.length === 0 ? <Nothing isFiltered={'verificationUuid' in filter} /> : <List rows={rows} />}
      </>
    );
  },
};

const Nothing = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty>No assessment matches this filter. Clear the filter to see all.</Empty>
  ) : (
    <Empty>
      No assessment yet. Request one on the page <a href="/console/send?action=assess-sanction">Send</a>, or
      call <code>POST /v1/risk-assessment/providerA-sanction</code> with the <code>verificationUuid</code> of
      a completed verification.
    </Empty>
  );

const List = ({ rows }: { rows: readonly Assessment[] }) => (
  <DataTable
    caption="Risk assessments, newest first"
    rows={rows}
    idOf={({ requestId }) => `assessment-${requestId}`}
    isLoud={({ status, lastError }) => status === 'REGISTERED' && lastError !== null}
    more={row => <Details of={row} />}
    columns={[
      { head: 'Requested', cell: ({ createdAt }) => <Time at={createdAt} /> },
      { head: 'Kind', cell: ({ kind }) => KINDS[kind] },
      { head: 'Verification', cell: ({ verificationUuid }) => <VerificationLink uuid={verificationUuid} /> },
      { head: 'Status', cell: ({ status }) => <Badge of={status} /> },
      { head: 'Verdict', cell: row => <Verdict of={row} /> },
      { head: 'Failed calls', cell: row => <Failures of={row} /> },
    ]}
  />
);

function Verdict({ of }: { of: Assessment }) {
  const verdict = verdictOf(of);
  if (!verdict) return <span class="muted">not yet</span>;
  const tone: Tone = verdict.isHit ? 'bad' : 'good';
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

import type { Answers } from '../../client/client.ts';
import {
  ALERT_LEVELS,
  type ProviderAKYT,
  type ProviderAKYTAlert,
  type ProviderASanction,
  type ProviderBWCO,
} from '../../contract/risk.ts';
import { Json } from '../components/json.tsx';
import { DataTable, FilterBar, filled, verificationField } from '../components/table.tsx';
import { Fold } from '../components/text.tsx';
import { Badge, Time, type Tone, verificationColumn } from '../components/values.tsx';
import type { Page } from '../page.ts';
import type { Texts } from '../texts/english.ts';
import { fill, useTexts } from '../texts/languages.ts';

type Assessment = Answers['assessments']['assessments'][number];

export const assessments: Page = {
  path: '/assessments',
  title: 'Assessments',
  group: 'Look',
  servedBy: 'enclave',
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
        { head: texts.kind, bare: true, line: true, cell: ({ kind }) => texts[kind] },
        verificationColumn(useTexts()),
        { head: verification.status, bare: true, cell: ({ status }) => <Badge of={status} /> },
        { head: texts.verdict, line: true, cell: row => <Verdict of={row} /> },
        { head: texts.failures, line: true, cell: row => <Failures of={row} /> },
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

type Words = Texts['assessments'];

interface RiskVerdict {
  word: string;
  isHit: boolean;
  detail: string;
}

/** The finding of a provider in one word. Undefined: no finding yet. */
const verdictOf = ({ kind, status, riskAssessment }: Assessment, texts: Words): RiskVerdict | undefined =>
  status === 'REGISTERED' ? undefined : VERDICTS[kind](riskAssessment, texts);

type Answer = Assessment['riskAssessment'];

const VERDICTS: Record<Assessment['kind'], (answer: Answer, texts: Words) => RiskVerdict> = {
  sanction: (answer, texts) => sanctionVerdict(answer.providerASanction as ProviderASanction, texts),
  kyt: (answer, texts) =>
    alertVerdict(texts, answer.providerAKYT as ProviderAKYT, (answer.providerAKYTAlerts ?? []) as ProviderAKYTAlert[]),
  wco: (answer, texts) => matchVerdict(answer.providerBWCO as ProviderBWCO, texts),
};

const sanctionVerdict = ({ status, direction, ofacName }: ProviderASanction, texts: Words): RiskVerdict => ({
  word: status,
  isHit: status === 'SANCTION',
  detail: ofacName ? fill(texts.listedAs, { direction, name: ofacName }) : direction,
});

function alertVerdict(
  texts: Words,
  { apiType, direction }: ProviderAKYT,
  alerts: readonly ProviderAKYTAlert[],
): RiskVerdict {
  const highest = ALERT_LEVELS.findLast(level => alerts.some(({ alertLevel }) => alertLevel === level));
  const categories = [...new Set(alerts.map(({ entityCategory }) => entityCategory).filter(Boolean))];
  return {
    word: highest ?? texts.noAlert,
    isHit: highest !== undefined,
    detail: [apiType, direction, ...categories].join(', '),
  };
}

const matchVerdict = ({ matchStrength, direction }: ProviderBWCO, texts: Words): RiskVerdict => ({
  word: matchStrength ?? texts.noMatchFound,
  isHit: Boolean(matchStrength),
  detail: direction,
});

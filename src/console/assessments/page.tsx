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
import { Fold, WithReason } from '../components/text.tsx';
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
  async render({ api, query, texts: all }) {
    const { assessments: texts, verification } = all;
    const filter = filled(query, 'verificationUuid');
    const { assessments: rows } = await api.assessments(filter);
    return (
      <>
        <FilterBar action="/console/assessments" query={query} fields={[verificationField(all)]} />
        <DataTable
          caption={texts.caption}
          rows={rows}
          empty={'verificationUuid' in filter ? texts.noMatch : texts.none}
          idOf={({ requestId }) => `assessment-${requestId}`}
          isLoud={({ status, lastError }) => status === 'REGISTERED' && lastError !== null}
          more={({ requestId, riskAssessment }) => (
            <Fold id={`details-${requestId}`} summary={<small>requestId {requestId}</small>}>
              <Json of={riskAssessment} />
            </Fold>
          )}
          columns={[
            { head: verification.requested, bare: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
            { head: texts.kind, bare: true, line: true, cell: ({ kind }) => texts[kind] },
            verificationColumn(all),
            { head: verification.status, bare: true, cell: ({ status }) => <Badge of={status} /> },
            { head: texts.verdict, line: true, cell: row => <Verdict of={row} /> },
            {
              head: texts.failures,
              line: true,
              cell: ({ failures, lastError }) => <WithReason reason={lastError}>{failures}</WithReason>,
            },
          ]}
        />
      </>
    );
  },
};

/** Alerts and matches that leave the decision to the VASP. */
const MILD = ['LOW', 'WEAK', 'MEDIUM'];

function Verdict({ of }: { of: Assessment }) {
  const { assessments: texts, verification } = useTexts();
  if (of.status === 'REGISTERED') return <span class="muted">{verification.notYet}</span>;
  const { word, isHit, detail } = VERDICTS[of.kind](of.riskAssessment, texts);
  const tone: Tone = !isHit ? 'good' : MILD.includes(word) ? 'warn' : 'bad';
  return (
    <>
      <Badge of={word} tone={tone} /> {detail}
    </>
  );
}

type Words = Texts['assessments'];
type Answer = Assessment['riskAssessment'];

/** The finding of a provider in one word. */
const VERDICTS: Record<
  Assessment['kind'],
  (answer: Answer, texts: Words) => { word: string; isHit: boolean; detail: string }
> = {
  sanction(answer, texts) {
    const { status, direction, ofacName } = answer.providerASanction as ProviderASanction;
    const detail = ofacName ? fill(texts.listedAs, { direction, name: ofacName }) : direction;
    return { word: status, isHit: status === 'SANCTION', detail };
  },
  kyt(answer, texts) {
    const { apiType, direction } = answer.providerAKYT as ProviderAKYT;
    const alerts = (answer.providerAKYTAlerts ?? []) as ProviderAKYTAlert[];
    const highest = ALERT_LEVELS.findLast(level => alerts.some(({ alertLevel }) => alertLevel === level));
    const categories = [...new Set(alerts.map(({ entityCategory }) => entityCategory).filter(Boolean))];
    const detail = [apiType, direction, ...categories].join(', ');
    return { word: highest ?? texts.noAlert, isHit: highest !== undefined, detail };
  },
  wco(answer, texts) {
    const { matchStrength, direction } = answer.providerBWCO as ProviderBWCO;
    return { word: matchStrength ?? texts.noMatchFound, isHit: Boolean(matchStrength), detail: direction };
  },
};

import type { SandboxAnswers } from '../../client/answers.ts';
import {
  ALERT_LEVELS,
  type ProviderAKYT,
  type ProviderAKYTAlert,
  type ProviderASanction,
  type ProviderBWCO,
} from '../../contract/risk.ts';

type Assessment = SandboxAnswers['assessments']['assessments'][number];

export interface RiskVerdict {
  word: string;
  isHit: boolean;
  detail: string;
}

/** The finding of a provider in one word. Undefined: no finding yet. */
export const verdictOf = ({ kind, status, riskAssessment }: Assessment): RiskVerdict | undefined =>
  status === 'REGISTERED' ? undefined : VERDICTS[kind](riskAssessment);

const VERDICTS: Record<Assessment['kind'], (answer: Assessment['riskAssessment']) => RiskVerdict> = {
  sanction: answer => sanctionVerdict(answer.providerASanction as ProviderASanction),
  kyt: answer =>
    alertVerdict(
      answer.providerAKYT as ProviderAKYT,
      (answer.providerAKYTAlerts ?? []) as ProviderAKYTAlert[],
    ),
  wco: answer => matchVerdict(answer.providerBWCO as ProviderBWCO),
};

const sanctionVerdict = ({ status, direction, ofacName }: ProviderASanction): RiskVerdict => ({
  word: status,
  isHit: status === 'SANCTION',
  detail: ofacName ? `${direction}, listed as ${ofacName}` : direction,
});

function alertVerdict(
  { apiType, direction }: ProviderAKYT,
  alerts: readonly ProviderAKYTAlert[],
): RiskVerdict {
  const highest = ALERT_LEVELS.findLast(level => alerts.some(({ alertLevel }) => alertLevel === level));
  const categories = [...new Set(alerts.map(({ entityCategory }) => entityCategory).filter(Boolean))];
  return {
    word: highest ?? 'NO ALERT',
    isHit: highest !== undefined,
    detail: [apiType, direction, ...categories].join(', '),
  };
}

const matchVerdict = ({ matchStrength, direction }: ProviderBWCO): RiskVerdict => ({
  word: matchStrength ?? 'NO MATCH',
  isHit: Boolean(matchStrength),
  detail: direction,
});

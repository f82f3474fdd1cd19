import type { Answers } from '../../client/answers.ts';
import {
  ALERT_LEVELS,
  type ProviderAKYT,
  type ProviderAKYTAlert,
  type ProviderASanction,
  type ProviderBWCO,
} from '../../contract/risk.ts';
import type { Texts } from '../texts/english.ts';
import { fill } from '../texts/languages.ts';

type Words = Texts['assessments'];
type Assessment = Answers['assessments']['assessments'][number];

export interface RiskVerdict {
  word: string;
  isHit: boolean;
  detail: string;
}

/** The finding of a provider in one word. Undefined: no finding yet. */
export const verdictOf = (
  { kind, status, riskAssessment }: Assessment,
  texts: Words,
): RiskVerdict | undefined => (status === 'REGISTERED' ? undefined : VERDICTS[kind](riskAssessment, texts));

type Answer = Assessment['riskAssessment'];

const VERDICTS: Record<Assessment['kind'], (answer: Answer, texts: Words) => RiskVerdict> = {
  sanction: (answer, texts) => sanctionVerdict(answer.providerASanction as ProviderASanction, texts),
  kyt: (answer, texts) =>
    alertVerdict(
      texts,
      answer.providerAKYT as ProviderAKYT,
      (answer.providerAKYTAlerts ?? []) as ProviderAKYTAlert[],
    ),
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

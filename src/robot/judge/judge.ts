import type { NearMiss } from '../../contract/near-miss.ts';
import { VERIFIED, type Verdict } from '../../contract/reasons.ts';
import type { RuleOutcome } from '../../contract/rule-outcome.ts';
import { visibleNearMiss } from '../../contract/visible-text.ts';
import type { User } from '../users/user.ts';
import { type Finding, RULES, type Rule } from './rules.ts';
import type { Subject } from './subject.ts';

export interface Judgement {
  readonly verdict: Verdict;
  /** The user of the first account number. Absent: it belongs to no user. */
  readonly user?: User | undefined;
  /** The change that leads to VERIFIED. May hold a person's name. Absent: no change does. */
  readonly nearMiss?: NearMiss;
  /** Every rule that was tried, in order. Holds no personal data. */
  readonly steps: readonly RuleOutcome[];
}

/** D-06: tries the rules in order. The first rule with a finding decides. Without a finding it is VERIFIED. */
export function judge(subject: Subject): Judgement {
  const steps: RuleOutcome[] = [];
  for (const rule of RULES) {
    if (rule.appliesTo === 'user' && subject.kind !== 'user') continue;
    const finding = tryRule(rule, subject);
    steps.push(outcomeOf(rule, finding));
    if (finding) {
      const nearMiss = visibleNearMiss(finding.nearMiss);
      return { verdict: finding.verdict, nearMiss, user: subject.user, steps };
    }
  }
  return { verdict: VERIFIED, user: subject.user, steps };
}

function tryRule(rule: Rule, subject: Subject): Finding | undefined {
  if (rule.appliesTo === 'both') return rule.judge(subject);
  return subject.kind === 'user' ? rule.judge(subject) : undefined;
}

function outcomeOf({ name, clause }: Rule, finding: Finding | undefined): RuleOutcome {
  if (!finding) return { rule: name, clause, outcome: 'passed' };
  const { verdict: _, nearMiss: __, ...details } = finding;
  return { rule: name, clause, outcome: 'decided', ...details };
}

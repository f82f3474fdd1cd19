import type { NearMiss } from '../../contract/near-miss.ts';
import { VERIFIED, type Verdict } from '../../contract/reasons.ts';
import { RULE_CLAUSES, type RuleOutcome } from '../../contract/rule-outcome.ts';
import { visibleNearMiss } from '../../contract/visible-text.ts';
import type { User } from '../users/user.ts';
import { type Finding, RULES, type Rule, USER_RULES } from './rules.ts';
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
  const { user } = subject;
  const steps: RuleOutcome[] = [];
  const finding =
    tryRules(RULES, subject, steps) ?? (subject.kind === 'user' ? tryRules(USER_RULES, subject, steps) : undefined);
  if (!finding) return { verdict: VERIFIED, user, steps };
  return { verdict: finding.verdict, nearMiss: visibleNearMiss(finding.nearMiss), user, steps };
}

/** Adds every rule that it tries to `steps`. */
function tryRules<S>(rules: readonly Rule<S>[], subject: S, steps: RuleOutcome[]): Finding | undefined {
  for (const rule of rules) {
    const finding = rule.judge(subject);
    steps.push(outcomeOf(rule, finding));
    if (finding) return finding;
  }
  return undefined;
}

function outcomeOf({ name }: Pick<Rule, 'name'>, finding: Finding | undefined): RuleOutcome {
  const clause = RULE_CLAUSES[name];
  if (!finding) return { rule: name, clause, outcome: 'passed' };
  const { verdict: _, nearMiss: __, ...details } = finding;
  return { rule: name, clause, outcome: 'decided', ...details };
}

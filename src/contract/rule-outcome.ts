/** The rules of judging, and the clauses that each one holds. */
export const RULE_CLAUSES = {
  symbol: 'REF-4.6.3',
  network: 'REF-2.3, D-07',
  address: 'REF-4.6.4, REF-4.6.6, D-08',
  name: 'REF-4.6.6, REF-4.6.7, D-09',
  kyc: 'REF-4.6.7',
  'required-info': 'REF-4.6, D-10',
  'originator-info': 'REF-4.6.8, D-10, D-28',
  'listed-originator': 'REF-4.6.9, D-11',
  behaviour: 'REF-2.3',
} as const;
export type RuleName = keyof typeof RULE_CLAUSES;

export interface RuleOutcome {
  readonly rule: RuleName;
  readonly clause: string;
  readonly outcome: 'passed' | 'decided';
  readonly field?: string;
  readonly detail?: string;
}

/** The history keeps a rule that passed as its name. */
export type KeptOutcome = RuleName | RuleOutcome;

export const keptOutcomes = (steps: readonly RuleOutcome[]): KeptOutcome[] =>
  steps.map(step => (step.outcome === 'passed' ? step.rule : step));

export const outcomesOf = (kept: readonly KeptOutcome[]): RuleOutcome[] =>
  kept.map(each => (typeof each === 'string' ? { rule: each, clause: RULE_CLAUSES[each], outcome: 'passed' } : each));

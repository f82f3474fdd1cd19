/** The outcome of one rule of the judge. */
export interface RuleOutcome {
  readonly rule: string;
  readonly clause: string;
  readonly outcome: 'passed' | 'decided';
  readonly field?: string;
  readonly detail?: string;
}

/** The history keeps a rule that passed in short. */
export type KeptOutcome = [rule: string, clause: string] | RuleOutcome;

export const keptOutcomes = (steps: readonly RuleOutcome[]): KeptOutcome[] =>
  steps.map(step => (step.outcome === 'passed' ? [step.rule, step.clause] : step));

export const outcomesOf = (kept: readonly KeptOutcome[]): RuleOutcome[] =>
  kept.map(each => (Array.isArray(each) ? { rule: each[0], clause: each[1], outcome: 'passed' } : each));

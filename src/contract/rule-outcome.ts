export interface RuleOutcome {
  readonly rule: string;
  readonly clause: string;
  readonly outcome: 'passed' | 'decided';
  readonly field?: string;
  readonly detail?: string;
}

/** The history keeps a rule that passed as its name and its clause. */
export type KeptOutcome = string | RuleOutcome;

export const keptOutcomes = (steps: readonly RuleOutcome[]): KeptOutcome[] =>
  steps.map(step => (step.outcome === 'passed' ? `${step.rule} ${step.clause}` : step));

export const outcomesOf = (kept: readonly KeptOutcome[]): RuleOutcome[] =>
  kept.map(each => {
    if (typeof each !== 'string') return each;
    const end = each.indexOf(' ');
    return { rule: each.slice(0, end), clause: each.slice(end + 1), outcome: 'passed' };
  });

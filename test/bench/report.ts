/** One line per figure; a budget is a ratio or a bound of stack.md, and says whether it was kept. */
export interface Figure {
  what: string;
  value: number;
  unit: string;
  budget?: { atMost: number } | { atLeast: number };
}

export const section = (title: string): void => void process.stdout.write(`\n${title}\n`);

export function show(...figures: Figure[]): void {
  for (const { what, value, unit, budget } of figures) {
    const text = `  ${what.padEnd(58)} ${round(value).padStart(9)} ${unit}`;
    process.stdout.write(`${text.padEnd(84)}${budget ? verdict(value, budget) : ''}\n`);
  }
}

const round = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(2));

function verdict(value: number, budget: NonNullable<Figure['budget']>): string {
  if ('atMost' in budget)
    return value <= budget.atMost ? `kept (≤ ${budget.atMost})` : `MISSED (≤ ${budget.atMost})`;
  return value >= budget.atLeast ? `kept (≥ ${budget.atLeast})` : `MISSED (≥ ${budget.atLeast})`;
}

/** For what takes minutes: to standard error, so that the figures can be kept alone. */
export function progress(done: number, all: number, what: string): void {
  process.stderr.write(`  ${done} of ${all} ${what}\n`);
}

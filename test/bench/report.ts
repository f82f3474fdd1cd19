import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** One line of the report. A budget is a ratio or a bound, and the line says whether it was kept. */
export interface Figure {
  what: string;
  value: number;
  unit: string;
  /** The smallest and the largest value of the rounds. */
  spread?: Spread;
  budget?: Budget;
}
export type Spread = readonly [least: number, most: number];
export type Budget = { atMost: number } | { atLeast: number };

/** The file that `--json` writes and `--compare` reads. */
export interface Report {
  at: string;
  node: string;
  processors: number;
  figures: (Figure & { section: string })[];
}

const figures: Report['figures'] = [];
let current = '';

export function section(title: string): void {
  current = title;
  process.stdout.write(`\n${title}\n`);
}

export function show(...shown: Figure[]): void {
  for (const figure of shown) {
    figures.push({ section: current, ...figure });
    const { what, value, unit, spread, budget } = figure;
    const text = `  ${what.padEnd(58)} ${round(value).padStart(9)} ${unit}`;
    const between = spread ? `${round(spread[0])}–${round(spread[1])}` : '';
    process.stdout.write(`${text.padEnd(84)} ${between.padEnd(16)} ${budget ? verdict(value, budget) : ''}\n`);
  }
}

export function writeReport(file: string): void {
  const at = new Date().toISOString();
  const report: Report = { at, node: process.version, processors: availableParallelism(), figures };
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}

export const round = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(2));

const isKept = (value: number, budget: Budget): boolean =>
  'atMost' in budget ? value <= budget.atMost : value >= budget.atLeast;

const verdict = (value: number, budget: Budget): string =>
  `${isKept(value, budget) ? 'kept' : 'MISSED'} (${'atMost' in budget ? `≤ ${round(budget.atMost)}` : `≥ ${round(budget.atLeast)}`})`;

/** The figures that miss their budget. */
export const missed = (): string[] =>
  figures
    .filter(({ value, budget }) => budget && !isKept(value, budget))
    .map(figure => `${figure.section}: ${figure.what}`);

/** Written to standard error, so that standard output holds the figures alone. */
export function progress(done: number, all: number, what: string): void {
  process.stderr.write(`  ${done} of ${all} ${what}\n`);
}

import type { Spread } from './report.ts';

export const median = (values: number[]): number => quantile(values, 0.5);

export function quantile(values: number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]!;
}

/** The median of the rounds, with the smallest and the largest of them. */
export const medianOf = (values: number[]): { value: number; spread: Spread } => ({
  value: median(values),
  spread: [Math.min(...values), Math.max(...values)],
});

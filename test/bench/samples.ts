import type { Spread } from './report.ts';

export const median = (values: number[]): number => quantile(values, 0.5);

/** By nearest rank: the smallest value that this part of all values does not exceed. */
export function quantile(values: number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)]!;
}

/** The median of the rounds, with the smallest and the largest of them. */
export const medianOf = (values: number[]): { value: number; spread: Spread } => ({
  value: median(values),
  spread: [Math.min(...values), Math.max(...values)],
});

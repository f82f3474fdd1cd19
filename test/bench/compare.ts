import { readFileSync } from 'node:fs';
import { type Report, round } from './report.ts';

type Line = Report['figures'][number];

/** Prints each figure of two reports side by side, with the change in per cent. */
export function compare(before: string, after: string): void {
  const [old, now] = [before, after].map(file => JSON.parse(readFileSync(file, 'utf8')) as Report);
  const previous = new Map(old!.figures.map(figure => [keyOf(figure), figure]));
  let title = '';
  for (const figure of now!.figures) {
    const match = previous.get(keyOf(figure));
    if (!match) continue;
    if (figure.section !== title) process.stdout.write(`\n${figure.section}\n`);
    title = figure.section;
    process.stdout.write(`${lineOf(match, figure)}\n`);
  }
}

const keyOf = ({ section, what }: Line): string => `${section}\n${what}`;

function lineOf(before: Line, after: Line): string {
  const values = `${round(before.value).padStart(9)} → ${round(after.value).padStart(9)} ${after.unit}`;
  const change = (after.value / before.value - 1) * 100;
  const percent = Number.isFinite(change) ? `${change >= 0 ? '+' : ''}${change.toFixed(0)} %` : '';
  const note = overlap(before, after) ? 'the spreads overlap' : '';
  return `  ${after.what.padEnd(58)} ${values.padEnd(36)} ${percent.padStart(7)}  ${note}`;
}

const overlap = ({ spread: a }: Line, { spread: b }: Line): boolean =>
  a !== undefined && b !== undefined && a[0] <= b[1] && b[0] <= a[1];

import type { Tone } from '../components/badge.tsx';

const TONES: Readonly<Record<string, Tone>> = {
  PASSED: 'good',
  FAILED: 'bad',
  // Nothing was found wrong: it was not looked at.
  INTERRUPTED: 'warn',
  'NOT-RECEIVED': 'bad',
  WARNING: 'warn',
  REVIEW: 'warn',
  SKIPPED: 'plain',
  'NOT-JUDGED': 'warn',
  ERROR: 'bad',
};

/** Null: it is not finished. */
export const toneOfResult = (result: string | null): Tone =>
  result === null ? 'busy' : (TONES[result] ?? 'plain');

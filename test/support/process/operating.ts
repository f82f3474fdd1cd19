import { expect } from 'vitest';
import { commandHere, linesOf, type Ran } from './command-line.ts';

/** Command lines that speak to one sandbox. */
export interface Operating {
  ran(...argv: string[]): Promise<Ran>;
  /** One line of JSON on standard output, and nothing else. */
  answer<T = Record<string, unknown>>(...argv: string[]): Promise<T>;
  /** A line of JSON on standard output for each entry, and nothing else. */
  entries<T = Record<string, unknown>>(...argv: string[]): Promise<T[]>;
  /** One line of JSON on standard error, and nothing else. */
  refusal(...argv: string[]): Promise<{ code: number | null; failure: { code: string; message: string } }>;
}

export function operating(url: () => string): Operating {
  const ran = (...argv: string[]) => commandHere(argv, { ROBOT_VASP_URL: url() });
  return {
    ran,
    async answer<T>(...argv: string[]) {
      const { code, stdout, stderr } = await ran(...argv, '--json');
      expect([code, linesOf(stderr), stdout.trim().split('\n').length]).toEqual([0, [], 1]);
      return JSON.parse(stdout) as T;
    },
    async entries<T>(...argv: string[]) {
      const { code, stdout, stderr } = await ran(...argv, '--json');
      expect([code, linesOf(stderr)]).toEqual([0, []]);
      return objectsIn<T>(stdout);
    },
    async refusal(...argv) {
      const { code, stdout, stderr } = await ran(...argv, '--json');
      expect(stdout).toBe('');
      return { code, failure: JSON.parse(stderr) };
    },
  };
}

/** Each line is JSON. */
export const objectsIn = <T = unknown>(text: string): T[] =>
  text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as T);

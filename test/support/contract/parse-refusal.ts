import type { z } from 'zod';
import { parse } from '../../../src/contract/parse.ts';
import { Refusal } from '../../../src/contract/refusals.ts';

/** The refusal that parsing throws; fails when it parses. */
export function parseRefusalOf(schema: z.ZodType, value: unknown): Refusal {
  try {
    parse(schema, value);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('it parsed');
}

export const problem = (schema: z.ZodType, value: unknown) => {
  const { kind, field } = parseRefusalOf(schema, value);
  return { kind, field };
};

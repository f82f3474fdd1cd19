import type { z } from 'zod';
import { Fault } from '../../src/contract/faults.ts';
import { parse } from '../../src/contract/parse.ts';

/** The fault that parsing throws; fails when it parses. */
export function faultOf(schema: z.ZodType, value: unknown): Fault {
  try {
    parse(schema, value);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('it parsed');
}

export const flaw = (schema: z.ZodType, value: unknown) => {
  const { kind, field } = faultOf(schema, value);
  return { kind, field };
};

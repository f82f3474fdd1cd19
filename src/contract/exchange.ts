import * as z from 'zod';
import { Timestamp } from './time.ts';

export const EXCHANGE_MEMBERS = {
  id: z.string(),
  direction: z.enum(['IN', 'OUT']).describe('IN: this VASP called the sandbox; OUT: the sandbox called this VASP.'),
  operation: z.string(),
  method: z.string(),
  url: z.string(),
  verificationUuid: z.string().nullable(),
  request: z.string().nullable(),
  status: z.number().int().nullable(),
  response: z.string().nullable(),
  error: z.string().nullable(),
  durationMs: z.number().int(),
  at: Timestamp,
};

/** Of events that say the same each time: the history keeps their values, and the sentence is made where it is read. */
const SENTENCES: Readonly<Record<string, (values: Record<string, unknown>) => string>> = {
  'verification begin': () => 'user verification requested',
  'verification verified': () => 'the beneficiary VASP answered VERIFIED',
  'callback begin': ({ callbackType }) => `${callbackType} is queued`,
};

export const sentenceOf = ({ machine, event, detail }: { machine: string; event: string; detail?: unknown }): string =>
  SENTENCES[`${machine} ${event}`]?.((detail ?? {}) as Record<string, unknown>) ?? event;

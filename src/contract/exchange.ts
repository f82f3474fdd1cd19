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

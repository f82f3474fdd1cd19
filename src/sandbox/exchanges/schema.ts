import * as z from 'zod';
import { optional, VerificationUuid } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { limit, position } from '../parameters.ts';

/** `/exchanges` */

export const ExchangesQuery = z
  .object({ verificationUuid: optional(VerificationUuid), before: optional(position), limit })
  .meta({ id: 'ExchangesQuery' });
export const ExchangeEntry = z
  .object({
    id: z.string(),
    direction: z
      .enum(['IN', 'OUT'])
      .describe('IN: this VASP called the sandbox; OUT: the sandbox called this VASP.'),
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
  })
  .meta({ id: 'ExchangeEntry' });
export const ExchangesResponse = z
  .object({ exchanges: z.array(ExchangeEntry) })
  .meta({ id: 'ExchangesResponse', description: 'HTTP exchanges with this VASP, newest first.' });

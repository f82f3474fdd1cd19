import * as z from 'zod';
import { named } from '../../contract/text.ts';
import { calls } from '../../http/endpoint.ts';
import { Behind } from '../clock.ts';

/** `/reset` */

export const ResetResponse = named('ResetResponse', { result: z.literal(true), behind: Behind });

export const resetCalls = calls({ reset: { response: ResetResponse } });

import * as z from 'zod';
import { named } from '../../contract/named.ts';

/** `/reset` */

export const ResetResponse = named('ResetResponse', { result: z.literal(true) });

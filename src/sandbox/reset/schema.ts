import * as z from 'zod';

/** `/reset` */

export const ResetResponse = z.object({ result: z.literal(true) }).meta({ id: 'ResetResponse' });

import * as z from 'zod';
import { optional, shownName } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { SCOPES } from '../../http/caller.ts';
import { duration } from '../../sandbox/parameters.ts';

/** `/keys` */

const YEAR_MS = 366 * 86_400_000;
const MAX_OVERLAP_MS = 30 * 86_400_000;

const KeyScope = z
  .enum(SCOPES)
  .meta({ description: '`read`: GET alone. `check`: GET and runs of checks. `full`: everything.' });

export const KeyRequest = z
  .object({
    name: shownName(256).meta({ examples: ['CI'] }),
    scope: KeyScope.default('full'),
    expiresIn: optional(duration(10 * YEAR_MS)).describe('Without it the key does not expire.'),
  })
  .meta({ id: 'KeyRequest' });
export const KeyEntry = z
  .object({
    id: z.string(),
    name: z.string(),
    scope: KeyScope,
    createdAt: Timestamp,
    lastUsedAt: Timestamp.nullable(),
    expiresAt: Timestamp.nullable(),
  })
  .meta({ id: 'KeyEntry' });
export const KeysResponse = z.object({ keys: z.array(KeyEntry) }).meta({ id: 'KeysResponse' });
export const NewKey = z
  .object({ id: z.string(), apiKey: z.string().describe('Shown once; only its hash is stored.') })
  .meta({ id: 'NewKey' });
export const RollRequest = z
  .object({
    overlap: duration(MAX_OVERLAP_MS)
      .prefault('24h')
      .describe('Time for which the previous key stays valid. Default: 24h.'),
  })
  .meta({ id: 'RollRequest' });
export const KeyRevoked = z.object({ result: z.literal(true) }).meta({ id: 'KeyRevoked' });

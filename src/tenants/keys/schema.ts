import * as z from 'zod';
import { named, optional, shownName } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { SCOPES } from '../../http/caller.ts';
import { calls } from '../../http/endpoint.ts';
import { duration } from '../../sandbox/parameters.ts';

/** `/keys` */

const YEAR_MS = 366 * 86_400_000;
const MAX_OVERLAP_MS = 30 * 86_400_000;

const KeyScope = z
  .enum(SCOPES)
  .meta({ description: '`read`: only GET. `check`: GET and runs of checks. `full`: everything.' });

export const KeyRequest = named('KeyRequest', {
  name: shownName(256).meta({ examples: ['CI'] }),
  scope: KeyScope.default('full'),
  expiresIn: optional(duration(10 * YEAR_MS)).describe('Without it the key does not expire.'),
});
export const KeyEntry = named('KeyEntry', {
  id: z.string(),
  name: z.string(),
  scope: KeyScope,
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
  expiresAt: Timestamp.nullable(),
});
export const KeysResponse = named('KeysResponse', { keys: z.array(KeyEntry) });
export const NewKey = named('NewKey', {
  id: z.string(),
  apiKey: z.string().describe('Shown once; only its hash is stored.'),
});
export const RollRequest = named('RollRequest', {
  overlap: duration(MAX_OVERLAP_MS)
    .prefault('24h')
    .describe('Time for which the previous key stays valid. Default: 24h.'),
});
export const KeyRevoked = named('KeyRevoked', { result: z.literal(true) });

export const keyCalls = calls({
  keys: { response: KeysResponse },
  createKey: { body: KeyRequest, response: NewKey },
  revokeKey: { response: KeyRevoked },
  rollKey: { body: RollRequest, bodyMayBeAbsent: true, response: NewKey },
});

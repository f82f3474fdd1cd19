import * as z from 'zod';
import { refusals } from '../contract/refusals.ts';
import { named, optional, shownName } from '../contract/text.ts';
import { Timestamp } from '../contract/time.ts';
import { type Tx, write } from '../db/transaction.ts';
import { SCOPES } from '../http/caller.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { toIso } from '../kernel/clock.ts';
import { hashOf } from '../kernel/secrets.ts';
import { duration } from '../sandbox/parameters.ts';
import type { TenantsDeps } from './deps.ts';
import { isOver, type Key } from './store.ts';
import { quotasOf, requireRoom } from './usage.ts';

export const keyEndpoints = (deps: TenantsDeps): Endpoint[] => [
  control(keyCalls.keys, {
    summary: 'List the API keys of this VASP',
    run: (_, caller) => ({
      keys: deps.keys
        .ofVasp(caller)
        .filter(key => !isOver(key, deps.now()))
        .map(({ id, name, scope, createdAt, lastUsedAt, expiresAt }) => ({
          id,
          name,
          scope,
          createdAt: toIso(createdAt),
          lastUsedAt: lastUsedAt === null ? null : toIso(lastUsedAt),
          expiresAt: expiresAt === null ? null : toIso(expiresAt),
        })),
    }),
  }),
  control(keyCalls.createKey, {
    summary: 'Create an API key; it is shown once',
    run: ({ body: { name, scope, expiresIn: lifetimeMs = null } }, vaspId) =>
      write(deps.db, tx => {
        makeRoom(deps, tx, vaspId, 1);
        return addKey(deps, tx, { vaspId, name, scope, lifetimeMs });
      }),
  }),
  control(keyCalls.revokeKey, {
    refusals: ['not-found'],
    summary: 'Revoke an API key; its open streams end at once',
    run({ params }, caller) {
      const key = ownKey(deps, params.id, caller);
      write(deps.db, tx => deps.keys.remove(tx, [key]));
      return { result: true as const };
    },
  }),
  control(keyCalls.rollKey, {
    refusals: ['not-found'],
    summary: 'Replace an API key; both are valid for a while',
    run({ body: { overlap }, params }, vaspId) {
      const key = ownKey(deps, params.id, vaspId);
      const { name, scope, lifetimeMs } = key;
      const now = deps.now();
      const rolled = write(deps.db, tx => {
        makeRoom(deps, tx, vaspId, overlap === 0 ? 0 : 1);
        deps.keys.setExpiry(tx, key, Math.min(now + overlap, key.expiresAt ?? Number.POSITIVE_INFINITY));
        return addKey(deps, tx, { vaspId, name, scope, lifetimeMs });
      });
      if (isOver(key, now)) deps.connections.close(key.id);
      return rolled;
    },
  }),
];

/** 256 random bits. The name of the cell stands in the key, so that a proxy can choose the cell. */
const newApiKey = ({ settings, random }: TenantsDeps): string => `rv_${settings.cell}_${random.secret(32)}`;

/** `lifetimeMs`: null: it does not expire. Returns the text of the key, which is not stored. */
export function addKey(
  deps: TenantsDeps,
  tx: Tx,
  key: Pick<Key, 'vaspId' | 'name' | 'scope' | 'lifetimeMs'>,
): { id: string; apiKey: string } {
  const apiKey = newApiKey(deps);
  const id = deps.random.uuid();
  const createdAt = deps.now();
  const expiresAt = key.lifetimeMs === null ? null : createdAt + key.lifetimeMs;
  deps.keys.insert(tx, { ...key, id, hash: hashOf(apiKey), createdAt, expiresAt, lastUsedAt: null });
  return { id, apiKey };
}

/** Each key has a limit of requests of its own. Expired keys stay known until their room is needed. */
function makeRoom(deps: TenantsDeps, tx: Tx, vaspId: string, adding: number): void {
  const stored = deps.keys.ofVasp(vaspId);
  const expired = stored.filter(key => isOver(key, deps.now()));
  requireRoom(deps, vaspId, 'keys', { used: stored.length - expired.length, adding });
  if (stored.length >= quotasOf(deps, vaspId).keys) deps.keys.remove(tx, expired);
}

/** Throws `Refusal` not-found, also for the key of another VASP. */
function ownKey(deps: Pick<TenantsDeps, 'keys' | 'now'>, id: string, vaspId: string): Key {
  const key = deps.keys.find(id);
  if (key?.vaspId !== vaspId || isOver(key, deps.now())) throw refusals.notFound('Key', id, '/sandbox/v1/keys');
  return key;
}

const YEAR_MS = 366 * 86_400_000;
const MAX_OVERLAP_MS = 30 * 86_400_000;

const KeyScope = z
  .enum(SCOPES)
  .meta({ description: '`read`: only GET. `check`: GET and runs of checks. `full`: everything.' });

const KeyRequest = named('KeyRequest', {
  name: shownName(256).meta({ examples: ['CI'] }),
  scope: KeyScope.default('full'),
  expiresIn: optional(duration(10 * YEAR_MS)).describe('Without it the key does not expire.'),
});
const KeyEntry = named('KeyEntry', {
  id: z.string(),
  name: z.string(),
  scope: KeyScope,
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
  expiresAt: Timestamp.nullable(),
});
const KeysResponse = named('KeysResponse', { keys: z.array(KeyEntry) });
export const NewKey = named('NewKey', {
  id: z.string(),
  apiKey: z.string().describe('Shown once; only its hash is stored.'),
});
export const RollRequest = named('RollRequest', {
  overlap: duration(MAX_OVERLAP_MS)
    .prefault('24h')
    .describe('Time for which the previous key stays valid. Default: 24h.'),
});
const KeyRevoked = named('KeyRevoked', { result: z.literal(true) });

export const keyCalls = calls({
  keys: { response: KeysResponse },
  createKey: { body: KeyRequest, response: NewKey },
  revokeKey: { response: KeyRevoked },
  rollKey: { body: RollRequest, bodyMayBeAbsent: true, response: NewKey },
});

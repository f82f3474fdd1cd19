import type * as z from 'zod';
import { refusals } from '../../contract/refusals.ts';
import { type Tx, write } from '../../db/transaction.ts';
import { toIso } from '../../kernel/clock.ts';
import { hashOf } from '../../kernel/secrets.ts';
import type { TenantsDeps } from '../deps.ts';
import { quotasOf, requireRoom } from '../usage/quotas.ts';
import type { KeyRequest } from './schema.ts';
import { isOver, type Key } from './store.ts';

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

/** Throws `Refusal` quota-exceeded. */
export function createKey(deps: TenantsDeps, request: z.output<typeof KeyRequest>, vaspId: string) {
  const { name, scope, expiresIn: lifetimeMs = null } = request;
  return write(deps.db, tx => {
    makeRoom(deps, tx, vaspId, 1);
    return addKey(deps, tx, { vaspId, name, scope, lifetimeMs });
  });
}

/** Each key has a limit of requests of its own. Expired keys stay known until their room is needed. */
function makeRoom(deps: TenantsDeps, tx: Tx, vaspId: string, adding: number): void {
  const stored = deps.keys.ofVasp(vaspId);
  const expired = stored.filter(key => isOver(key, deps.now()));
  requireRoom(deps, vaspId, 'keys', { used: stored.length - expired.length, adding });
  if (stored.length >= quotasOf(deps, vaspId).keys) deps.keys.remove(tx, expired);
}

export const listKeys = (deps: Pick<TenantsDeps, 'keys' | 'now'>, vaspId: string) => ({
  keys: deps.keys
    .ofVasp(vaspId)
    .filter(key => !isOver(key, deps.now()))
    .map(({ id, name, scope, createdAt, lastUsedAt, expiresAt }) => ({
      id,
      name,
      scope,
      createdAt: toIso(createdAt),
      lastUsedAt: lastUsedAt === null ? null : toIso(lastUsedAt),
      expiresAt: expiresAt === null ? null : toIso(expiresAt),
    })),
});

/** Throws `Refusal` not-found, also for the key of another VASP. */
function ownKey(deps: Pick<TenantsDeps, 'keys' | 'now'>, id: string, vaspId: string): Key {
  const key = deps.keys.find(id);
  if (key?.vaspId !== vaspId || isOver(key, deps.now())) throw refusals.notFound(`Key(${id.slice(0, 64)})`);
  return key;
}

/** Takes effect at once, for open streams too. Throws `Refusal` not-found. */
export function revokeKey(deps: TenantsDeps, id: string, vaspId: string): { result: true } {
  const key = ownKey(deps, id, vaspId);
  write(deps.db, tx => deps.keys.remove(tx, [key]));
  return { result: true };
}

/** A new key with the same name, scope and lifetime. The key before it stays valid for `overlapMs`. Throws `Refusal` not-found, quota-exceeded. */
export function rollKey(deps: TenantsDeps, id: string, overlapMs: number, vaspId: string) {
  const key = ownKey(deps, id, vaspId);
  const { name, scope, lifetimeMs } = key;
  const now = deps.now();
  const rolled = write(deps.db, tx => {
    makeRoom(deps, tx, vaspId, overlapMs === 0 ? 0 : 1);
    deps.keys.setExpiry(tx, key, Math.min(now + overlapMs, key.expiresAt ?? Number.POSITIVE_INFINITY));
    return addKey(deps, tx, { vaspId, name, scope, lifetimeMs });
  });
  if (isOver(key, now)) deps.connections.close(id);
  return rolled;
}

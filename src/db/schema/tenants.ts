import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Quotas } from '../../contract/tenancy.ts';

/** The hosted mode. Times are epoch milliseconds on the clock of the machine. */

/** Everybody who has ever registered: an id is taken for ever. Null: it did not happen. */
export const tenants = sqliteTable('tenants_vasps', {
  vaspId: text('vasp_id').primaryKey(),
  registeredAt: integer('registered_at').notNull(),
  suspendedAt: integer('suspended_at'),
  forgottenAt: integer('forgotten_at'),
  /** Instead of the configured ones. */
  quotas: text('quotas', { mode: 'json' }).$type<Partial<Quotas>>().notNull(),
});

/** VASPs that registered themselves for a while. One that is claimed or has ended keeps its row. */
export const trials = sqliteTable('tenants_trials', {
  vaspId: text('vasp_id').primaryKey(),
  status: text('status', { enum: ['TRIAL', 'CLAIMED', 'ENDED'] }).notNull(),
  /** Of the address that began it. */
  network: text('network').notNull(),
  startedAt: integer('started_at').notNull(),
  endsAt: integer('ends_at').notNull(),
  isForgotten: integer('is_forgotten', { mode: 'boolean' }).notNull(),
});

/** One-time tokens, as SHA-256. */
export const invitations = sqliteTable(
  'tenants_invitations',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    hash: text('hash').notNull(),
    name: text('name').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    usedAt: integer('used_at'),
    /** The VASP that has accepted it. */
    vaspId: text('vasp_id'),
  },
  table => [uniqueIndex('tenants_invitations_hash').on(table.hash)],
);

/** API keys, as SHA-256. A revoked key has no row. */
export const keys = sqliteTable(
  'tenants_keys',
  {
    id: text('id').primaryKey(),
    vaspId: text('vasp_id').notNull(),
    name: text('name').notNull(),
    scope: text('scope', { enum: ['full', 'read', 'check'] }).notNull(),
    hash: text('hash').notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at'),
    expiresAt: integer('expires_at'),
    /** From its creation; a roll ends it earlier. Null: it has no end. */
    lifetimeMs: integer('lifetime_ms'),
  },
  table => [uniqueIndex('tenants_keys_hash').on(table.hash), index('tenants_keys_vasp').on(table.vaspId)],
);

/** The use of a quota by a VASP on one UTC day. */
export const usage = sqliteTable(
  'tenants_usage',
  {
    vaspId: text('vasp_id').notNull(),
    quota: text('quota').notNull(),
    /** Days since 1970-01-01. */
    day: integer('day').notNull(),
    /** Decimal text. */
    used: text('used').notNull(),
  },
  table => [primaryKey({ columns: [table.vaspId, table.quota] })],
);

/** Append only: who did what to what, and what came of it. */
export const audit = sqliteTable(
  'tenants_audit',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    at: integer('at').notNull(),
    role: text('role', { enum: ['operator', 'vasp', 'nobody'] }).notNull(),
    /** The VASP that acts, or that the operator acts on. It reads the row. */
    vaspId: text('vasp_id'),
    key: text('key'),
    address: text('address').notNull(),
    action: text('action').notNull(),
    target: text('target').notNull(),
    outcome: integer('outcome').notNull(),
  },
  table => [index('tenants_audit_vasp').on(table.vaspId, table.id)],
);

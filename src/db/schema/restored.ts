import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { ASSET_SYMBOLS } from '../../contract/assets.ts';

/** A backup was restored, and this chain has not started over since. */
export const restores = sqliteTable('robot_restores', {
  symbol: text('symbol', { enum: ASSET_SYMBOLS }).primaryKey(),
  /** The copy knows the chain up to this block. Null: it knows nothing of it. */
  height: integer('height'),
  at: integer('at').notNull(),
});

/** Transactions of the robot's own accounts that no transfer explains. While one is held, its account pays nothing. */
export const unexplainedPayments = sqliteTable(
  'robot_unexplained_payments',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    symbol: text('symbol', { enum: ASSET_SYMBOLS }).notNull(),
    account: text('account').notNull(),
    sequence: integer('sequence').notNull(),
    txHash: text('tx_hash').notNull(),
    toAccount: text('to_account').notNull(),
    toTag: integer('to_tag'),
    /** Base units. */
    amount: text('amount').notNull(),
    fee: text('fee', { mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull(),
    reference: text('reference'),
    at: integer('at').notNull(),
    isHeld: integer('is_held', { mode: 'boolean' }).notNull(),
  },
  table => [
    uniqueIndex('robot_unexplained_payments_sequence').on(table.symbol, table.account, table.sequence),
  ],
);

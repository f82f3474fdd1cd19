import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { ASSET_SYMBOLS } from '../../contract/assets.ts';

/** The numbers of each of the robot's accounts that has paid: one writer per account. See `robot/numbers/numbers.ts`. */
export const wallets = sqliteTable(
  'robot_wallets',
  {
    symbol: text('symbol', { enum: ASSET_SYMBOLS }).notNull(),
    account: text('account').notNull(),
    nextSequence: integer('next_sequence').notNull(),
    /** Every number in a block up to this one is below `nextSequence`. */
    knownUpTo: integer('known_up_to').notNull().default(0),
    /** The chain has shown numbers up to this one. What it has shown once may vanish, and may come again. */
    seenUpTo: integer('seen_up_to').notNull().default(0),
    /**
     * The numbers from `nextSequence` on, below this one, are used, and no final block shows them, or they have vanished. Null:
     * none.
     */
    missingUpTo: integer('missing_up_to'),
    /** Why the wallet pays nothing now, and since when. Empty: it pays. */
    note: text('note').notNull().default(''),
    stoppedAt: integer('stopped_at'),
  },
  table => [
    primaryKey({ columns: [table.symbol, table.account] }),
    index('robot_wallets_stopped').on(table.stoppedAt).where(sql`${table.stoppedAt} IS NOT NULL`),
  ],
);

/**
 * Transactions of the robot's own accounts that the database does not know. HELD: the account pays nothing. ACCEPTED: the
 * operator goes on, or another one of our transactions had its number. A transfer that it pays is still found, and then
 * its row is deleted.
 */
export const unexplainedPayments = sqliteTable(
  'robot_unexplained_payments',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    status: text('status', { enum: ['HELD', 'ACCEPTED'] })
      .notNull()
      .default('HELD'),
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
    /** On the clock of the machine: what was asked for later, it does not pay. */
    at: integer('at').notNull(),
  },
  table => [
    uniqueIndex('robot_unexplained_payments_sequence').on(table.symbol, table.account, table.sequence),
    index('robot_unexplained_payments_status').on(table.status),
  ],
);

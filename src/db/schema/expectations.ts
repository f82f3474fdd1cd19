import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { ASSET_SYMBOLS } from '../../contract/assets.ts';
import { REPORT_VERDICT_VALUES } from '../../contract/plan-list.ts';
import { TRANSACTION_STATUS_VALUES } from '../../contract/transaction-status.ts';

/** Payments that the robot expects: one row per verification that it answered with VERIFIED. */
export const expectations = sqliteTable(
  'robot_expectations',
  {
    verificationUuid: text('verification_uuid').primaryKey(),
    status: text('status', { enum: ['OPEN', 'CREDITED', 'STOPPED'] }).notNull(),
    vaspId: text('vasp_id').notNull(),
    userId: text('user_id').notNull(),
    symbol: text('symbol', { enum: ASSET_SYMBOLS }).notNull(),
    account: text('account').notNull(),
    tag: integer('tag'),
    amount: text('amount').notNull(),
    /** Account keys: the `from` addresses of REF-4.5. */
    originatorAccounts: text('originator_accounts', { mode: 'json' }).$type<string[]>().notNull(),
    /** The newest block when the verification became VERIFIED: only later blocks count. Null: unknown. D-18 */
    verifiedHeight: integer('verified_height'),
    verifiedHash: text('verified_hash'),
    /** The newest block at the error report: a payment in a later one came after it. Null: none, or unknown. */
    endedHeight: integer('ended_height'),
    /** The hash from the originating VASP's report or status answer, and the time at which it came. */
    txHash: text('tx_hash'),
    txHashSource: text('tx_hash_source', { enum: ['report', 'status'] }),
    vout: text('vout'),
    namedAt: integer('named_at'),
    /** When a reorganisation took the credit of that transaction back. Null: it did not. D-50 */
    creditLostAt: integer('credit_lost_at'),
    /** Who has signed that transaction, and with which number. Null: no node has known it yet. D-36 */
    senderAccount: text('sender_account'),
    senderSequence: integer('sender_sequence'),
    /** The verdict on that transaction. D-24 */
    verdict: text('verdict', { enum: REPORT_VERDICT_VALUES }),
    verdictExpected: text('verdict_expected'),
    verdictGot: text('verdict_got'),
    verdictAt: integer('verdict_at'),
    /** Status queries stop after this time. Null before the first query is scheduled. D-17 */
    inquireUntil: integer('inquire_until'),
    lastInquiry: text('last_inquiry', { enum: [...TRANSACTION_STATUS_VALUES, 'NO-ANSWER'] }),
    createdAt: integer('created_at').notNull(),
  },
  table => [
    index('robot_expectations_account').on(table.symbol, table.account, table.status),
    // A partial index: most expectations have none.
    index('robot_expectations_hash').on(sql`lower(${table.txHash})`).where(sql`lower(${table.txHash}) IS NOT NULL`),
    // Only named transactions that a node has known.
    index('robot_expectations_sender')
      .on(table.symbol, table.namedAt)
      .where(sql`sender_sequence IS NOT NULL AND status = 'OPEN'`),
    index('robot_expectations_vasp').on(table.vaspId, table.status, table.verdictAt),
  ],
);

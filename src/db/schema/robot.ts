import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { AssetSymbol } from '../../contract/assets.ts';

/** What the robot has answered VERIFIED to and awaits on chain: one row per verification. */
export const expectations = sqliteTable(
  'robot_expectations',
  {
    verificationUuid: text('verification_uuid').primaryKey(),
    status: text('status').notNull(),
    vaspId: text('vasp_id').notNull(),
    userId: text('user_id').notNull(),
    symbol: text('symbol').notNull(),
    account: text('account').notNull(),
    tag: integer('tag'),
    amount: text('amount').notNull(),
    /** JSON array of account keys: the `from` addresses of the policy of REF-4.5. */
    originatorAccounts: text('originator_accounts').notNull(),
    /** The hash that the originating VASP has named, by report or by status answer. */
    txHash: text('tx_hash'),
    txHashSource: text('tx_hash_source', { enum: ['report', 'status'] }),
    /** Status queries stop after this moment; null before the first one was scheduled. D-17 */
    inquireUntil: integer('inquire_until'),
    lastInquiry: text('last_inquiry'),
    createdAt: integer('created_at').notNull(),
  },
  table => [index('robot_expectations_account').on(table.symbol, table.account, table.status)],
);

/** Every incoming chain transfer to an account of the robot. */
export const deposits = sqliteTable(
  'robot_deposits',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    status: text('status').notNull(),
    symbol: text('symbol').notNull(),
    txHash: text('tx_hash').notNull(),
    index: integer('index').notNull(),
    from: text('from_account').notNull(),
    account: text('account').notNull(),
    tag: integer('tag'),
    amount: text('amount').notNull(),
    height: integer('height').notNull(),
    blockHash: text('block_hash').notNull(),
    /** Why the deposit stands where it stands, for people. */
    note: text('note').notNull(),
    verificationUuid: text('verification_uuid'),
    vaspId: text('vasp_id'),
    at: integer('at').notNull(),
  },
  table => [
    uniqueIndex('robot_deposits_transfer').on(table.symbol, table.txHash, table.index),
    uniqueIndex('robot_deposits_verification').on(table.verificationUuid),
    index('robot_deposits_status').on(table.status),
    index('robot_deposits_balance').on(table.vaspId, table.symbol, table.account),
  ],
);

/** What the robot pays: one row per intent, unique on the verification. */
export const transfers = sqliteTable(
  'robot_transfers',
  {
    verificationUuid: text('verification_uuid').primaryKey(),
    status: text('status').notNull(),
    vaspId: text('vasp_id').notNull(),
    userId: text('user_id').notNull(),
    symbol: text('symbol').$type<AssetSymbol>().notNull(),
    /** The robot's own account that pays, and its key's index. */
    account: text('account').notNull(),
    walletIndex: integer('wallet_index').notNull(),
    tag: integer('tag'),
    toAccount: text('to_account').notNull(),
    toTag: integer('to_tag'),
    amount: text('amount').notNull(),
    omitTxReport: integer('omit_tx_report', { mode: 'boolean' }).notNull(),
    /** Kept back on purpose: the transfer of a user that stays PENDING. */
    isHeld: integer('is_held', { mode: 'boolean' }).notNull(),
    /** The newest signed hash; of a final transfer the one that won. */
    txHash: text('tx_hash'),
    reportedTxHash: text('reported_tx_hash'),
    note: text('note').notNull().default(''),
    createdAt: integer('created_at').notNull(),
  },
  table => [
    index('robot_transfers_wallet').on(table.symbol, table.account, table.status),
    index('robot_transfers_balance').on(table.vaspId, table.symbol, table.account),
  ],
);

/** Every signed transaction of a transfer. Each may still win, so none is ever removed while its transfer is open. */
export const transferAttempts = sqliteTable(
  'robot_transfer_attempts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    verificationUuid: text('verification_uuid').notNull(),
    sequence: integer('number').notNull(),
    hash: text('hash').notNull(),
    bytes: text('bytes').notNull(),
    fee: text('fee').notNull(),
    signedAfter: integer('signed_after'),
    lastLedgerSequence: integer('last_ledger_sequence'),
    /** Why the node refused it, and does not have it; null: it may be anywhere. */
    rejection: text('rejection'),
    signedAt: integer('signed_at').notNull(),
  },
  table => [
    uniqueIndex('robot_transfer_attempts_hash').on(table.hash),
    index('robot_transfer_attempts_transfer').on(table.verificationUuid),
  ],
);

/** The next number of each own account: one writer per account. */
export const wallets = sqliteTable(
  'robot_wallets',
  {
    symbol: text('symbol').notNull(),
    account: text('account').notNull(),
    nextSequence: integer('next_number').notNull(),
  },
  table => [primaryKey({ columns: [table.symbol, table.account] })],
);

/** Answers that an `Idempotency-Key` gives again. */
export const answers = sqliteTable(
  'robot_answers',
  {
    vaspId: text('vasp_id').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of the request, so that nobody's data stands here a second time. */
    bodyHash: text('body_hash').notNull(),
    answer: text('answer').notNull(),
  },
  table => [primaryKey({ columns: [table.vaspId, table.key] })],
);

/** How far each chain was read. `stopReason` is set while crediting is stopped (testnet reset). */
export const cursors = sqliteTable('robot_cursors', {
  symbol: text('symbol').primaryKey(),
  height: integer('height').notNull(),
  hash: text('hash').notNull(),
  genesis: text('genesis').notNull(),
  stopReason: text('fault'),
});

/** What a VASP has changed about the users of the fixtures, for itself alone. */
export const users = sqliteTable(
  'robot_users',
  {
    vaspId: text('vasp_id').notNull(),
    id: text('id').notNull(),
    /** JSON: what a VASP says of a user. Of a removed one too, so that what was begun can be finished. */
    user: text('user').notNull(),
    isRemoved: integer('is_removed', { mode: 'boolean' }).notNull(),
  },
  table => [primaryKey({ columns: [table.vaspId, table.id] })],
);

/** Where the users that VASPs have added are paid. Kept for good: no account ever comes to another user. */
export const userAccounts = sqliteTable(
  'robot_user_accounts',
  {
    walletIndex: integer('wallet_index').primaryKey(),
    destinationTag: integer('destination_tag').notNull(),
    vaspId: text('vasp_id').notNull(),
    userId: text('user_id').notNull(),
  },
  table => [
    uniqueIndex('robot_user_accounts_tag').on(table.destinationTag),
    uniqueIndex('robot_user_accounts_user').on(table.vaspId, table.userId),
  ],
);

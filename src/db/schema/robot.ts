import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { ASSET_SYMBOLS } from '../../contract/assets.ts';
import { REPORT_VERDICT_VALUES } from '../../contract/plan-list.ts';
import type { VerifyUserAnswer } from '../../contract/requests.ts';
import { TRANSACTION_STATUS_VALUES } from '../../contract/verification.ts';

/** Every incoming chain transfer to an account of the robot. */
export const deposits = sqliteTable(
  'robot_deposits',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    status: text('status', {
      enum: ['SEEN', 'REORGANISED', 'CONFIRMED', 'UNATTRIBUTED', 'UNEXPLAINED', 'CREDITED', 'TAKEN-BACK'],
    }).notNull(),
    symbol: text('symbol', { enum: ASSET_SYMBOLS }).notNull(),
    txHash: text('tx_hash').notNull(),
    /** D-25. Null: unknown, because the node does not trace. */
    index: integer('index'),
    /** The means of delivery other than a plain payment: `contract`, or a type of the XRP Ledger. */
    via: text('via'),
    from: text('from_account').notNull(),
    account: text('account').notNull(),
    tag: integer('tag'),
    amount: text('amount').notNull(),
    height: integer('height').notNull(),
    /** The block in which it was seen first: a reorganisation may move it. */
    firstHeight: integer('first_height').notNull().default(0),
    blockHash: text('block_hash').notNull(),
    /** The reason for the status, for people. */
    note: text('note').notNull(),
    verificationUuid: text('verification_uuid'),
    vaspId: text('vasp_id'),
    at: integer('at').notNull(),
    /** On the clock of the VASP. Null: it is not credited. */
    creditedAt: integer('credited_at'),
    /** On the clock of the VASP: since when its name is awaited. Null: it is not, or several VASPs may name it. */
    awaitedAt: integer('awaited_at'),
    /** The newest line of the history before it. */
    afterHistory: integer('after_history').notNull(),
    /** D-33: the chain has started over since. The deposit is history and counts in no balance. */
    isOfPastChain: integer('is_of_past_chain', { mode: 'boolean' }).notNull().default(false),
  },
  table => [
    // The same transaction, with the same hash, may come again on a chain that started over.
    uniqueIndex('robot_deposits_transfer')
      .on(table.symbol, table.txHash, table.index)
      .where(sql`${table.isOfPastChain} = 0`),
    uniqueIndex('robot_deposits_verification').on(table.verificationUuid),
    index('robot_deposits_status').on(table.status),
    index('robot_deposits_tx').on(table.symbol, table.txHash),
    index('robot_deposits_hash').on(sql`lower(${table.txHash})`),
    index('robot_deposits_vasp').on(table.vaspId, table.id),
    index('robot_deposits_vasp_status').on(table.vaspId, table.status, table.id),
    index('robot_deposits_vasp_account').on(table.vaspId, table.account, table.id),
  ],
);

/**
 * Hosted mode: the VASP that has submitted a transaction to an embedded chain. It is kept before the broadcast, and the
 * first one stays. `at`: on the clock of the machine.
 */
export const submissions = sqliteTable(
  'robot_submissions',
  {
    symbol: text('symbol', { enum: ASSET_SYMBOLS }).notNull(),
    txHash: text('tx_hash').notNull(),
    vaspId: text('vasp_id').notNull(),
    at: integer('at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.symbol, table.txHash] }),
    index('robot_submissions_vasp').on(table.vaspId, table.at),
  ],
);

/** Transfers that the robot pays: one row per verification. */
export const transfers = sqliteTable(
  'robot_transfers',
  {
    verificationUuid: text('verification_uuid').primaryKey(),
    status: text('status', { enum: TRANSACTION_STATUS_VALUES }).notNull(),
    /** A filler pays nobody and takes a number. A top-up pays fees of the robot's other accounts (D-31). */
    kind: text('kind', { enum: ['payment', 'filler', 'top-up'] })
      .notNull()
      .default('payment'),
    vaspId: text('vasp_id').notNull(),
    /** Empty: of a filler or a top-up. */
    userId: text('user_id').notNull(),
    symbol: text('symbol', { enum: ASSET_SYMBOLS }).notNull(),
    /** The robot's own account that pays, and its key's index. */
    account: text('account').notNull(),
    walletIndex: integer('wallet_index').notNull(),
    tag: integer('tag'),
    toAccount: text('to_account').notNull(),
    toTag: integer('to_tag'),
    amount: text('amount').notNull(),
    omitTxReport: integer('omit_tx_report', { mode: 'boolean' }).notNull(),
    /** Never sent: the transfer of a user whose behaviour is to stay PENDING. */
    isHeld: integer('is_held', { mode: 'boolean' }).notNull(),
    /**
     * Of the newest signed transaction, or of the one in a block. Null: none is signed, or another program has used its
     * sequence.
     */
    txHash: text('tx_hash'),
    reportedTxHash: text('reported_tx_hash'),
    note: text('note').notNull().default(''),
    createdAt: integer('created_at').notNull(),
    /** D-33: the chain has started over since. The transfer is history and counts in no balance. */
    isOfPastChain: integer('is_of_past_chain', { mode: 'boolean' }).notNull().default(false),
  },
  table => [
    index('robot_transfers_wallet').on(table.symbol, table.account, table.status),
    index('robot_transfers_unsigned').on(table.symbol, table.vaspId).where(sql`${table.txHash} IS NULL`),
    index('robot_transfers_vasp').on(table.vaspId),
    index('robot_transfers_waiting')
      .on(table.vaspId)
      .where(sql`${table.status} IN ('PENDING', 'PROCESSING') AND ${table.note} <> '' AND ${table.isHeld} = 0`),
  ],
);

/**
 * D-19: the sums at one of the robot's addresses for one VASP, as decimal text, so that no query adds them up. The verb
 * that moves the money writes it.
 */
export const balances = sqliteTable(
  'robot_balances',
  {
    vaspId: text('vasp_id').notNull(),
    symbol: text('symbol', { enum: ASSET_SYMBOLS }).notNull(),
    account: text('account').notNull(),
    /** -1: none. */
    tag: integer('tag').notNull(),
    credited: text('credited').notNull().default('0'),
    reserved: text('reserved').notNull().default('0'),
    paidOut: text('paid_out').notNull().default('0'),
  },
  table => [
    primaryKey({ columns: [table.vaspId, table.symbol, table.account, table.tag] }),
    index('robot_balances_account').on(table.symbol, table.account),
  ],
);

/** Every signed transaction of a transfer. Each may still be mined, so all stay while the transfer is open. */
export const transferAttempts = sqliteTable(
  'robot_transfer_attempts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    verificationUuid: text('verification_uuid').notNull(),
    sequence: integer('sequence').notNull(),
    hash: text('hash').notNull(),
    bytes: text('bytes').notNull(),
    fee: text('fee', { mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull(),
    /** No transaction with its sequence is in a block up to this one. */
    signedAfter: integer('signed_after'),
    lastLedgerSequence: integer('last_ledger_sequence'),
    /** The node's reason for refusing the transaction. Null: a node may have it. */
    rejection: text('rejection'),
    /** A node has taken it, or its answer was unclear. */
    isAccepted: integer('is_accepted', { mode: 'boolean' }).notNull().default(false),
    signedAt: integer('signed_at').notNull(),
  },
  table => [
    // On a chain that started over, another transfer may have the same bytes.
    uniqueIndex('robot_transfer_attempts_hash').on(table.verificationUuid, table.hash),
    index('robot_transfer_attempts_sequence').on(table.sequence),
  ],
);

/** Stored answers: the same `Idempotency-Key` gets the same answer. */
export const answers = sqliteTable(
  'robot_answers',
  {
    vaspId: text('vasp_id').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of the request: the table keeps no second copy of personal data. */
    bodyHash: text('body_hash').notNull(),
    answer: text('answer', { mode: 'json' }).$type<VerifyUserAnswer>().notNull(),
    at: integer('at').notNull(),
  },
  table => [primaryKey({ columns: [table.vaspId, table.key] }), index('robot_answers_at').on(table.vaspId, table.at)],
);

/** The last block read of each chain. `stopReason` is set while crediting is stopped (testnet reset). */
export const cursors = sqliteTable('robot_cursors', {
  symbol: text('symbol', { enum: ASSET_SYMBOLS }).primaryKey(),
  height: integer('height').notNull(),
  hash: text('hash').notNull(),
  genesis: text('genesis').notNull(),
  stopReason: text('stop_reason'),
  /** After a reorganisation: deposits after this height are still to be looked up. */
  recheckFrom: integer('recheck_from'),
});

/** The last blocks that were read of a chain by URL: a reorganisation while nothing was read is followed. */
export const readBlocks = sqliteTable(
  'robot_read_blocks',
  {
    symbol: text('symbol', { enum: ASSET_SYMBOLS }).notNull(),
    height: integer('height').notNull(),
    hash: text('hash').notNull(),
  },
  table => [primaryKey({ columns: [table.symbol, table.height] })],
);

/** D-26: balance of a watched account, in base units, when everything before was explained. */
export const baselines = sqliteTable(
  'robot_baselines',
  {
    symbol: text('symbol', { enum: ASSET_SYMBOLS }).notNull(),
    account: text('account').notNull(),
    height: integer('height').notNull(),
    genesis: text('genesis').notNull(),
    balance: text('balance').notNull(),
  },
  table => [primaryKey({ columns: [table.symbol, table.account] })],
);

/** D-26: known changes of the balances of watched accounts, in base units. `part`: `transaction`, or a payout in it. */
export const movements = sqliteTable(
  'robot_movements',
  {
    symbol: text('symbol', { enum: ASSET_SYMBOLS }).notNull(),
    account: text('account').notNull(),
    txHash: text('tx_hash').notNull(),
    part: text('part').notNull(),
    height: integer('height').notNull(),
    amount: text('amount').notNull(),
  },
  table => [
    primaryKey({ columns: [table.symbol, table.txHash, table.account, table.part] }),
    index('robot_movements_height').on(table.symbol, table.height),
  ],
);

/** D-26: money that arrived in a block after `afterHeight`, up to `height`, and that no known deposit explains. */
export const surpluses = sqliteTable(
  'robot_surpluses',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    symbol: text('symbol', { enum: ASSET_SYMBOLS }).notNull(),
    account: text('account').notNull(),
    amount: text('amount').notNull(),
    afterHeight: integer('after_height').notNull(),
    height: integer('height').notNull(),
    /** The VASP that added the user who is paid. Null: a user of the fixtures. */
    vaspId: text('vasp_id'),
    at: integer('at').notNull(),
  },
  table => [index('robot_surpluses_account').on(table.symbol, table.account)],
);

/** A VASP's own changes to the users of the fixtures. Other VASPs do not see them. */
export const users = sqliteTable(
  'robot_users',
  {
    vaspId: text('vasp_id').notNull(),
    id: text('id').notNull(),
    /** The user as the VASP describes it. It stays after the removal, so that transfers under way can end. */
    user: text('user', { mode: 'json' }).notNull(),
    isRemoved: integer('is_removed', { mode: 'boolean' }).notNull(),
  },
  table => [primaryKey({ columns: [table.vaspId, table.id] })],
);

/** The accounts of the users that VASPs have added. Rows stay for good: no account is ever used twice. */
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

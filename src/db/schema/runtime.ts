import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { FINDING_CODES } from '../../contract/findings.ts';

/** Every kind of timer with its usual reason. `timers/registry.ts` does not compile until it has the payload of each. */
export const USUAL_REASONS = {
  'enclave.verification.ask': 'ask the beneficiary VASP',
  'enclave.verification.time-out': 'will time out unless the beneficiary VASP answers',
  'enclave.risk.collect': 'the provider is working on the result',
  'enclave.callback.deliver': 'deliver the callbacks of this verification',
  'robot.deposit.inquire': 'status query, unless a transaction report comes first',
  'robot.report.look-up': 'the named transaction is looked up again',
  'robot.wallet.pay': 'sends and tracks the transfers of this wallet',
} as const;
export type TimerKind = keyof typeof USUAL_REASONS;
export const TIMER_KINDS = Object.keys(USUAL_REASONS) as [TimerKind, ...TimerKind[]];

/** Pending work, one row per (kind, key). `owner`: the VASP whose clock counts. `queue`: timers of one queue run in order. */
export const timers = sqliteTable(
  'runtime_timers',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    kind: text('kind', { enum: TIMER_KINDS }).notNull(),
    key: text('key').notNull(),
    owner: text('owner').notNull(),
    /** Null: a queue of its own. */
    queue: text('lane'),
    dueAt: integer('due_at').notNull(),
    /** Without the members that are the key. */
    payload: text('payload', { mode: 'json' }).notNull(),
    /** Null: the usual reason of its kind. */
    why: text('why'),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    generation: integer('generation').notNull().default(0),
  },
  table => [
    // The timers of one verification stand side by side.
    uniqueIndex('runtime_timers_key_kind').on(table.key, table.kind),
    index('runtime_timers_owner_due').on(table.owner, table.dueAt),
    index('runtime_timers_failing').on(table.owner, table.attempts).where(sql`${table.lastError} IS NOT NULL`),
  ],
);

/** VASPs that are being forgotten, and those that are. See `db/closing.ts`. */
export const closing = sqliteTable('runtime_closing', { vaspId: text('vasp_id').primaryKey() });

/** The offset of a VASP's sandbox clock to the machine's clock. It only grows. */
export const clocks = sqliteTable('runtime_clocks', {
  owner: text('owner').primaryKey(),
  offsetMs: integer('offset_ms').notNull(),
});

/** The offset of a clock before it was moved in an hour of the machine's time, which begins at `hour`. */
export const clockMoves = sqliteTable(
  'runtime_clock_moves',
  { owner: text('owner').notNull(), hour: integer('hour').notNull(), offsetMs: integer('offset_ms').notNull() },
  table => [primaryKey({ columns: [table.owner, table.hour] })],
);

/** Writers of the history: the machines, and other events without a status. */
export const HISTORY_MACHINES = [
  'verification',
  'assessment',
  'callback',
  'expectation',
  'deposit',
  'transfer',
  'report',
  'finding',
  'judge',
  'timer',
  'fault',
  'reset',
  'run',
  'trial',
] as const;
export type HistoryMachine = (typeof HISTORY_MACHINES)[number];

/** One line of the history, without its verification and without what is null. */
export interface StoredLine {
  machine: HistoryMachine;
  /** Absent: the row of the verification. */
  rowKey?: string;
  vaspId?: string;
  from?: string;
  event: string;
  to?: string;
  /** Absent: the time of the row. */
  at?: number;
  /** Absent: the sentence of the event in `db/history.ts`. */
  cause?: string;
  detail?: unknown;
}

/**
 * Every change of a status and every other event, in order. A row holds the lines of one commit about one verification, or
 * one line without a verification. Null: a line that only another database has.
 */
export const history = sqliteTable(
  'runtime_history',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    verificationUuid: text('verification_uuid'),
    at: integer('at').notNull(),
    lines: text('lines', { mode: 'json' }).$type<(StoredLine | null)[]>().notNull(),
  },
  table => [
    index('runtime_history_verification').on(table.verificationUuid),
    index('runtime_history_runs')
      .on(sql`${table.lines} ->> '$[0].rowKey'`)
      .where(sql`${table.verificationUuid} IS NULL AND ${table.lines} ->> '$[0].machine' = 'run'`),
  ],
);

/** D-27: conduct of a VASP that is wrong although the protocol goes on. The same finding is kept once. */
export const findings = sqliteTable(
  'runtime_findings',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    verificationUuid: text('verification_uuid').notNull(),
    /** The VASP of the conduct. No other VASP sees the finding. */
    vaspId: text('vasp_id').notNull(),
    code: text('code', { enum: FINDING_CODES }).notNull(),
    /** Path of the member in the request or in the answer. */
    field: text('field').notNull(),
    expected: text('expected').notNull(),
    /** Null: nothing came. */
    got: text('got'),
    at: integer('at').notNull(),
  },
  table => [index('runtime_findings_verification').on(table.verificationUuid, table.vaspId)],
);

/** Every HTTP exchange with a VASP, in both directions. */
export const exchanges = sqliteTable(
  'runtime_exchanges',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    vaspId: text('vasp_id').notNull(),
    direction: text('direction', { enum: ['IN', 'OUT'] }).notNull(),
    operation: text('operation').notNull(),
    method: text('method').notNull(),
    url: text('url').notNull(),
    verificationUuid: text('verification_uuid'),
    /** The request is the body of this callback, as it was queued. `request` is null then. */
    callbackId: integer('callback_id'),
    request: text('request'),
    status: integer('status'),
    response: text('response'),
    /** Secrets are masked. */
    headers: text('headers', { mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull().default({}),
    responseHeaders: text('response_headers', { mode: 'json' })
      .$type<Readonly<Record<string, string>>>()
      .notNull()
      .default({}),
    error: text('error'),
    durationMs: integer('duration_ms').notNull(),
    /** Null: no new connection was made for it. */
    connectMs: integer('connect_ms'),
    /** Null: the process did not stand still, or nobody measured it. */
    stallMs: integer('stall_ms'),
    /** A call of the endpoint check. It belongs to no verification. */
    isCheck: integer('is_check', { mode: 'boolean' }).notNull().default(false),
    /** D-38: the connection had ended. The next exchange is the same call on a fresh one. */
    isRepeated: integer('is_repeated', { mode: 'boolean' }).notNull().default(false),
    at: integer('at').notNull(),
    /** The exchange began after this row of the history, and before the next one. */
    afterHistory: integer('after_history').notNull().default(0),
  },
  table => [
    index('runtime_exchanges_vasp').on(table.vaspId),
    index('runtime_exchanges_verification').on(table.verificationUuid),
  ],
);

/** Hosted mode: keys of the embedded chains that nobody else knows. Sealed. */
export const walletSecrets = sqliteTable('runtime_wallet_secrets', {
  name: text('name', { enum: ['robotMnemonic', 'robotSeed', 'faucetMnemonic', 'faucetSeed'] }).primaryKey(),
  secret: text('secret').notNull(),
});

/** Injected faults, oldest first. A fault is used up when `used` reaches `times`. */
export const faults = sqliteTable('runtime_faults', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  vaspId: text('vasp_id').notNull(),
  target: text('target').notNull(),
  /** Null: every verification of the VASP. */
  verificationUuid: text('verification_uuid'),
  mode: text('mode').notNull(),
  parameters: text('parameters', { mode: 'json' }).$type<object>().notNull(),
  /** Null: without a limit. */
  times: integer('times'),
  used: integer('used').notNull().default(0),
  createdAt: integer('created_at').notNull(),
});

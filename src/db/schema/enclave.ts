import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, sqliteView, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { CALLBACK_TYPES, type Callback } from '../../contract/callbacks.ts';
import { RESULT_VALUES, type Result } from '../../contract/clauses.ts';
import type { Beneficiary, Originator } from '../../contract/ivms101.ts';
import { KEY_TYPES } from '../../contract/requests.ts';
import type { AnsweredBeneficiary } from '../../contract/vasp-api.ts';

export const vasps = sqliteTable(
  'enclave_vasps',
  {
    vaspId: text('vasp_id').primaryKey(),
    name: text('name').notNull(),
    /** JSON, encrypted: an address may hold a password. Encrypted are also `authorizationToken` and `providerKeys`. */
    endpoints: text('endpoints').notNull(),
    authorizationHeader: text('authorization_header').notNull(),
    authorizationToken: text('authorization_token'),
    apiKeyHash: text('api_key_hash'),
    /** JSON: its own keys for the screening providers; null: those of the configuration. */
    providerKeys: text('provider_keys'),
    isActive: integer('is_active', { mode: 'boolean' }).notNull().default(true),
    health: text('health', { enum: ['UP', 'DOWN'] }).notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  table => [uniqueIndex('enclave_vasps_api_key').on(table.apiKeyHash)],
);

/** A secret is encrypted. `expiresAt`: epoch ms of the machine; null: it has no end. */
export const signingSecrets = sqliteTable(
  'enclave_signing_secrets',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    vaspId: text('vasp_id').notNull(),
    secret: text('secret').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at'),
  },
  table => [index('enclave_signing_secrets_vasp').on(table.vaspId, table.id)],
);

/** Amounts are decimal text; `…Key` columns hold the form under which accounts compare (D-08). */
export const verifications = sqliteTable(
  'enclave_verifications',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    uuid: text('uuid').notNull(),
    status: text('status', { enum: ['OPEN', ...RESULT_VALUES] }).notNull(),
    reason: text('reason'),
    message: text('message').notNull().default(''),
    keyType: text('key_type', { enum: KEY_TYPES }).notNull(),
    requiredBeneficiaryInfo: text('required_beneficiary_info').notNull(),
    symbol: text('symbol').notNull(),
    network: text('network'),
    amount: text('amount').notNull(),
    isExceedingThreshold: integer('is_exceeding_threshold', { mode: 'boolean' }).notNull(),
    tradePrice: text('trade_price').notNull(),
    tradeCurrency: text('trade_currency').notNull(),
    tradeISODatetime: text('trade_iso_datetime').notNull(),
    txHash: text('tx_hash'),
    vout: text('vout'),
    originatingVaspId: text('originating_vasp_id').notNull(),
    originatorAccountNumber: text('originator_account_number').notNull(),
    originatorAccountKey: text('originator_account_key').notNull(),
    beneficiaryVaspId: text('beneficiary_vasp_id').notNull(),
    beneficiaryAccountNumber: text('beneficiary_account_number').notNull(),
    beneficiaryAccountKey: text('beneficiary_account_key').notNull(),
    payloadVersion: text('payload_version').notNull(),
    ivms101Originator: text('ivms101_originator', { mode: 'json' }).$type<Originator>().notNull(),
    originatingVaspName: text('originating_vasp_name').notNull(),
    ivms101Beneficiary: text('ivms101_beneficiary', { mode: 'json' }).$type<Beneficiary>().notNull(),
    beneficiaryVaspName: text('beneficiary_vasp_name').notNull(),
    /** Of both sides, for the search. */
    personNames: text('person_names').notNull().default(''),
    /** The answer of the beneficiary VASP, with the requested data only. Null: there is none, or it is what was sent. */
    ivms101Answer: text('ivms101_answer', { mode: 'json' }).$type<AnsweredBeneficiary>(),
    /** The error report that ended the verification. D-15 */
    errorReport: text('error_report', { mode: 'json' }).$type<{ result: Result; reason: string; message: string }>(),
    /** The beneficiary VASP has credited the transfer: reports are closed. D-14, D-15 */
    isCredited: integer('is_credited', { mode: 'boolean' }).notNull().default(false),
    verifiedAt: integer('verified_at'),
    orderedAt: integer('ordered_at'),
    createdAt: integer('created_at').notNull(),
  },
  table => [
    uniqueIndex('enclave_verifications_uuid').on(table.uuid),
    // A list reads only these, and then the rows of its page. The search finds accounts and hashes.
    index('enclave_verifications_sent').on(
      table.originatingVaspId,
      table.createdAt,
      table.id,
      table.status,
      table.symbol,
      table.beneficiaryVaspId,
      table.reason,
      table.network,
    ),
    index('enclave_verifications_received').on(
      table.beneficiaryVaspId,
      table.createdAt,
      table.id,
      table.status,
      table.symbol,
      table.originatingVaspId,
      table.reason,
      table.network,
    ),
  ],
);

/** FTS5: the words of each verification, by its id. Triggers write it. */
export const searchTexts = sqliteView('enclave_search', { rowid: integer('rowid').notNull() }).existing();

export type CallbackAttempt = Omit<typeof callbackAttempts.$inferSelect, 'id' | 'callbackId'>;
/** Without `request`: the callback went out as it was queued. */
export type StoredAttempt = Omit<CallbackAttempt, 'request'> & Partial<Pick<CallbackAttempt, 'request'>>;

/** The outbox. */
export const callbacks = sqliteTable(
  'enclave_callbacks',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    verificationUuid: text('verification_uuid').notNull(),
    receiverVaspId: text('receiver_vasp_id').notNull(),
    callbackType: text('callback_type', { enum: CALLBACK_TYPES }).notNull(),
    /** For its receiver: the same at every attempt, also in another cell. */
    name: text('name').notNull(),
    /** Of a result `keptResult`, and all of it in another cell. `db/whole-exchanges.ts` puts the rest in. */
    data: text('data', { mode: 'json' }).$type<Callback['data'] | Partial<Callback['data']>>().notNull(),
    status: text('status', { enum: ['PENDING', 'DELIVERED', 'LOST', 'GIVEN-UP', 'MAILBOX'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Most callbacks have one attempt. Later attempts are rows of `enclave_callback_attempts`. */
    firstAttempt: text('first_attempt', { mode: 'json' }).$type<StoredAttempt>(),
    createdAt: integer('created_at').notNull(),
  },
  table => [
    // Both columns, so that SQLite takes no other index for a queue.
    index('enclave_callbacks_verification').on(table.verificationUuid, table.receiverVaspId),
    index('enclave_callbacks_receiver').on(table.receiverVaspId),
    // A partial index: most callbacks are delivered.
    index('enclave_callbacks_status')
      .on(table.receiverVaspId, table.status, table.id)
      .where(sql`${table.status} <> 'DELIVERED'`),
    index('enclave_callbacks_type')
      .on(table.receiverVaspId, table.callbackType, table.id)
      .where(sql`${table.callbackType} <> 'VERIFICATION_RESULT'`),
  ],
);

export const callbackAttempts = sqliteTable(
  'enclave_callback_attempts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    callbackId: integer('callback_id').notNull(),
    /** Null: nothing left the process. */
    url: text('url'),
    /** Null: as it was queued, where there is an address. */
    request: text('request'),
    at: integer('at').notNull(),
    status: integer('status'),
    durationMs: integer('duration_ms').notNull(),
    error: text('error'),
    answer: text('answer'),
  },
  table => [index('enclave_callback_attempts_callback').on(table.callbackId)],
);

/** `request`: the subject as the provider got it. `result`: the provider's finding, null before it. */
export const assessments = sqliteTable(
  'enclave_assessments',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    requestId: text('request_id').notNull(),
    kind: text('kind', { enum: ['sanction', 'kyt', 'wco'] }).notNull(),
    status: text('status', { enum: ['REGISTERED', 'PROCESSED'] }).notNull(),
    verificationUuid: text('verification_uuid').notNull(),
    callerVaspId: text('caller_vasp_id').notNull(),
    counterpartyVaspId: text('counterparty_vasp_id').notNull(),
    direction: text('direction', { enum: ['OUTGOING', 'INCOMING'] }).notNull(),
    request: text('request', { mode: 'json' }).notNull(),
    /** The provider's own identifier: externalId or caseSystemId. Null before the provider issues it. */
    reference: text('reference'),
    failures: integer('failures').notNull().default(0),
    lastError: text('last_error'),
    result: text('result', { mode: 'json' }),
    createdAt: integer('created_at').notNull(),
    assessedAt: integer('assessed_at'),
  },
  table => [
    uniqueIndex('enclave_assessments_request').on(table.requestId),
    index('enclave_assessments_verification').on(table.verificationUuid),
    index('enclave_assessments_caller').on(table.callerVaspId, table.id),
  ],
);

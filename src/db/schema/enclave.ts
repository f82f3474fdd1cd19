import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

export const vasps = sqliteTable(
  'enclave_vasps',
  {
    vaspId: text('vasp_id').primaryKey(),
    name: text('name').notNull(),
    endpoints: text('endpoints').notNull(),
    authorizationHeader: text('authorization_header').notNull(),
    authorizationToken: text('authorization_token'),
    apiKeyHash: text('api_key_hash'),
    /** Keys of its own for the screening providers, as JSON; null: those of the configuration. */
    providerKeys: text('provider_keys'),
    isActive: integer('is_active', { mode: 'boolean' }).notNull().default(true),
    health: text('health', { enum: ['UP', 'DOWN'] }).notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  table => [uniqueIndex('enclave_vasps_api_key').on(table.apiKeyHash)],
);

/** Amounts are decimal text; `…Key` columns hold the form under which accounts compare (D-08). */
export const verifications = sqliteTable(
  'enclave_verifications',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    uuid: text('uuid').notNull(),
    status: text('status').notNull(),
    reason: text('reason'),
    message: text('message').notNull().default(''),
    keyType: text('key_type').notNull(),
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
    ivms101Originator: text('ivms101_originator').notNull(),
    ivms101OriginatingVasp: text('ivms101_originating_vasp').notNull(),
    ivms101Beneficiary: text('ivms101_beneficiary').notNull(),
    ivms101BeneficiaryVasp: text('ivms101_beneficiary_vasp').notNull(),
    /** What the beneficiary VASP answered, stripped to what was requested; null without one. */
    ivms101Answer: text('ivms101_answer'),
    /** The error report that ended it, as JSON; null without one. D-15 */
    errorReport: text('error_report'),
    /** The beneficiary VASP has credited the transfer: reports are closed. D-14, D-15 */
    isCredited: integer('is_settled', { mode: 'boolean' }).notNull().default(false),
    verifiedAt: integer('verified_at'),
    orderedAt: integer('ordered_at'),
    createdAt: integer('created_at').notNull(),
  },
  table => [
    uniqueIndex('enclave_verifications_uuid').on(table.uuid),
    index('enclave_verifications_originating').on(table.originatingVaspId, table.createdAt),
    index('enclave_verifications_beneficiary').on(table.beneficiaryVaspId, table.createdAt),
    index('enclave_verifications_tx_hash').on(table.txHash),
  ],
);

/** The outbox: one row per (verification, receiver, type, occasion). */
export const callbacks = sqliteTable(
  'enclave_callbacks',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    verificationUuid: text('verification_uuid').notNull(),
    receiverVaspId: text('receiver_vasp_id').notNull(),
    callbackType: text('callback_type').notNull(),
    occasion: text('occasion').notNull(),
    data: text('data').notNull(),
    status: text('status').notNull(),
    attempts: integer('attempts').notNull().default(0),
    createdAt: integer('created_at').notNull(),
  },
  table => [
    uniqueIndex('enclave_callbacks_occasion').on(
      table.verificationUuid,
      table.receiverVaspId,
      table.callbackType,
      table.occasion,
    ),
    index('enclave_callbacks_receiver').on(table.receiverVaspId, table.id),
    index('enclave_callbacks_order').on(table.verificationUuid, table.receiverVaspId, table.id),
  ],
);

export const callbackAttempts = sqliteTable(
  'enclave_callback_attempts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    callbackId: integer('callback_id').notNull(),
    /** Where it went and what was sent; null: nothing left the process. */
    url: text('url'),
    request: text('request'),
    at: integer('at').notNull(),
    status: integer('status'),
    durationMs: integer('duration_ms').notNull(),
    error: text('error'),
    answer: text('answer'),
  },
  table => [index('enclave_callback_attempts_callback').on(table.callbackId)],
);

/** `request`: what the provider was given; `result`: what it has found, null until then. Both JSON. */
export const assessments = sqliteTable(
  'enclave_assessments',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    requestId: text('request_id').notNull(),
    kind: text('kind', { enum: ['sanction', 'kyt', 'wco'] }).notNull(),
    status: text('status').notNull(),
    verificationUuid: text('verification_uuid').notNull(),
    callerVaspId: text('caller_vasp_id').notNull(),
    counterpartyVaspId: text('counterparty_vasp_id').notNull(),
    direction: text('direction', { enum: ['OUTGOING', 'INCOMING'] }).notNull(),
    request: text('request').notNull(),
    /** The provider's own identifier: externalId, caseSystemId. Null while it has issued none. */
    reference: text('reference'),
    /** Calls of the provider in vain. */
    failures: integer('failures').notNull().default(0),
    lastError: text('last_error'),
    result: text('result'),
    createdAt: integer('created_at').notNull(),
    assessedAt: integer('assessed_at'),
  },
  table => [
    uniqueIndex('enclave_assessments_request').on(table.requestId),
    index('enclave_assessments_verification').on(table.verificationUuid),
    index('enclave_assessments_caller').on(table.callerVaspId, table.id),
  ],
);

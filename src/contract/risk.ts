import * as z from 'zod';
import { AccountNumber, AnyText, named, SymbolText, VaspId } from './text.ts';
import { Timestamp } from './time.ts';

/** REF-3: status of monitoring and person screening. */
export const ASSESSMENT_STATUSES = ['REGISTERED', 'PROCESSED'] as const;
const status = z.enum(ASSESSMENT_STATUSES).describe('REGISTERED: not yet obtained; PROCESSED: available.');

export const Direction = z
  .enum(['OUTGOING', 'INCOMING'])
  .meta({ id: 'Direction', description: 'OUTGOING for withdrawal, INCOMING for deposit.' });
export type Direction = z.infer<typeof Direction>;

/** In ascending order of risk. */
export const ALERT_LEVELS = ['LOW', 'MEDIUM', 'HIGH', 'SEVERE'] as const;

/** In ascending order. */
export const MATCH_STRENGTHS = ['WEAK', 'MEDIUM', 'STRONG', 'EXACT'] as const;
export type MatchStrength = (typeof MATCH_STRENGTHS)[number];

/** REF-4.2: the kind of monitoring, before and after the transaction report. null: the request is refused. */
export const KYT_API_TYPE = {
  originating: { unreported: 'ATTEMPT', reported: 'TRANSFER' },
  beneficiary: { unreported: null, reported: 'TRANSFER' },
} as const;
export type KytApiType = 'ATTEMPT' | 'TRANSFER';

const requestId = AnyText.describe('One per assessment; differs from verificationUuid.');

const listed = AnyText.optional().describe('Only with SANCTION: text of the sanction list.');

/** REF-2.5 */
export const ProviderASanction = named('ProviderASanction', 'REF-2.5: result of sanction screening.', {
  requestId,
  counterpartyVaspId: VaspId,
  direction: Direction,
  address: AccountNumber.describe('Counterparty wallet address that was assessed.'),
  status: z.enum(['NOHIT', 'SANCTION']).describe('NOHIT: not sanctioned; SANCTION: sanctioned.'),
  ofacName: listed,
  ofacDescription: listed,
  ofacUrl: listed,
  createdAt: Timestamp.describe('Time the assessment was requested.'),
});
export type ProviderASanction = z.infer<typeof ProviderASanction>;

/** REF-2.6 */
export const ProviderAKYT = named('ProviderAKYT', 'REF-2.6: result of transaction monitoring.', {
  requestId,
  counterpartyVaspId: VaspId,
  apiType: z
    .enum(['ATTEMPT', 'TRANSFER'])
    .describe('ATTEMPT: the address before a withdrawal; TRANSFER: a transaction.'),
  userId: AnyText.describe('User ID that is sent to the provider: the counterparty VASP ID.'),
  direction: Direction,
  network: AnyText.describe('Blockchain network of the transaction.'),
  asset: SymbolText.describe('Asset ticker.'),
  amount: AnyText.describe('Quantity of the asset.'),
  usdPrice: AnyText.nullish().describe('Equivalent value in USD.'),
  transferRef: AnyText.optional().describe('Only with TRANSFER: generally <tx_hash>:<output_address>.'),
  outputAddress: AccountNumber.describe('Wallet address assessed.'),
  timestamp: Timestamp.describe('Time of the transaction; for ATTEMPT, of the call.'),
  externalId: AnyText.nullish().describe('Identifier issued by the provider.'),
  status,
  alertCount: z.number().int().min(0).nullish().describe('null when status is not PROCESSED.'),
  createdAt: Timestamp.describe('Time the assessment history was created.'),
  assessedAt: Timestamp.nullish().describe('Time the provider created the result.'),
});
export type ProviderAKYT = z.infer<typeof ProviderAKYT>;

/** REF-2.7 */
export const ProviderAKYTAlert = named('ProviderAKYTAlert', 'REF-2.7: one alert of transaction monitoring.', {
  counterpartyVaspId: VaspId,
  externalId: AnyText.describe('The monitoring request that produced the alert.'),
  direction: Direction,
  alertId: AnyText,
  alertLevel: z.enum(ALERT_LEVELS),
  entityCategory: AnyText.nullish(),
  serviceName: AnyText.nullish().describe('null when not identified, or when exposure is INDIRECT.'),
  exposureType: z.enum(['DIRECT', 'INDIRECT']),
  alertAmount: AnyText.describe('Scale of the funds subject to the alert, in USD.'),
  createdAt: Timestamp,
});
export type ProviderAKYTAlert = z.infer<typeof ProviderAKYTAlert>;

/** REF-2.8 */
export const ProviderBWCO = named('ProviderBWCO', 'REF-2.8: result of person or organisation screening.', {
  requestId,
  counterpartyVaspId: VaspId,
  direction: Direction,
  caseSystemId: AnyText.nullish().describe('Identifier assigned by the provider to the case.'),
  status,
  matchStrength: z.enum(MATCH_STRENGTHS).nullish().describe('The highest among matching entries.'),
  aggregatedSummaryResult: AnyText.nullish().describe('Summary of the results, a JSON text.'),
  createdAt: Timestamp.describe('Time the assessment history was created.'),
  assessedAt: Timestamp.nullish().describe('Time the provider derived the result.'),
});
export type ProviderBWCO = z.infer<typeof ProviderBWCO>;

/** REF-4.1 */
export const AssessSanctionAnswer = named('AssessSanctionAnswer', 'REF-4.1: sanction screening is synchronous.', {
  providerASanction: ProviderASanction,
});
export type AssessSanctionAnswer = z.infer<typeof AssessSanctionAnswer>;

/** REF-4.2, REF-4.3 */
export const AssessmentRegistered = named(
  'AssessmentRegistered',
  'The assessment is registered. A callback delivers its result.',
  { requestId },
);
export type AssessmentRegistered = z.infer<typeof AssessmentRegistered>;

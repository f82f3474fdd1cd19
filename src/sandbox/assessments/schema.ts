import * as z from 'zod';
import { named } from '../../contract/named.ts';
import { optional, VerificationUuid } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { calls } from '../../http/endpoint.ts';
import { limit } from '../parameters.ts';

/** `/assessments` */

export const AssessmentsQuery = named('AssessmentsQuery', { verificationUuid: optional(VerificationUuid), limit });
export const AssessmentEntry = named('AssessmentEntry', {
  requestId: z.string(),
  verificationUuid: z.string(),
  kind: z.enum(['sanction', 'kyt', 'wco']),
  status: z.enum(['REGISTERED', 'PROCESSED']),
  failures: z.number().int().describe('Number of failed calls of the provider.'),
  lastError: z.string().nullable(),
  createdAt: Timestamp,
  riskAssessment: z.looseObject({}).describe('The assessment as its answer or callback has it at this moment.'),
});
export const AssessmentsResponse = named('AssessmentsResponse', 'Risk assessments of this VASP, newest first.', {
  assessments: z.array(AssessmentEntry),
});

export const assessmentCalls = calls({ assessments: { query: AssessmentsQuery, response: AssessmentsResponse } });

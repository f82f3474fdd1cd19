import * as z from 'zod';
import { optional, VerificationUuid } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { limit } from '../parameters.ts';

/** `/assessments` */

export const AssessmentsQuery = z
  .object({ verificationUuid: optional(VerificationUuid), limit })
  .meta({ id: 'AssessmentsQuery' });
export const AssessmentEntry = z
  .object({
    requestId: z.string(),
    verificationUuid: z.string(),
    kind: z.enum(['sanction', 'kyt', 'wco']),
    status: z.enum(['REGISTERED', 'PROCESSED']),
    failures: z.number().int().describe('Number of failed calls of the provider.'),
    lastError: z.string().nullable(),
    createdAt: Timestamp,
    riskAssessment: z
      .looseObject({})
      .describe('The assessment as its answer or callback has it at this moment.'),
  })
  .meta({ id: 'AssessmentEntry' });
export const AssessmentsResponse = z
  .object({ assessments: z.array(AssessmentEntry) })
  .meta({ id: 'AssessmentsResponse', description: 'Risk assessments of this VASP, newest first.' });

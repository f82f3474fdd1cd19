import * as z from 'zod';
import { named, optional, VerificationUuid } from '../contract/text.ts';
import { Timestamp } from '../contract/time.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { toIso } from '../kernel/clock.ts';
import { pick } from '../kernel/members.ts';
import type { SandboxDeps } from './deps.ts';
import { limit } from './parameters.ts';

export const assessmentEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(assessmentCalls.assessments, {
    summary: 'List the risk assessments of this VASP, newest first',
    run: ({ query }, caller) => ({
      assessments: deps.enclave
        .listAssessments(query.verificationUuid, query.limit, caller)
        .map(row => ({
          ...pick(row, 'requestId', 'verificationUuid', 'kind', 'status', 'failures', 'lastError'),
          createdAt: toIso(row.createdAt),
          riskAssessment: { ...row.riskAssessment },
        })),
    }),
  }),
];

/** `/assessments` */

const AssessmentEntry = named('AssessmentEntry', {
  requestId: z.string(),
  verificationUuid: z.string(),
  kind: z.enum(['sanction', 'kyt', 'wco']),
  status: z.enum(['REGISTERED', 'PROCESSED']),
  failures: z.number().int().describe('Number of failed calls of the provider.'),
  lastError: z.string().nullable(),
  createdAt: Timestamp,
  riskAssessment: z.looseObject({}).describe('The assessment as its answer or callback has it at this moment.'),
});

export const assessmentCalls = calls({
  assessments: {
    query: named('AssessmentsQuery', { verificationUuid: optional(VerificationUuid), limit }),
    response: named('AssessmentsResponse', 'Risk assessments of this VASP, newest first.', {
      assessments: z.array(AssessmentEntry),
    }),
  },
});

import * as z from 'zod';
import type { CallerId } from '../contract/tenancy.ts';
import { named, optional, VerificationUuid } from '../contract/text.ts';
import { Timestamp } from '../contract/time.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { toIso } from '../kernel/clock.ts';
import type { SandboxDeps } from './deps.ts';
import { limit } from './parameters.ts';

export const assessmentEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(assessmentCalls.assessments, {
    summary: 'List the risk assessments of this VASP, newest first',
    run: ({ query }, caller) => listAssessments(deps, query, caller),
  }),
];

/** The assessments that this VASP requested, newest first. */
const listAssessments = (deps: SandboxDeps, query: z.output<typeof AssessmentsQuery>, caller: CallerId) => ({
  assessments: deps.enclave
    .listAssessments(query.verificationUuid, query.limit, caller)
    .map(row => ({
      requestId: row.requestId,
      verificationUuid: row.verificationUuid,
      kind: row.kind,
      status: row.status,
      failures: row.failures,
      lastError: row.lastError,
      createdAt: toIso(row.createdAt),
      riskAssessment: { ...row.riskAssessment },
    })),
});

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

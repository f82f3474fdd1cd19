import type * as z from 'zod';
import type { CallerId } from '../../contract/tenancy.ts';
import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';
import type { AssessmentsQuery } from './schema.ts';

/** The assessments that this VASP requested, newest first. */
export const listAssessments = (
  deps: SandboxDeps,
  query: z.output<typeof AssessmentsQuery>,
  caller: CallerId,
) => ({
  assessments: deps.enclave.listAssessments(query.verificationUuid, query.limit, caller).map(row => ({
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

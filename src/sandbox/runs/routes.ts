import * as z from 'zod';
import {
  MOST_EXPECTED_FAILURES,
  RunReport,
  RunRequest,
  RunStarted,
  RunsResponse,
} from '../../contract/plans.ts';
import { refusals } from '../../contract/refusals.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';

const SANDBOX = { operation: 'sandbox' } as const;
const OF_ONE = { ...SANDBOX, refusals: ['not-found'], precondition: 'run-started' } as const;

export const runEndpoints = ({ plans, enclave }: SandboxDeps): Endpoint[] => [
  endpoint({
    ...SANDBOX,
    refusals: ['address-not-allowed', 'run-under-way'],
    method: 'POST',
    path: '/sandbox/v1/runs',
    summary: 'Start a conformance run; it goes on by itself',
    description:
      'A VASP has one run at a time. The run moves the clock of the VASP unless `clock` is `real`. Events of kind `run` tell how it goes.',
    success: 201,
    examples: {
      'the shortest': { body: { plan: 'security', modules: ['S4'], unattended: true } },
    },
    body: RunRequest,
    mostElements: MOST_EXPECTED_FAILURES,
    response: RunStarted,
    run({ body }, caller) {
      const flaw = body.driver && enclave.guard.flawOf(body.driver.url);
      if (flaw !== undefined) throw refusals.addressNotAllowed('driver.url', flaw);
      return { id: plans.start(body, caller) };
    },
  }),
  endpoint({
    ...SANDBOX,
    refusals: [],
    method: 'GET',
    path: '/sandbox/v1/runs',
    summary: 'List the conformance runs, newest first',
    response: RunsResponse,
    run: (_, caller) => ({ runs: plans.list(caller) }),
  }),
  endpoint({
    ...OF_ONE,
    method: 'GET',
    path: '/sandbox/v1/runs/:id',
    summary: 'Read a conformance run with all its evidence, also while it goes on',
    response: RunReport,
    run: ({ params }, caller) => plans.report(params.id, caller),
  }),
  endpoint({
    ...OF_ONE,
    method: 'DELETE',
    path: '/sandbox/v1/runs/:id',
    summary: 'Stop a conformance run; its report stays',
    response: z.object({ result: z.literal(true) }).meta({ id: 'RunStopped' }),
    async run({ params }, caller) {
      await plans.stopRun(params.id, caller);
      return { result: true as const };
    },
  }),
];

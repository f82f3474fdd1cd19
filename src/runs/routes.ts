import * as z from 'zod';
import { named } from '../contract/named.ts';
import { PlansResponse } from '../contract/plan-list.ts';
import {
  MOST_EXPECTED_FAILURES,
  RunReport,
  RunRequest,
  RunStarted,
  RunsResponse,
} from '../contract/plans.ts';
import { refusals } from '../contract/refusals.ts';
import { control, type Endpoint } from '../http/endpoint.ts';
import { listPlans } from '../plans/catalogue.ts';
import { TransferRequest, TransferResponse } from '../sandbox/transfers/schema.ts';
import type { RunsDeps } from './deps.ts';
import { reportEndpoints } from './reports.ts';
import { sendTransfer } from './send-transfer.ts';

/** What plays by the API of the program: the conformance runs, and a deposit in one call. */
export const runEndpoints = (deps: RunsDeps): Record<'robot' | 'both', Endpoint[]> => ({
  both: [
    control.get('/sandbox/v1/plans', {
      access: 'vasp or operator',
      summary: 'List the conformance plans: modules and conditions with their clauses',
      response: PlansResponse,
      run: listPlans,
    }),
    control.post('/sandbox/v1/runs', {
      refusals: ['address-not-allowed', 'run-under-way'],
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
        const flaw = body.driver && deps.enclave.guard.flawOf(body.driver.url);
        if (flaw !== undefined) throw refusals.addressNotAllowed('driver.url', flaw);
        return { id: deps.runs.start(body, caller) };
      },
    }),
    control.get('/sandbox/v1/runs', {
      summary: 'List the conformance runs, newest first',
      response: RunsResponse,
      run: (_, caller) => ({ runs: deps.runs.list(caller) }),
    }),
    control.get('/sandbox/v1/runs/:id', {
      refusals: ['not-found'],
      precondition: 'run-started',
      summary: 'Read a conformance run with all its evidence, also while it goes on',
      response: RunReport,
      run: ({ params }, caller) => deps.runs.report(params.id, caller),
    }),
    control.delete('/sandbox/v1/runs/:id', {
      refusals: ['not-found'],
      precondition: 'run-started',
      summary: 'Stop a conformance run; its report stays',
      response: named('RunStopped', { result: z.literal(true) }),
      async run({ params }, caller) {
        await deps.runs.stopRun(params.id, caller);
        return { result: true as const };
      },
    }),
    ...reportEndpoints(deps),
  ],
  robot: [
    control.post('/sandbox/v1/transfers', {
      refusals: ['not-found', 'unknown-address'],
      summary: 'Send me a deposit: the robot verifies, gets money, pays and reports',
      description:
        'The steps of a deposit test in one call. The robot need not have been paid before where the chain is embedded. ' +
        'It answers when the report was sent to you, or at the step that failed.',
      body: TransferRequest,
      callbacks: ['TX_REPORT', 'ERROR_REPORT'],
      examples: { default: { body: { symbol: 'ETH', amount: '0.5' } } },
      response: TransferResponse,
      run: ({ body }, caller) => sendTransfer(deps, body, caller),
    }),
  ],
});

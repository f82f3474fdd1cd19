import { MAX_EXPECTED_FAILURES, type RunReport } from '../contract/plans.ts';
import { refusals } from '../contract/refusals.ts';
import { control, type Endpoint } from '../http/endpoint.ts';
import { listPlans } from '../plans/catalogue.ts';
import { runCalls } from '../sandbox/runs/schema.ts';
import { transferCalls } from '../sandbox/transfers.ts';
import type { RunsDeps } from './deps.ts';
import { reportEndpoints } from './reports.ts';
import { sendTransfer } from './send-transfer.ts';

/** What plays by the API of the program: the conformance runs, and a deposit in one call. */
export const runEndpoints = (deps: RunsDeps): Record<'robot' | 'both', Endpoint[]> => ({
  both: [
    control(runCalls.plans, {
      access: 'vasp or operator',
      summary: 'List the conformance plans: modules and conditions with their clauses',
      run: listPlans,
    }),
    control(runCalls.startRun, {
      refusals: ['address-not-allowed', 'run-under-way'],
      summary: 'Start a conformance run; it goes on by itself',
      description:
        'A VASP has one run at a time. The run moves the clock of the VASP unless `clock` is `real`. Events of kind `run` tell how it goes.',
      success: 201,
      examples: { 'the shortest': { body: { plan: 'security', modules: ['S4'], unattended: true } } },
      maxElements: MAX_EXPECTED_FAILURES,
      run({ body }, caller) {
        const problem = body.driver && deps.enclave.guard.problemOf(body.driver.url);
        if (problem !== undefined) throw refusals.addressNotAllowed('driver.url', problem);
        return { id: deps.runs.start(body, caller) };
      },
    }),
    control(runCalls.runs, {
      summary: 'List the conformance runs, newest first',
      run: (_, caller) => ({ runs: deps.runs.list(caller) }),
    }),
    control(runCalls.run, {
      refusals: ['not-found'],
      precondition: 'run-started',
      summary: 'Read a conformance run with all its evidence, also while it goes on',
      run: ({ params, query }, caller) => withExchangesOf(deps.runs.report(params.id, caller), query.exchangesOf),
    }),
    control(runCalls.stopRun, {
      refusals: ['not-found'],
      precondition: 'run-started',
      summary: 'Stop a conformance run; its report stays',
      async run({ params }, caller) {
        await deps.runs.stopRun(params.id, caller);
        return { result: true as const };
      },
    }),
    ...reportEndpoints(deps),
  ],
  robot: [
    control(transferCalls.sendTransfer, {
      refusals: ['not-found', 'unknown-address'],
      summary: 'Send me a deposit: the robot verifies, gets money, pays and reports',
      description:
        'The steps of a deposit test in one call. The robot need not have been paid before where the chain is embedded. ' +
        'It answers when the report was sent to you, or at the step that failed.',
      callbacks: ['TX_REPORT', 'ERROR_REPORT'],
      examples: { default: { body: { symbol: 'ETH', amount: '0.5' } } },
      run: ({ body }, caller) => sendTransfer(deps, body, caller),
    }),
  ],
});

/** The exchanges are most of a report: who looks often leaves them out. */
function withExchangesOf(report: RunReport, positions: string | undefined): RunReport {
  if (positions === undefined) return report;
  const wanted = new Set(positions.split(','));
  const modules = report.modules.map((module, position) =>
    wanted.has(String(position)) ? module : { ...module, exchanges: [] },
  );
  return { ...report, modules };
}
